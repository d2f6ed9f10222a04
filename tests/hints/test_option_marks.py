from __future__ import annotations

import pytest

from selfhint.hints.choices import choice_of
from selfhint.hints.option_marks import names_mark
from selfhint.hints.plain import plain

POWERS = "Which of these is the largest? (A) 2^40 (B) 3^28 (C) 5^16 (D) 6^12"
TRAINS = "She arrives at 8:40. Which train? (A) dep. 8:32, arr. 9:10 (B) dep. 8:44, arr. 9:22 (C) dep. 8:58, arr. 9:28"


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("The power with the base three wins.", "B", POWERS),
        ("She gets there at 9:22.", "B", TRAINS),
        ("81 beats 64 and 70.", "A", "Which is larger? (A) 3^4 (B) 4^3 (C) 70"),
        ("It's the one with the 5 in it.", "B", "Which vector? (A) (1,2,1) (B) (1,5,1) (C) (4,2,6)"),
    ],
)
def test_told_by_what_only_it_has(text: str, answer: str, question: str) -> None:
    choice = choice_of(answer, question)
    assert choice
    assert names_mark(plain(text), choice)


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("Compare 3^28 with 2^40.", "B", POWERS),
        ("Three steps are needed.", "B", POWERS),
        ("Is it the one with base three?", "B", POWERS),
        ("She has her ticket at 8:40.", "B", TRAINS),
        ("The one at 9:10 is gone.", "B", TRAINS),
        ("Look at it.", "A", "Which? (A) red (B) green"),
    ],
)
def test_not_told(text: str, answer: str, question: str) -> None:
    choice = choice_of(answer, question)
    assert choice
    assert not names_mark(plain(text), choice)
