from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.formula import same_values, values
from selfhint.hints.formula_reader import MAX_CHARACTERS, read_formula


def equal(one: str, other: str) -> bool:
    first, second = read_formula(one), read_formula(other)
    assert first
    assert second
    found, wanted = values(first), values(second)
    assert found
    assert wanted
    return same_values(found, wanted)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(x+1)(x-2)", "x^2 - x - 2"),
        ("2sqrt(3)", "sqrt(12)"),
        (r"\frac{\frac{1}{2}}{x}", "1/(2x)"),
        (r"\frac{x}2", "x/2"),
        ("1/2 x", "x/2"),
        ("-x^2", "-(x^2)"),
        ("2^-1", "1/2"),
        ("sin^2 x + cos^2 x", "1"),
        ("sin 2x", "2 sin(x) cos(x)"),
        ("ln|x|", "ln(x)"),
        ("e^{2x}", "(e^x)^2"),
        (r"\binom{n}{2}", "n(n-1)/2"),
        ("(n+1)!", "(n+1) n!"),
        ("(1+i)^2", "2i"),
        ("2[x+{y}]", "2x+2y"),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("x^2", "x"), ("x+y", "xy"), ("a/b", "b/a"), ("sqrt(2)", "1.414"), ("1/2x", "1/(2x)")]
)
def test_different(one: str, other: str) -> None:
    assert not equal(one, other)


@pytest.mark.parametrize("text", ["", "x+", "(x", "x)", "*x", "x = 2", "word?", "2..3", "1" * 40, "x" * 300, "(" * 90])
def test_no_formula(text: str) -> None:
    assert read_formula(text) is None


SIGNS = st.sampled_from(
    ["x", "2", "(", ")", "+", "-", "*", "/", "^", "!", "sqrt", "sin", r"\frac", "{", "}", "|", " ", "."]
)


@settings(deadline=None)
@given(st.lists(SIGNS, max_size=MAX_CHARACTERS).map("".join) | st.text())
def test_never_raises(text: str) -> None:
    formula = read_formula(text)
    if formula:
        values(formula)
        formula.canonical()
        formula.unfinished()
        formula.letters()
