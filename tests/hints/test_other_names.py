from __future__ import annotations

import pytest

from selfhint.hints.answer_leak import answer_leak
from selfhint.hints.other_names import named_otherwise


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("the ratio is 5 to 3", True),
        ("It is 5/3.", True),
        ("5 : 3", True),
        ("five to three", True),
        ("Go from 5 to 3.", False),
        ("3 to 5", False),
        ("It takes 15 to 3 days.", False),
        ("Divide girls by boys.", False),
    ],
)
def test_a_ratio(text: str, leaks: bool) -> None:
    assert (answer_leak(text, "5:3", "What is the ratio of girls to boys?") is not None) == leaks


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("x ≠ 4", True),
        (r"$x \ne 4$", True),
        ("x != 4", True),
        ("x cannot be 4.", True),
        ("x must not equal 4", True),
        ("All values of x except 4.", True),
        ("x is not 40", False),
        ("x cannot be 4a", False),
        ("The denominator may not vanish.", False),
    ],
)
def test_an_excluded_value(text: str, leaks: bool) -> None:
    assert (answer_leak(text, r"x \neq 4", "For which x is 1/(2x-8) defined?") is not None) == leaks


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("all real numbers", True),
        ("Every real x works.", True),
        (r"It is $\mathbb{R}$.", True),
        (r"$(-\infty, \infty)$", True),
        ("Hence all reals.", True),
        (r"Take a point of $\mathbb{R}^2$.", False),
        ("Look at all real numbers greater than 5.", False),
        ("Look for real roots.", False),
    ],
)
def test_all_reals(text: str, leaks: bool) -> None:
    assert (answer_leak(text, r"\mathbb{R}", "What is the domain?") is not None) == leaks


@pytest.mark.parametrize("gold", [r"\emptyset", r"\varnothing", "∅", "no solution"])
@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("no solution", True),
        ("There are no real solutions.", True),
        ("It is the empty set.", True),
        ("So no x works.", True),
        ("Check for solutions.", False),
        ("See what it means if there is no solution.", False),
    ],
)
def test_nothing(gold: str, text: str, leaks: bool) -> None:
    assert (answer_leak(text, gold, "Solve the equation.") is not None) == leaks


@pytest.mark.parametrize("answer", ["72", "x = 2", "3/4", "real", "no", "", "(1, 2)"])
def test_no_other_names(answer: str) -> None:
    assert named_otherwise(answer) is None
