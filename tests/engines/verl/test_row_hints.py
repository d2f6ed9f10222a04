"""Given hints in rows of verl's data; needs no verl."""

from __future__ import annotations

import numpy as np
import pytest

from selfhint.config.verl import VerlColumns
from selfhint.core.errors import InputError
from selfhint.engines.verl.rows import problem_of

PROMPT = [{"role": "user", "content": "What is 2 + 3?"}]


def hints_of(value):
    row = {"reward_model": {"ground_truth": "5"}, "extra_info": {"tips": value}}
    return problem_of(row, PROMPT, VerlColumns(hints="tips")).hints


@pytest.mark.parametrize(
    "value",
    [
        {"level_1": ["a", "b"], "level_2": None, "level_3": "c"},
        {"level_1": np.array(["a", "b"], dtype=object), "level_2": None, "level_3": "c"},
        np.array([np.array(["a", "b"], dtype=object), None, np.array(["c"], dtype=object)], dtype=object),
        [["a", "b"], [], ["c"]],
    ],
)
def test_lists_and_the_arrays_of_data_frames(value):
    assert hints_of(value) == {1: ("a", "b"), 3: ("c",)}


def test_a_row_without_hints():
    assert hints_of(None) == {}
    assert problem_of({"hints": 7}, PROMPT, VerlColumns()).hints == {}


def test_hints_of_another_form_are_one_line():
    with pytest.raises(InputError, match=r"data: tips: the hints are 'think'"):
        hints_of("think")
