"""The text of a comparison, the same on the terminal and on the page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from selfhint.core.errors import InputError
from selfhint.report import summarise
from selfhint.report.quantities import DASH, comparable, equal_budget, quantities
from selfhint.runlog import GROUPS
from support.runs import ONE_STEP, write_run


def rows(*folders):
    return {q.label: list(q.values) for q in quantities([summarise(folder) for folder in folders])}


def test_two_runs_side_by_side(starved, fading):
    assert rows(starved, fading) == {
        "steps": ["4", "4"],
        "held-out success, last": ["0.000 (4)", "1.000 (4)"],
        "held-out success, best": ["0.000 (2)", "1.000 (4)"],
        "held-out success by 32 tokens": ["0.000 (4)", DASH],
        "step when it reached 0.95": [DASH, "3"],
        "tokens when it reached 0.95": [DASH, "48"],
        "tokens sampled in all": ["32", "56"],
        "problems seen": ["2", "2"],
        "problems that never gave a signal": ["2", "0"],
        "problems never solved, even with hints": ["2", "0"],
        "problems never solved without a hint": ["2", "0"],
        "hinted visits, first 10 steps": ["0 of 8", "4 of 8"],
        "hinted visits, last 10 steps": ["0 of 8", "4 of 8"],
        "seconds in all": ["2.00", "2.00"],
        "seconds per step": ["0.500", "0.500"],
    }


def test_what_was_not_measured_is_a_dash(tmp_path):
    write_run(tmp_path, ONE_STEP)
    (tmp_path / GROUPS).unlink()
    dashes = {label for label, values in rows(tmp_path).items() if values == [DASH]}
    assert dashes == {
        "held-out success, last",
        "held-out success, best",
        "held-out success by 4 tokens",
        "step when it reached 0.95",
        "tokens when it reached 0.95",
        "problems that never gave a signal",
    }


def test_large_numbers_are_grouped(tmp_path):
    shown = rows(write_run(tmp_path, ONE_STEP, token=1_000_000, seconds=4321.0))
    assert shown["tokens sampled in all"] == ["4,000,000"]
    assert shown["seconds in all"] == ["4,321.0"]


def test_the_budget_is_what_every_run_reached(starved, fading):
    assert equal_budget([summarise(fading), summarise(starved)]) == 32


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (["a/grpo", "a/sage"], ["grpo", "sage"]),
        (["a/sage", "b/sage"], ["a/sage", "b/sage"]),
        (["x/a/sage", "y/a/sage", "y/a/grpo"], ["x/a/sage", "y/a/sage", "y/a/grpo"]),
    ],
)
def test_names_tell_runs_apart(tmp_path, folders, names):
    summaries = [summarise(write_run(tmp_path / folder, ONE_STEP)) for folder in folders]
    assert [summary.name for summary in comparable(summaries)] == names


def test_a_name_that_is_not_utf_8_can_be_written(tmp_path):
    folder = tmp_path / os.fsdecode(b"run\xff")
    (named,) = comparable([summarise(write_run(folder, ONE_STEP))])
    assert named.name == r"run\udcff"


def test_a_run_given_twice(starved, monkeypatch):
    monkeypatch.chdir(starved.parent)
    with pytest.raises(InputError, match="grpo: given twice; name each run once"):
        comparable([summarise(starved), summarise(Path("grpo"))])


def test_no_run():
    with pytest.raises(InputError, match="no run to show; name at least one"):
        comparable([])
