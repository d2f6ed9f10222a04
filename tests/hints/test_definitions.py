from __future__ import annotations

import re

import pytest

from selfhint.hints.definitions import DEFINITIONS, defines


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is a polygon with six equal sides.", "hexagon"),
        ("The solid with 8 faces.", "octahedron"),
        ("Four sides of length 5 and no right angle: how do you call that?", "rhombus"),
        ("The largest angle is less than 90 degrees.", "acute"),
        ("They never meet.", "parallel"),
        ("It turns against the hands of the clock.", "counterclockwise"),
        ("Both weigh the same.", "equal"),
        ("The second month of the year.", "February"),
        ("Thursday, Friday, Saturday, and the next one is it.", "Sunday"),
        ("End of September: one half. End of August: a quarter. One more step back.", "July"),
    ],
)
def test_told_by_what_it_is(text: str, answer: str) -> None:
    assert defines(text, answer, "What is it?")


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("It is a polygon with six sides.", "hexagon", "What do you call a polygon with six sides?"),
        ("A polygon with seven sides has another name.", "hexagon", "What is it?"),
        ("Do they never meet?", "parallel", "What are they?"),
        ("Check whether the largest angle is less than 90 degrees.", "acute", "Which kind of triangle?"),
        ("Do it the same way.", "equal", "Which is heavier?"),
        ("Count on from Thursday.", "Friday", "Which day?"),
        ("From Thursday on, the next one.", "Sunday", "Which day?"),
        ("It never ends.", "Ravi", "Who won?"),
    ],
)
def test_not_told(text: str, answer: str, question: str) -> None:
    assert not defines(text, answer, question)


def test_every_pattern_can_be_read() -> None:
    for name, pattern in DEFINITIONS.items():
        assert name == name.casefold()
        re.compile(pattern)
