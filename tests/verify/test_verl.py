"""verl's side of a reward function, without verl."""

from __future__ import annotations

import importlib.util
import inspect
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest

from selfhint.core.errors import InputError
from selfhint.verify import verl
from selfhint.verify.verl import compute_score
from support.hanging import HANGING


def test_a_dict_with_a_score() -> None:
    scores = [
        compute_score(data_source="any", solution_str=text, ground_truth=gold, extra_info={"index": 1})
        for gold, text in ((r"\frac{1}{2}", r"\boxed{0.5}"), ("2", r"\boxed{3}"), ("", r"\boxed{3}"), ("2", ""))
    ]
    assert [s["score"] for s in scores] == [s["acc"] for s in scores] == [1.0, 0.0, 0.0, 0.0]
    assert [s["gold_unreadable"] for s in scores] == [0.0, 0.0, 1.0, 0.0]
    assert [s["reason"] for s in scores] == ["match", "mismatch", "gold unreadable", "no answer found"]
    assert scores[0]["extracted"] == "0.5"
    assert {tuple(s) for s in scores} == {("score", "acc", "gold_unreadable", "extracted", "reason")}


def test_no_coroutine_so_that_every_reward_manager_can_call_it() -> None:
    assert not inspect.iscoroutinefunction(compute_score)


def test_pairs_that_hang_from_an_event_loops_threads() -> None:
    with ThreadPoolExecutor(8) as threads:
        hanging = [
            threads.submit(compute_score, "any", text, gold, None, time_limit=1.0)
            for gold, text in HANGING
            for _ in "12"
        ]
        right = threads.submit(compute_score, "any", r"\boxed{1+1}", "2", None, time_limit=1.0)
        assert right.result()["score"] == 1.0
        assert {h.result()["score"] for h in hanging} == {0.0}


def test_options_choose_the_kind() -> None:
    assert compute_score("any", r"\boxed{1+1}", "2", kind="exact")["score"] == 0.0
    assert compute_score("any", r"\boxed{1+1}", "1+1", kind="exact")["score"] == 1.0
    with pytest.raises(InputError, match=r"verifier kind maths: no such kind; use one of math"):
        compute_score("any", "", "", kind="maths")


def test_the_file_can_be_loaded_by_its_path() -> None:
    """As verl does it for a path without pkg://."""
    path = verl.__file__
    assert path is not None
    spec = importlib.util.spec_from_file_location("custom_module", Path(path))
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.compute_score("any", r"\boxed{7}", 7)["score"] == 1.0
