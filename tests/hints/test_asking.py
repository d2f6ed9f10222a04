"""Texts used again, requests that are too long, and answers that do not come."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from selfhint.core.group import Completion
from selfhint.core.ledger import StoredHint
from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import question_of
from selfhint.hints import JsonFormat, Refresh, SelfHints, TeacherHints, TextFormat

MakeProblem = Callable[..., Problem]
MakeContext = Callable[..., VisitContext]
OLD, NEW, LEAK = "Multiply rows by jars.", "Count one row, then go on.", "The answer is 54."


def made(session: Any) -> list[tuple[int, str, str | None, bool]]:
    return [(hint.level, hint.source, hint.refused, hint.keep) for hint in session.trail.hints]


@pytest.mark.parametrize(
    ("refresh", "age", "asks"),
    [
        (None, {"step": 10, "epoch": 1}, True),
        (Refresh(steps=3), {"step": 12, "epoch": 9}, False),
        (Refresh(steps=3), {"step": 13, "epoch": 1}, True),
        (Refresh(epochs=2), {"step": 99, "epoch": 2}, False),
        (Refresh(epochs=2), {"step": 10, "epoch": 3}, True),
    ],
)
@pytest.mark.parametrize("source", [SelfHints, TeacherHints])
def test_a_text_is_used_again_while_it_is_fresh(
    source: Any,
    refresh: Refresh | None,
    age: dict[str, int],
    asks: bool,
    make_problem: MakeProblem,
    make_context: MakeContext,
    policy: Any,
) -> None:
    context = make_context(4, stored={1: OLD}, **age)
    context = VisitContext(
        context.step, 4, context.hinted, context.fits, {1: StoredHint(OLD, step=10, epoch=1)}, epoch=context.epoch
    )
    problem = make_problem()
    session, model = source(refresh=refresh).session(problem, context), policy([NEW])
    hint = model.run(session.hint(1))
    name = source.name
    if asks:
        assert (hint.text, hint.source, hint.keep) == (NEW, name, True)
    else:
        assert (hint.text, hint.source, hint.id, hint.keep) == (
            OLD,
            f"{name}:cached",
            f"{problem.key}-4-1-cached",
            False,
        )
    assert len(model.requests) == asks


def test_a_fresh_text_must_pass_again(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    context = make_context(1, stored={1: LEAK})
    session, model = SelfHints(refresh=Refresh(steps=5)).session(make_problem(), context), policy([NEW])
    assert model.run(session.hint(1)).text == NEW
    assert made(session) == [(1, "self:cached", "answer", False), (1, "self", None, True)]


def test_one_json_answer_leaves_a_fresh_text_alone(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    context = make_context(1, stored={1: OLD})
    session = SelfHints(JsonFormat(), refresh=Refresh(steps=5)).session(make_problem(), context)
    model = policy([json.dumps({"level_1": "other", "level_2": NEW, "level_3": "Nine, six times."})])
    assert [model.run(session.hint(level)).text for level in (1, 2)] == [OLD, NEW]
    assert made(session) == [(1, "self:cached", None, False), (2, "self", None, True), (3, "self", None, True)]


# Requests that are too long


def long_problem(make_problem: MakeProblem) -> Problem:
    words = " ".join(f"word{i}" for i in range(400))
    return make_problem(solution=f"First count. {words} Last multiply to get 54.")


def at_most(limit: int) -> Callable[[Any], bool]:
    return lambda prompt: len(question_of(prompt)) <= limit


def test_a_long_solution_is_cut_in_the_middle(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    problem = long_problem(make_problem)
    session = SelfHints().session(problem, make_context(fits_request=at_most(1500)))
    model = policy([NEW])
    hint = model.run(session.hint(1))
    text = question_of(model.requests[0].prompt)
    assert 1480 <= len(text) <= 1500  # as little as needed
    assert problem.question in text
    assert "First count. word0" in text
    assert text.rstrip().endswith("Hint:")
    assert "Last multiply to get 54." in text
    assert f"{hint.solution_cut} characters of the solution are left out here" in text
    assert hint.solution_cut > len(problem.solution or "") - 1500
    assert [h.solution_cut for h in session.trail.hints] == [hint.solution_cut]


def test_a_request_that_fits_is_not_cut(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    problem = long_problem(make_problem)
    whole = TextFormat().request(problem, 1)
    assert whole is not None
    context = make_context(fits=lambda prompt: True, fits_request=at_most(len(question_of(whole))))
    session, model = SelfHints().session(problem, context), policy([NEW])
    assert model.run(session.hint(1)).solution_cut == 0
    assert model.requests[0].prompt == whole


def test_a_refused_answer_says_that_its_solution_was_cut(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session = SelfHints(JsonFormat(), tries=1).session(
        long_problem(make_problem), make_context(fits_request=at_most(1500))
    )
    assert policy(["no object"]).run(session.hint(1)) is None
    assert len(session.trail.hints) == 3
    assert all(hint.refused == "unparsable" and hint.solution_cut > 1000 for hint in session.trail.hints)


def test_a_request_that_is_too_long_without_any_solution_is_not_made(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session, model = SelfHints().session(make_problem(), make_context(fits_request=at_most(100))), policy()
    assert model.run(session.hint(1)) is None
    assert model.requests == []
    assert made(session) == [(1, "self", "request_over_budget", False)]


def test_a_quote_of_the_part_that_was_cut_is_no_echo_of_the_request(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    seen = []

    def guard(problem: Problem, text: str, request: Any) -> None:
        seen.append(request)

    problem = long_problem(make_problem)
    session = SelfHints(guard=guard).session(problem, make_context(fits_request=at_most(1500)))
    policy([NEW]).run(session.hint(1))
    assert seen == [TextFormat().request(problem, 1)]


def test_a_teacher_has_a_context_of_its_own(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    problem = long_problem(make_problem)
    session, model = TeacherHints().session(problem, make_context(fits_request=at_most(100))), policy([NEW])
    assert model.run(session.hint(1)).text == NEW
    assert model.requests[0].purpose == "teach"
    assert model.requests[0].prompt == TextFormat().request(problem, 1)


# Answers that do not come


class SilentTeacher:
    """Answers with the given reasons in turn, then with a text."""

    def __init__(self, *reasons: str) -> None:
        self.reasons = list(reasons)
        self.num_asked = 0

    def run(self, hint: Any) -> Any:
        reply = None
        while True:
            try:
                hint.send(reply)
            except StopIteration as end:
                return end.value
            self.num_asked += 1
            reply = [Completion("", 0, missing=self.reasons.pop(0)) if self.reasons else Completion(OLD, 0)]


@pytest.mark.parametrize("reason", ["teacher_unreachable", "teacher_refused", "teacher_limit"])
def test_where_asking_again_is_useless_the_visit_asks_no_more(
    reason: str, make_problem: MakeProblem, make_context: MakeContext
) -> None:
    session, teacher = TeacherHints().session(make_problem(), make_context()), SilentTeacher(reason)
    assert [teacher.run(session.hint(level)) for level in (1, 2)] == [None, None]
    assert teacher.num_asked == 1
    assert made(session) == [(1, "teacher", reason, False), (2, "teacher", reason, False)]


@pytest.mark.parametrize("reason", ["teacher_garbage", "teacher_truncated"])
def test_other_faults_are_asked_again(reason: str, make_problem: MakeProblem, make_context: MakeContext) -> None:
    session, teacher = TeacherHints().session(make_problem(), make_context()), SilentTeacher(reason)
    assert teacher.run(session.hint(1)).text == OLD
    assert made(session) == [(1, "teacher", reason, False), (1, "teacher", None, True)]


def test_without_an_answer_the_stored_text_serves(make_problem: MakeProblem, make_context: MakeContext) -> None:
    session = TeacherHints().session(make_problem(), make_context(1, stored={1: OLD}))
    assert SilentTeacher("teacher_unreachable").run(session.hint(1)).source == "teacher:stored"


def test_one_missing_json_answer_counts_for_all_its_levels(
    make_problem: MakeProblem, make_context: MakeContext
) -> None:
    session = TeacherHints(JsonFormat()).session(make_problem(), make_context())
    assert SilentTeacher("teacher_refused").run(session.hint(2)) is None
    assert made(session) == [(level, "teacher", "teacher_refused", False) for level in (1, 2, 3)]
