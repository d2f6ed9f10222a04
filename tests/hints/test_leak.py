from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.problem import Problem
from selfhint.hints import REASONS, JsonFormat, TextFormat, refusal
from selfhint.hints.formats import HintFormat
from selfhint.hints.leak import final_step

CASES = json.loads((Path(__file__).parent / "cases/leaks.json").read_text(encoding="utf-8"))


def problem(question: str, answer: str, solution: str | None = None) -> Problem:
    return Problem(question, solution, answer, question)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['answer']}: {case['hint'][:40]}" for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert refusal(problem(case["question"], case["answer"]), case["hint"]) == case["refused"]


@pytest.mark.parametrize(
    "gold",
    [
        '{"question": "6 * 9 =", "answer": "54", "metadata": {"source_dataset": "products", "factors": [6, 9]}}',
        '{"answer": "54", "options": ["45", "54"]}',
    ],
)
def test_the_answer_within_a_gold_that_is_an_object(gold: str) -> None:
    assert refusal(problem("What is 6 * 9?", gold), "The product of these two is 54.") == "answer"
    assert refusal(problem("What is 6 * 9?", gold), "Ten times the first, less the first.") is None


@pytest.mark.parametrize("gold", ["(C) 29", r"\textbf{(C)}\ 29", r"\textbf{(C)}", "(C)", "C"])
def test_a_letter_whose_options_are_missing(gold: str) -> None:
    asked = problem("Which of these is a prime?", gold)
    for text in ("The answer is C.", "Choose (C)."):
        assert refusal(asked, text) == "answer"
    assert refusal(asked, "Call the sum C and divide.") is None


def test_options_that_only_the_gold_lists() -> None:
    asked = problem("Which city lies on the Thames?", '{"answer": 1, "options": ["Paris", "London", "Rome", "Oslo"]}')
    for text in ("It is London.", "The answer is B.", "Choose the second option."):
        assert refusal(asked, text) == "answer"
    assert refusal(asked, "A good map helps. Think of rivers.") is None
    assert refusal(asked, "Paris lies on the Seine.") is None


AMC = r"How much is $1 + 4$? $\textbf{(A)}\ 3 \qquad\textbf{(B)}\ 4 \qquad\textbf{(C)}\ 5 \qquad\textbf{(D)}\ 6$"


@pytest.mark.parametrize("gold", [r"\textbf{(C)}", r"\textbf{(C)}\ 5", "(C) 5", "C", "c"])
def test_options_with_labels_in_latex(gold: str) -> None:
    for text in ("the answer is C", "Choose C.", "it is 5", "So x = 5."):
        assert refusal(problem(AMC, gold), text) == "answer"
    for text in ("Count on from the larger one.", "Start at 4 and go up.", "Look at A and B."):
        assert refusal(problem(AMC, gold), text) is None


QUESTION = "A shelf holds 6 rows of 9 jars. How many jars does it hold?"
SOLUTION = "Every row has 9 jars.\nSo all rows of the shelf together hold 6 * 9 = 54 jars.\n#### 54"


@pytest.mark.parametrize("form", [TextFormat(), JsonFormat()], ids=["text", "json"])
@pytest.mark.parametrize("level", [1, 2])
def test_parts_of_the_request_are_an_echo(form: HintFormat, level: int) -> None:
    asked = problem(QUESTION, "54", SOLUTION)
    request = form.request(asked, level)
    assert isinstance(request, str)
    own_words = [line for line in request.splitlines() if len(line.split()) > 4 and line not in QUESTION + SOLUTION]
    assert own_words
    for line in own_words:
        assert refusal(asked, line, request) == "echo_request"
        assert refusal(asked, "Look at one row. How many jars are in it?", request) is None
        assert refusal(asked, "Every row has 9 jars.", request) is None


def test_descriptions_given_back_as_values_are_an_echo() -> None:
    asked = problem(QUESTION, "54", SOLUTION)
    request = JsonFormat().request(asked, 1)
    for text in ("The main idea or theorem.", "Names just the main idea.", "the direction to take"):
        assert refusal(asked, text, request) == "echo_request"


@pytest.mark.parametrize(
    ("solution", "step"),
    [
        (SOLUTION, "So all rows of the shelf together hold 6 * 9 = 54 jars."),
        ("One. Two and three!  Four?", "Four?"),
        ("Only this", "Only this"),
        ("先数。再乘。", "再乘。"),
        ("#### 5", ""),
        ("", ""),
    ],
)
def test_final_step(solution: str, step: str) -> None:
    assert final_step(solution) == step


def test_final_step_is_refused_even_where_the_answer_stands_in_the_question() -> None:
    solution = "Add what both have. Then half of the sum goes to 9 friends, and each of the friends is glad."
    asked = problem("There are 9 friends who share. How many are glad?", "9", solution)
    assert refusal(asked, solution) == "solution_copied"
    assert refusal(asked, "Note: then half of the sum goes to 9 friends, and each of the friends is glad") == (
        "solution_copied"
    )
    assert refusal(asked, "Add what both have.") is None


def test_prefix_of_a_one_step_solution_passes() -> None:
    solution = "Multiplying the six rows of the shelf with the jars of a row we see that it holds all in all 54 jars."
    asked = problem(QUESTION, "54", solution)
    for share in (0.25, 0.5, 0.8):
        assert refusal(asked, solution[: int(share * len(solution))]) is None
    assert refusal(asked, solution) == "answer"


@settings(deadline=None)
@given(st.text(alphabet="01234567", min_size=2, max_size=6), st.data())
def test_digits_of_a_code_leak_only_whole(code: str, data: st.DataObject) -> None:
    asked = problem("Pijklm|", code, code)
    prefix = code[: data.draw(st.integers(1, len(code) - 1))]
    assert refusal(asked, prefix) is None
    assert refusal(asked, code) == "answer"


@settings(deadline=None)
@given(st.integers(3, 9999), st.sampled_from(["It is {}.", "({})", "x = {},", "{} km", "We see ${}$", "<<a={}>>{}"]))
def test_a_number_that_is_not_in_the_question_leaks(value: int, shape: str) -> None:
    asked = problem("How far is it?", str(value))
    assert refusal(asked, shape.replace("{}", str(value))) == "answer"
    assert refusal(asked, shape.replace("{}", f"{value}9")) is None


PIECES = st.sampled_from(
    [
        "24",
        " ",
        "-",
        "\\frac{1}{2}",
        "\\",
        "{",
        "}",
        "answer is",
        "=",
        "$",
        "\n",
        "twenty",
        "hundred",
        "and",
        "%",
        ".",
        "٣",
        "(A) ",
        "\n(B) 24",
        "[1,2)",
        "x > 3",
        " or ",
        "\\cup",
        "minus ",
        "half ",
        "x^2+1",
        "(x-1)",
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES).map("".join) | st.text(), st.lists(PIECES).map("".join) | st.text(), st.text())
def test_the_guard_never_raises(text: str, answer: str, question: str) -> None:
    assert refusal(problem(question, answer, text), text, question) in {None, *REASONS}
