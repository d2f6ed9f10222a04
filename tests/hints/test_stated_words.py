from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.occurrences import occurrences
from selfhint.hints.stated_words import answers_yes_or_no, is_stated_word


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
    span = next(iter(occurrences(text, answer_forms("Max"))))
    assert is_stated_word(text, span, "Max and Lea ran. Who won?") == stated


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
