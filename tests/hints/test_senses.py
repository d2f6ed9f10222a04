from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.occurrences import occurrences
from selfhint.hints.senses import in_other_sense


@pytest.mark.parametrize(
    ("text", "answer", "other"),
    [
        ("You may count on.", "May", True),
        ("It is May.", "May", False),
        ("May I suggest a list?", "May", True),
        ("May comes last.", "May", False),
        ("March through the list.", "March", True),
        ("So it falls in March.", "March", False),
        ("March. That is it.", "March", False),
        ("Mark the point.", "Mark", True),
        ("Mark wins.", "Mark", False),
        ("Square both sides.", "square", True),
        ("Then square the first one.", "square", True),
        ("Take the square root.", "square", True),
        ("Think of the square of the side.", "square", True),
        ("It has 5 square metres.", "square", True),
        ("Complete the square.", "square", True),
        ("It is a square that is tilted.", "square", False),
        ("The square is the one.", "square", False),
        ("Cube both.", "cube", True),
        ("The cube has 6 faces.", "cube", False),
        ("None of the slopes need computing.", "none", True),
        ("None of the lines are parallel.", "none", False),
        ("Even if it is large, go on.", "even", True),
        ("The sum is even.", "even", False),
        ("Look for a prime factor.", "prime", True),
        ("It is a prime number.", "prime", False),
        ("It is Paris.", "Paris", False),
    ],
)
def test_in_other_sense(text: str, answer: str, other: bool) -> None:
    assert in_other_sense(text, next(occurrences(text, answer_forms(answer)))) == other
