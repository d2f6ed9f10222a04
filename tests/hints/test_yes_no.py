from __future__ import annotations

import pytest

from selfhint.hints.yes_no import answers_yes_or_no


@pytest.mark.parametrize(
    ("text", "answer", "answers"),
    [
        ("No, it has a divisor.", "no", True),
        ("91 is not prime", "no", True),
        ("Is 91 not prime?", "no", False),
        ("It is not even", "no", False),
        ("It is 7 * 13, so it's composite.", "no", True),
        ("It can't be prime.", "no", True),
        ("91 is prime", "yes", True),
        ("91 is prime if it has no divisor", "yes", False),
        ("If 91 is prime, go on", "yes", False),
    ],
)
def test_yes_or_no(text: str, answer: str, answers: bool) -> None:
    assert answers_yes_or_no(text, answer, "Is 91 prime?") == answers


@pytest.mark.parametrize(
    ("text", "answer", "answers"),
    [
        ("So no such integer exists.", "no", True),
        ("It is impossible.", "no", True),
        ("Is it impossible?", "no", False),
        ("Such an integer exists.", "yes", True),
        ("No such integer exists.", "yes", False),
        ("If it exists, call it n.", "yes", False),
    ],
)
def test_existence(text: str, answer: str, answers: bool) -> None:
    assert answers_yes_or_no(text, answer, "Does an integer with this property exist?") == answers
