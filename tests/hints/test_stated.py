from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms, occurrences
from selfhint.hints.stated import answers_yes_or_no, asked, is_asked, is_incidental, is_stated, is_stated_word


def first(text: str, answer: str) -> tuple[str, object, object]:
    forms = answer_forms(answer)
    return text, next(iter(occurrences(text, forms))), forms


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The answer is 24.", True),
        ("72 - 48 = 24, as you see. Now write it down with its unit and be done.", True),
        ("You get 24 of them", True),
        ("24 is the answer", True),
        ("24 hats are left", True),
        ("24", True),
        ("Each of the 24 boxes", False),
        ("She gives 24 to him", False),
        ("Multiply 24 by 3", False),
    ],
)
def test_is_stated(text: str, stated: bool) -> None:
    text, span, _ = first(text, "24")
    assert is_stated(text, span) == stated  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "incidental"),
    [("Step 3: add", True), ("3. Add", True), ("in three steps", True), ("times 3", True), ("3 dogs", False)],
)
def test_is_incidental(text: str, incidental: bool) -> None:
    text, span, forms = first(text, "3")
    assert is_incidental(text, span, forms) == incidental  # type: ignore[arg-type]


def test_asked() -> None:
    question = "He has 5 pens. How many pens are left? He wonders."
    assert asked(question) == "How many pens are left?"
    assert asked("Find x.") == "Find x."
    for text, wanted in (("5 pens left", True), ("left are 5", True), ("the 5 pens", False)):
        text, span, _ = first(text, "5")
        assert is_asked(text, span, question) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Max won easily", True),
        ("It is Max.", True),
        ("so Max wins", True),
        ("Max ran 58 s", False),
        ("Is it Max?", False),
        ("If it is Max, stop.", False),
        ("It is Max or Lea.", False),
    ],
)
def test_is_stated_word(text: str, stated: bool) -> None:
    text, span, _ = first(text, "Max")
    assert is_stated_word(text, span, "Max and Lea ran. Who won?") == stated  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "answer", "answers"),
    [
        ("No, it has a divisor.", "no", True),
        ("91 is not prime", "no", True),
        ("Is 91 not prime?", "no", False),
        ("It is not even", "no", False),
        ("91 is prime", "yes", True),
        ("If 91 is prime, go on", "yes", False),
    ],
)
def test_yes_or_no(text: str, answer: str, answers: bool) -> None:
    assert answers_yes_or_no(text, answer, "Is 91 prime?") == answers
