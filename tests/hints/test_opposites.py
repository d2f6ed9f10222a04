from __future__ import annotations

import pytest

from selfhint.hints.opposites import denies_opposite


@pytest.mark.parametrize(
    ("text", "answer", "question", "denies"),
    [
        ("The total isn't even.", "odd", "Is the sum even or odd?", True),
        ("It can't be rational.", "irrational", "Is it rational or irrational?", True),
        ("A isn't a knight.", "knave", "Is A a knight or a knave?", True),
        ("It doesn't diverge.", "converges", "Does it converge or diverge?", True),
        ("Is it not even?", "odd", "Is the sum even or odd?", False),
        ("If it isn't even, go on", "odd", "Is the sum even or odd?", False),
        ("It isn't even.", "even", "Is the sum even or odd?", False),
        ("It isn't a square.", "rhombus", "Is it a square, a kite or rhombus?", False),
    ],
)
def test_denies_opposite(text: str, answer: str, question: str, denies: bool) -> None:
    assert denies_opposite(text, answer, question) == denies
