from __future__ import annotations

import pytest

from selfhint.hints.formula import values
from selfhint.hints.formula_reader import read_formula


@pytest.mark.parametrize("text", ["1/0", "x/(x-x)", "9^9^9^9", "ln(0)", "(-5)!"])
def test_no_value(text: str) -> None:
    formula = read_formula(text)
    assert formula
    assert values(formula) is None


def test_order_does_not_change_the_canonical_form() -> None:
    one, other, third = (read_formula(text) for text in ("3(x+2)(y-1)", "(y-1)*3*(2+x)", "3(x+2)(y+1)"))
    assert one
    assert other
    assert third
    assert one.canonical() == other.canonical() != third.canonical()


def test_factors_and_work_left() -> None:
    product, done = read_formula("2(x+1)(x-1)"), read_formula("1 - sqrt(5)")
    assert product
    assert done
    assert product.factors()[0].canonical() == "2"
    assert len(product.factors()) == 3
    assert not done.unfinished()
    left = read_formula("sqrt(9+8)")
    assert left
    assert left.unfinished()


@pytest.mark.parametrize("text", ["10x - x", "3.5 + 1.8(d-2)", "5 + 3(n-1)", "n(4+6n-2)/2", "2*x*3"])
def test_like_terms_and_numbers_are_left(text: str) -> None:
    formula = read_formula(text)
    assert formula
    assert formula.unfinished()


@pytest.mark.parametrize("text", ["x^2+x", "1.8d - 0.1", "2(x-1)(x+1)", "1+2b-a", "x+9/(x+3)"])
def test_nothing_is_left(text: str) -> None:
    formula = read_formula(text)
    assert formula
    assert not formula.unfinished()


def test_size_and_fraction_line() -> None:
    formula = read_formula("2(x^2+3)/(x+3)")
    assert formula
    assert formula.size() == 6
    above, below = formula.above_and_below()
    assert below
    assert (above.canonical(), below.canonical()) == ("*(+(3,^(x,2)),2)", "+(3,x)")
    plain_sum = read_formula("x+1")
    assert plain_sum
    assert plain_sum.above_and_below() == (plain_sum, None)
