from __future__ import annotations

from collections.abc import Callable

import pytest

from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.hints import FORMATS, JsonFormat, Refused, TextFormat

MakeProblem = Callable[..., Problem]


def text_of(prompt: object) -> str:
    assert isinstance(prompt, list)
    assert [m["role"] for m in prompt] == ["user"]
    return str(prompt[0]["content"])


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS.keys())
def test_a_request_is_made_of_question_and_reference_solution_in_the_solvers_kind_of_prompt(
    form: type[TextFormat | JsonFormat], make_problem: MakeProblem
) -> None:
    chat, plain = make_problem(chat=True), make_problem(chat=False)
    request = form().request(chat, 1)
    assert text_of(request) == form().request(plain, 1)
    assert chat.question in text_of(request)
    assert chat.solution is not None
    assert chat.solution in text_of(request)


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS.keys())
def test_the_gold_answer_is_never_in_a_request(form: type[TextFormat | JsonFormat], make_problem: MakeProblem) -> None:
    problem = make_problem(solution="Think.", answer="987654321", chat=False)
    assert "987654321" not in str(form().request(problem, 1))


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS.keys())
def test_a_level_is_either_asked_for_or_given(form: type[TextFormat | JsonFormat], make_problem: MakeProblem) -> None:
    for level in range(1, NUM_LEVELS + 1):
        asked, given = form().request(make_problem(), level), form().without_request(make_problem(), level)
        assert (asked is None) != (given is None)
        assert level in form().levels_asked(level)


def test_text_wording_follows_the_strength(make_problem: MakeProblem) -> None:
    weak, middle = (text_of(TextFormat().request(make_problem(), level)) for level in (1, 2))
    assert "one or two sentences" in weak
    assert "three or four short steps" in middle
    assert TextFormat().request(make_problem(), 3) is None


def test_strongest_text_hint_is_the_first_part_of_the_solution(make_problem: MakeProblem) -> None:
    problem = make_problem(solution="Count the rows. Count the jars of one row. Multiply. That is 54.")
    assert TextFormat().without_request(problem, 3) == "Count the rows. Count the jars of one row."


def test_json_asks_once_for_all_levels(make_problem: MakeProblem) -> None:
    form = JsonFormat()
    assert form.levels_asked(2) == (1, 2, 3)
    assert form.request(make_problem(), 1) == form.request(make_problem(), 3)
    assert all(f"level_{level}" in text_of(form.request(make_problem(), 1)) for level in (1, 2, 3))


def test_braces_in_question_and_solution_stay(make_problem: MakeProblem) -> None:
    problem = make_problem(question=r"Let \frac{a}{b} = {hint}.", solution="{0} \\text{x}", chat=False)
    for form in (TextFormat(), JsonFormat()):
        request = str(form.request(problem, 1))
        assert problem.question in request
        assert "{0} \\text{x}" in request


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  Multiply rows by jars.\n", "Multiply rows by jars."),
        ("Hint: multiply.", "multiply."),
        ("**Hint:** multiply.", "multiply."),
        ("<think>The answer is 54.</think>\nMultiply.", "Multiply."),
        ("<think>The answer is", Refused("unparsable")),
        ("Use a hint: multiply.", "Use a hint: multiply."),
        ("", ""),
    ],
)
def test_text_answer(raw: str, text: str | Refused, make_problem: MakeProblem) -> None:
    assert TextFormat().parse(raw, make_problem(), 2) == {2: text}


def test_json_answer(make_problem: MakeProblem) -> None:
    parsed = JsonFormat().parse('{"level_1": "a", "level_3": 4}', make_problem(), 2)
    assert parsed == {1: "a", 2: Refused("missing_level"), 3: Refused("not_a_string")}
