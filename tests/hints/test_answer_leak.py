"""Hints as a tutor writes them, leaks and clean ones, over all kinds of answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from selfhint.hints.answer_leak import answer_leak

PROBLEMS = json.loads((Path(__file__).parent / "cases/tutor_hints.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("problem", PROBLEMS, ids=[problem["question"][:50] for problem in PROBLEMS])
def test_hints_of_a_tutor(problem: dict[str, Any]) -> None:
    question, answer = problem["question"], problem["answer"]
    assert [hint for hint in problem["leaks"] if answer_leak(hint, answer, question) is None] == []
    assert [hint for hint in problem["clean"] if answer_leak(hint, answer, question) is not None] == []
