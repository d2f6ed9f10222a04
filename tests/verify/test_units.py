from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.latex import tidy
from selfhint.verify.units import Quantity, quantity, read_unit


def same(gold: Quantity, answer: Quantity) -> bool:
    return gold.number.value == answer.number.value


@pytest.mark.parametrize(
    ("gold", "answer", "equal"),
    [
        ("1 km", "1000 m", True),
        ("10 m/s", r"36 \text{ km/h}", True),
        ("0.64 N", "640 mN", True),
        (r"3 \times 10^{8} \mathrm{m} / \mathrm{s}", "3e8 m s^{-1}", True),
        ("5 square meters", "5 m^2", True),
        ("2 hours", "120 min", True),
        ("1 J", "1 N m", True),
        ("1 L", "1000 cm^3", True),
        ("5 cm", "5", True),
        ("28%", "0.28", True),
        ("28%", "28", True),
        ("45°", "45 degrees", True),
        ("12 inches", "1 ft", True),
        ("5 cm", "5 m", False),
        ("5 kg", "5 m", False),
        ("28%", "0.29", False),
        ("5 m", "5 m^2", False),
        ("1 dollar", "1", True),
    ],
)
def test_quantities(gold: str, answer: str, equal: bool) -> None:
    sides = quantity(tidy(gold)), quantity(tidy(answer))
    assert sides[0] is not None
    assert sides[1] is not None
    assert sides[0].matches(sides[1], same) is equal


@pytest.mark.parametrize("text", ["x", "5 apples", "5x", r"\sqrt{2} m", "m", "5 m^{99}", "", "5 / 0 m"])
def test_no_quantity(text: str) -> None:
    assert quantity(text) is None


def test_units() -> None:
    unit = read_unit("kg m / s^2")
    assert unit is not None
    assert unit.scale == 1000
    assert unit.dimension == (("g", 1), ("m", 1), ("s", -2))
    assert unit == read_unit("newtons") == read_unit("N")
    prefixed = read_unit(r"\mu m")
    assert prefixed is not None
    assert prefixed.scale == Fraction(1, 10**6)
    assert read_unit("furlong") is None


@given(st.text(alphabet="kmgs/^2-·*per square\\{}%", max_size=30))
def test_any_text_is_a_unit_or_none(text: str) -> None:
    read_unit(text)
    quantity("5 " + text)
