from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.number import plain_number, same_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", Fraction(12)),
        ("-0.5", Fraction(-1, 2)),
        (".5", Fraction(1, 2)),
        ("1,234.5", Fraction("1234.5")),
        ("3/4", Fraction(3, 4)),
        (r"-\frac{3}{4}", Fraction(-3, 4)),
        (r"\frac34", Fraction(3, 4)),
        (r"2\frac{1}{2}", Fraction(5, 2)),
        (r"3 \times 10^{-8}", Fraction(3, 10**8)),
        ("3*10^2", Fraction(300)),
        ("007", Fraction(7)),
    ],
)
def test_plain_numbers(text: str, value: Fraction) -> None:
    number = plain_number(text)
    assert number is not None
    assert number.value == value
    assert number.decimal is ("." in text)


@pytest.mark.parametrize(
    "text",
    ["", "x", "1,23", "1 2", "3/0", r"\frac{1}{0}", r"4\frac{10}{3}", "10^{9999}", "1" * 401, "1e5", "2^3", "--1"],
)
def test_no_plain_numbers(text: str) -> None:
    assert plain_number(text) is None


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("1/3", "0.333333", True),
        ("1/3", "0.3333", False),
        ("1/3", "2/6", True),
        ("0.066666793", "0.0666668", True),
        ("2.23", "2.232", False),
        ("0.0000001", "0.0000002", False),
        ("1000000", "1000001", False),
    ],
)
def test_same(gold: str, answer: str, same: bool) -> None:
    numbers = plain_number(gold), plain_number(answer)
    assert numbers[0] is not None
    assert numbers[1] is not None
    assert same_number(numbers[0], numbers[1]) is same


@given(st.fractions(max_denominator=10**6))
def test_a_fraction_reads_as_itself(value: Fraction) -> None:
    number = plain_number(f"{value.numerator}/{value.denominator}")
    assert number is not None
    assert number.value == value
