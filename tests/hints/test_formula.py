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
