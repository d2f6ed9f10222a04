from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.equal_value import formulas, names_equal, same_relation
from selfhint.hints.plain import plain


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("So it is $2x(x+3)$.", "2x^2+6x", "Find the area."),
        (r"the sum equals $2\cdot\binom{n+2}{3}$", r"\frac{n(n+1)(n+2)}{3}", "Find the sum."),
        ("you get x e^{3x}(3x + 2)", "(3x^2+2x)e^{3x}", "Differentiate x^2e^{3x}."),
        ("It is √3 + 2.", r"2+\sqrt{3}", r"Simplify \sqrt{7+4\sqrt{3}}."),
        ("the height is √48", r"4\sqrt{3}", "Find the height."),
        ("about 6.928", r"4\sqrt{3}", "Find the height."),
        ("four times the square root of 3", r"4\sqrt{3}", "Find the height."),
        ("the angle is 60°", r"\frac{\pi}{3}", "Find the angle."),
        ("half of n(n+1)", r"\frac{n(n+1)}{2}", "Count them."),
        ("The factors are x+1 and x-2.", "(x-2)(x+1)", "Factor x^2-x-2."),
        ("(x+1)·(x − 2)", "(x-2)(x+1)", "Factor x^2-x-2."),
        ("$xe^x-e^x$", "e^{x}(x-1)+C", "Integrate."),
        ("It is also x + 9/(x+3).", "(x^2+3x+9)/(x+3)", "Simplify (x^3-27)/(x^2-9)."),
        ("On top x^2+3x+9 remains, below x+3.", "(x^2+3x+9)/(x+3)", "Simplify (x^3-27)/(x^2-9)."),
        ("Multiply (x+1) by (x-2) as a check.", "(x-2)(x+1)", "Factor x^2-x-2."),
    ],
)
def test_equal(text: str, answer: str, question: str) -> None:
    assert names_equal(plain(text), answer_forms(answer).text, plain(question))


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("x^2-x-2 has two roots", "(x-2)(x+1)", "Factor x^2-x-2."),
        ("(x+1)(x+2)", "(x-2)(x+1)", "Factor x^2-x-2."),
        ("7 + 4√3 = (2 + √3)²", r"2+\sqrt{3}", r"Simplify \sqrt{7+4\sqrt{3}}."),
        ("4-2i-2(3+2i)", "-2-6i", "Find a-2b."),
        ("√2·√3/√6/√7", r"\frac{\sqrt{7}}{7}", r"Take \sqrt{6}/\sqrt{42} and rationalize the denominator."),
        ("Write 2x(x+3) and expand.", "2x^2+6x", "Find the area."),
        ("Do not stop at √48.", r"4\sqrt{3}", "Find the height."),
        ("h = √(64-16)", r"4\sqrt{3}", "Find the height."),
        ("it is not 4√3", r"2\sqrt{12}", "Find the height."),
        ("Divide by x-2; the quotient is x+1.", "(x-2)(x+1)", "Factor x^2-x-2."),
        ("Cancel in (x-3)(x^2+3x+9)/((x-3)(x+3)).", "(x^2+3x+9)/(x+3)", "Simplify (x^3-27)/(x^2-9)."),
        ("x(x^2-1)", "x(x-1)(x+1)", "Factor x^3-x."),
        ("The price is 3.5+1.8(d-2).", "1.8d-0.1", "Find the price."),
        ("The derivative of ln x is known.", "ln x", "Differentiate x ln x - x."),
    ],
)
def test_not_equal(text: str, answer: str, question: str) -> None:
    assert not names_equal(plain(text), answer_forms(answer).text, plain(question))


def test_formulas_end_at_words_and_relations() -> None:
    found = [(f.formula.canonical(), f.relation) for f in formulas("so x+1 = 3 and (since y > 2)")]
    assert found == [("+(1,x)", ""), ("3", "="), ("y", ""), ("2", ">")]


def test_relations() -> None:
    assert same_relation("thus 1 < a/b", "a/b > 1")
    assert same_relation("1+x^2>0 always", "x^2+1 > 0")
    assert not same_relation("a/b < 1", "a/b > 1")
    assert same_relation("y + 1 = (x - 2)^2", "y = (x-2)^2 - 1")
    assert same_relation("so 2x + y = 3", "y = -2x+3")
    assert not same_relation("2x + y = 4", "y = -2x+3")
    assert not same_relation("0 = 0", "y = -2x+3")
