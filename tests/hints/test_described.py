from __future__ import annotations

from fractions import Fraction

import pytest

from selfhint.hints.described import describes_fraction, describes_parts, makes_negative, names_ordinal
from selfhint.hints.plain import plain


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The numerator is 13 and the denominator is 55.", True),
        ("The denominator is 55, the numerator thirteen.", True),
        ("There are 26 good pairs out of a total of 110.", True),
        ("20 + 6 = 26 pairs; there are 110 in all. Divide.", True),
        ("divide 13 by 55", True),
        ("thirteen over fifty-five", True),
        ("13 pairs are good. 55 marbles are heavy.", False),
        ("The denominator is 55.", False),
        ("55 out of 13", False),
        ("13 of 55", True),
        ("13 out of 0", False),
    ],
)
def test_fraction(text: str, given: bool) -> None:
    assert describes_fraction(plain(text), Fraction(13, 55), "A bag has 11 balls.") == given


def test_numbers_of_the_question_describe_nothing() -> None:
    assert not describes_fraction("Divide 5 by 20.", Fraction(1, 4), "What part of 20 is 5?")


@pytest.mark.parametrize(
    ("text", "answer", "given"),
    [
        ("Real part three, imaginary part minus four.", "3-4i", True),
        ("The real part is 3.", "3-4i", False),
        ("one finds a = 2 and b = 1", "2+sqrt(3)", True),
        ("a = 1 and b = 2", "2+sqrt(3)", False),
        ("Slope 2, y-intercept −7.", "2x-7", True),
        ("m = -3/2, so b = 5", "-3/2x+5", True),
        ("The slope is 2.", "2x-7", False),
    ],
)
def test_parts(text: str, answer: str, given: bool) -> None:
    assert describes_parts(plain(text), answer, "Find it.") == given


def test_sign() -> None:
    assert makes_negative("you just need to put a minus sign in front of it")
    assert makes_negative("its size is 8 and it's negative")
    assert not makes_negative("subtract 8")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It gets out on the eighth day.", True),
        ("the 8th day", True),
        ("the eighth of them", False),
        ("the 18th day", False),
        ("8 days", False),
    ],
)
def test_the_place_that_is_asked_for(text: str, told: bool) -> None:
    assert names_ordinal(text, 8, "On which day does it get out?") == told
    assert not names_ordinal(text, 8, "How long does it take?")
    assert not names_ordinal(text, 8, "Compare the 7th and the 8th day, the eighth day. Which day is it?")
