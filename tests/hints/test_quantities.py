from __future__ import annotations

from fractions import Fraction

import pytest

from selfhint.hints.plain import plain
from selfhint.hints.quantities import names_in_other_unit


@pytest.mark.parametrize(
    ("text", "number", "answer", "question"),
    [
        ("It takes 2 h 30 min.", "5/2", "2.5", "How long does it take, in hours?"),
        ("two hours and thirty minutes", "5/2", "2.5 hours", "How long?"),
        ("360 minutes", "6", "6", "How many hours?"),
        ("0.06 m³", "60", "60", "What is the volume in litres?"),
        ("60,000 cubic centimetres", "60", "60", "What is the volume in litres?"),
        ("three quarters of a kilogram", "750", "750", "How many grams?"),
        ("7°30'", "15/2", "7.5", "What is the angle in degrees?"),
    ],
)
def test_other_units(text: str, number: str, answer: str, question: str) -> None:
    assert names_in_other_unit(plain(text), Fraction(number), answer, question)


@pytest.mark.parametrize(
    ("text", "number", "answer", "question"),
    [
        ("2 h 20 min", "5/2", "2.5", "How long does it take, in hours?"),
        ("6 hours", "6", "6", "How many hours?"),
        ("360 minutes", "6", "6", "It is 360 minutes. How many hours?"),
        ("360 grams", "6", "6", "How many hours?"),
        ("360 minutes", "6", "6", "How many?"),
        ("1/0 hours", "6", "6", "How many minutes?"),
    ],
)
def test_no_other_units(text: str, number: str, answer: str, question: str) -> None:
    assert not names_in_other_unit(plain(text), Fraction(number), answer, question)
