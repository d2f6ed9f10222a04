"""Hints that came with the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import question_of
from selfhint.hints import GivenHints

MakeProblem = Callable[..., Problem]
MakeContext = Callable[..., VisitContext]
TEXTS = {1: ("Count one row.",), 2: ("Multiply.", "Add row by row.", "The answer is 54.")}


def hint_of(problem: Problem, context: VisitContext, level: int, policy: Any) -> Any:
    session, model = GivenHints().session(problem, context), policy()
    hint = model.run(session.hint(level))
    assert model.requests == []
    return hint, [(made.level, made.refused, made.keep) for made in session.trail.hints]


@pytest.mark.parametrize(
    ("visit", "text"), [(0, "Multiply."), (1, "Add row by row."), (3, "Multiply."), (7, "Add row by row.")]
)
def test_texts_of_a_level_take_turns(
    visit: int, text: str, make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    problem = replace(make_problem(), hints=TEXTS)
    hint, made = hint_of(problem, make_context(visit), 2, policy)
    assert (hint.text, hint.source, hint.id) == (text, "given", f"{problem.key}-{visit}-2-{visit % 3}")
    assert made == [(2, None, False)]


def test_the_guard_and_the_budget_look_at_them_too(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    problem = replace(make_problem(), hints=TEXTS)
    assert hint_of(problem, make_context(2), 2, policy) == (None, [(2, "answer", False)])
    tight = make_context(0, fits=lambda prompt: "Multiply" not in question_of(prompt))
    assert hint_of(problem, tight, 2, policy) == (None, [(2, "over_budget", False)])


def test_a_level_without_a_text_has_no_hint(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    assert hint_of(make_problem(), make_context(), 1, policy) == (None, [(1, "not_given", False)])
    assert hint_of(replace(make_problem(), hints=TEXTS), make_context(), 3, policy)[1] == [(3, "not_given", False)]


def test_no_solution_is_needed(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    hint, _ = hint_of(replace(make_problem(solution=None), hints=TEXTS), make_context(), 1, policy)
    assert hint.text == "Count one row."
