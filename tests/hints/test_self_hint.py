from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from selfhint.core.episode import run_visit
from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict
from selfhint.core.plan import Plan
from selfhint.core.ports import Judge, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, question_of
from selfhint.hints import JsonFormat, Refused, SelfHints, TextFormat

MakeProblem = Callable[..., Problem]
MakeContext = Callable[..., VisitContext]
GOOD, GOOD_TOO, LEAK = "Multiply rows by jars.", "Count one row, then go on.", "The answer is 54."


def levels(*texts: str) -> str:
    return json.dumps({f"level_{i}": text for i, text in enumerate(texts, 1)})


def outcomes(session: Any) -> list[tuple[int, str | None]]:
    return [(hint.level, hint.refused) for hint in session.trail.hints]


def test_an_accepted_hint_costs_one_request(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    problem = make_problem()
    session, model = SelfHints().session(problem, make_context(visit=4)), policy([GOOD])
    hint = model.run(session.hint(1))
    assert (hint.text, hint.source, hint.id) == (GOOD, "self", f"{problem.key}-4-1-0")
    (request,) = model.requests
    assert (request.key, request.visit, request.level, request.purpose, request.num, request.attempt) == (
        (problem.key, 4, 1, "hint", 1, 0)
    )
    assert request.prompt == TextFormat().request(problem, 1)
    assert session.trail.hints == [hint]
    assert session.trail.num_tokens == 10


def test_a_refused_hint_is_asked_again_as_another_request(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session, model = SelfHints().session(make_problem(), make_context()), policy([LEAK, "", GOOD])
    assert model.run(session.hint(2)).text == GOOD
    assert [request.attempt for request in model.requests] == [0, 1, 2]
    assert outcomes(session) == [(2, "answer"), (2, "empty"), (2, None)]
    assert len({hint.id for hint in session.trail.hints}) == 3
    assert session.trail.num_tokens == 30


def test_tries_end(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    session, model = SelfHints(tries=2).session(make_problem(), make_context()), policy([LEAK, LEAK])
    assert model.run(session.hint(1)) is None
    assert model.run(session.hint(1)) is None
    assert outcomes(session) == [(1, "answer")] * 2


@pytest.mark.parametrize("solution", [None, "", " \n"])
def test_without_a_solution_nothing_is_asked(
    solution: str | None, make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    for form in (TextFormat(), JsonFormat()):
        session, model = SelfHints(form).session(make_problem(solution=solution), make_context()), policy()
        assert [model.run(session.hint(level)) for level in (1, 2, 3)] == [None] * 3
        assert model.requests == []
        assert outcomes(session) == [(1, "no_solution"), (2, "no_solution"), (3, "no_solution")]


def test_strongest_text_level_needs_no_request(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session, model = SelfHints().session(make_problem(), make_context()), policy()
    hint = model.run(session.hint(3))
    assert hint.text == "Every row has nine jars, so multiply rows by jars."
    assert model.requests == []
    assert session.trail.num_tokens == 0
    leaky = SelfHints().session(
        make_problem(solution="The answer is 54 and we can show why that is so."), make_context()
    )
    assert model.run(leaky.hint(3)) is None
    assert outcomes(leaky) == [(3, "answer")]


def test_a_request_over_budget_is_not_made(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    context = make_context(fits=lambda prompt: "Reference solution" not in question_of(prompt))
    session, model = SelfHints().session(make_problem(), context), policy()
    assert model.run(session.hint(1)) is None
    assert model.requests == []
    assert outcomes(session) == [(1, "request_over_budget")]


def test_a_hinted_prompt_over_budget_is_refused(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    context = make_context(
        fits=lambda prompt: "Here is a hint" not in question_of(prompt) or GOOD in question_of(prompt)
    )
    session, model = SelfHints().session(make_problem(), context), policy([GOOD_TOO, GOOD])
    assert model.run(session.hint(1)).text == GOOD
    assert outcomes(session) == [(1, "over_budget"), (1, None)]


def test_one_json_answer_serves_all_levels(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    session = SelfHints(JsonFormat()).session(make_problem(), make_context())
    model = policy([levels(GOOD, GOOD_TOO, "Write 6 times 9 as 60 minus 6.")])
    texts = [model.run(session.hint(level)).text for level in (1, 2, 3)]
    assert texts == [GOOD, GOOD_TOO, "Write 6 times 9 as 60 minus 6."]
    assert len(model.requests) == 1
    assert session.trail.num_tokens == 10


def test_only_refused_json_levels_are_asked_again_and_only_when_wanted(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session = SelfHints(JsonFormat()).session(make_problem(), make_context())
    model = policy([levels(GOOD, LEAK, LEAK), levels("other", LEAK, GOOD_TOO), levels("other", "Take row by row.")])
    assert model.run(session.hint(1)).text == GOOD
    assert len(model.requests) == 1
    assert model.run(session.hint(2)).text == "Take row by row."
    assert [(request.level, request.attempt) for request in model.requests] == [(1, 0), (2, 1), (2, 2)]
    assert model.run(session.hint(3)).text == GOOD_TOO
    assert len(model.requests) == 3
    assert outcomes(session) == [(1, None), (2, "answer"), (3, "answer"), (2, "answer"), (3, None), (2, None)]
    assert len({hint.id for hint in session.trail.hints}) == 6


def test_json_tries_are_counted_over_all_requests_of_the_visit(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session, model = SelfHints(JsonFormat()).session(make_problem(), make_context()), policy(["no object"] * 3)
    assert [model.run(session.hint(level)) for level in (1, 2, 3)] == [None] * 3
    assert len(model.requests) == 3
    assert outcomes(session) == [(level, "unparsable") for _ in range(3) for level in (1, 2, 3)]
    assert session.trail.hints[0].text == "no object"


def test_the_text_that_the_record_keeps_is_the_fallback(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    problem = make_problem()
    session = SelfHints(tries=1).session(problem, make_context(2, stored={1: GOOD_TOO}))
    hint = policy([LEAK]).run(session.hint(1))
    assert (hint.text, hint.source, hint.id) == (GOOD_TOO, "self:stored", f"{problem.key}-2-1-stored")
    assert outcomes(session) == [(1, "answer"), (1, None)]
    assert policy([LEAK, LEAK]).run(session.hint(2)) is None


def test_a_stored_text_must_pass_again(make_problem: MakeProblem, make_context: MakeContext, policy: Any) -> None:
    tight = make_context(1, fits=lambda prompt: GOOD not in question_of(prompt), stored={1: GOOD})
    session = SelfHints(tries=1).session(make_problem(), tight)
    assert policy([LEAK]).run(session.hint(1)) is None
    assert outcomes(session) == [(1, "answer"), (1, "over_budget")]


def test_accepted_texts_that_the_policy_wrote_are_worth_keeping(
    make_problem: MakeProblem, make_context: MakeContext, policy: Any
) -> None:
    session = SelfHints(tries=2).session(make_problem(), make_context(0, stored={2: GOOD_TOO}))
    model = policy([LEAK, GOOD, LEAK, LEAK])
    assert [model.run(session.hint(level)) is not None for level in (1, 2, 3)] == [True] * 3
    kept = [(hint.level, hint.text) for hint in session.trail.hints if hint.keep]
    assert kept == [(1, GOOD)]  # neither refused ones, nor a stored one, nor the solution's beginning (level 3)


def test_tries_below_one_are_an_input_error() -> None:
    with pytest.raises(InputError, match=r"hints\.tries"):
        SelfHints(tries=0)


class Codes:
    """A format of another package: a terse request, the raw completion as the hint."""

    def request(self, problem: Problem, level: int) -> Prompt | None:
        return f"H{problem.question[1:]}{problem.solution}|{level}|"

    def without_request(self, problem: Problem, level: int) -> str | None:
        return None

    def levels_asked(self, level: int) -> tuple[int, ...]:
        return (level,)

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str | Refused]:
        return {level: text}


def test_another_package_can_bring_its_format(make_context: MakeContext, policy: Any) -> None:
    problem = Problem("Pijklm|", "35172", "35172", "Pijklm|")
    session, model = SelfHints(Codes()).session(problem, make_context()), policy(["35172", "1", "351"])
    assert model.run(session.hint(1)).text == "1"
    assert model.run(session.hint(3)).text == "351"
    assert model.requests[0].prompt == "Hijklm|35172|1|"
    assert outcomes(session) == [(1, "answer"), (1, None), (3, None)]


@pytest.mark.parametrize("form", [TextFormat(), JsonFormat()], ids=["text", "json"])
def test_a_visit_whose_hints_all_fail_goes_on(
    form: TextFormat | JsonFormat, make_problem: MakeProblem, make_context: MakeContext
) -> None:
    problem = make_problem(solution="The answer is 54, since six rows of nine jars stand on this shelf.")
    episode = run_visit(problem, Plan((0, 1, 2, 3)), SelfHints(form), 2, make_context())
    request, visit = next(episode), None
    while visit is None:
        judged = isinstance(request, Judge)
        reply: list[Any] = [Verdict.of(False)] * 2 if judged else [Completion(LEAK, 5)] * request.num
        try:
            request = episode.send(reply)
        except StopIteration as end:
            visit = end.value
    assert [group.level for group in visit.groups] == [0]
    assert visit.kept.failed
    assert sum(visit.refused.values()) == len(visit.hints) > 0
