from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import question_of
from selfhint.hints import PrefixHints

MakeProblem = Callable[..., Problem]
MakeContext = Callable[..., VisitContext]


def test_levels_show_a_quarter_a_half_and_three_quarters(make_context: MakeContext, policy: Any) -> None:
    problem = Problem("Pijklmnop|", "35172046", "35172046", "Pijklmnop|")
    session, model = PrefixHints().session(problem, make_context(visit=2)), policy()
    hints = [model.run(session.hint(level)) for level in (1, 2, 3)]
    assert [hint.text for hint in hints] == ["35", "3517", "351720"]
    assert [hint.id for hint in hints] == [f"{problem.key}-2-{level}-0" for level in (1, 2, 3)]
    assert {hint.source for hint in hints} == {"prefix"}
    assert model.requests == []
    assert (session.trail.hints, session.trail.num_tokens) == (hints, 0)


def test_a_prefix_with_the_answer_is_refused(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    problem = make_problem(solution="The shelf holds 54 jars.\nThat is so because six rows of nine jars stand on it.")
    session = PrefixHints().session(problem, make_context())
    assert policy().run(session.hint(3)) is None
    assert [(hint.text, hint.refused) for hint in session.trail.hints] == [
        ("The shelf holds 54 jars.\nThat is so because six rows of", "answer")
    ]


def test_a_prompt_over_budget_is_refused(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    context = make_context(fits=lambda prompt: "Here is a hint" not in question_of(prompt))
    session = PrefixHints().session(make_problem(), context)
    assert policy().run(session.hint(1)) is None
    assert session.trail.hints[0].refused == "over_budget"


@pytest.mark.parametrize("solution", [None, " "])
def test_no_solution(solution: str | None, make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    session = PrefixHints().session(make_problem(solution=solution), make_context())
    assert policy().run(session.hint(2)) is None
    assert [(hint.level, hint.refused) for hint in session.trail.hints] == [(2, "no_solution")]
