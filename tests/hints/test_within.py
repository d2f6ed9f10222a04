from __future__ import annotations

import pytest

from selfhint.hints.answer_leak import answer_leak


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Find $f^{-1}(x)$ first.", "-1"),
        ("Multiply by $A^{-1}$ from the left.", "-1"),
        ("Write the root as $x^{1/2}$.", r"\frac{1}{2}"),
        (r"Use $x^{\frac{1}{2}}$ here.", "1/2"),
        (r"Recall $\sum_{k=6}^{n} k$.", "6"),
        (r"The height holds $\sqrt{6}$.", "6"),
        (r"It is $\frac{\sqrt{7}}{6}$ of the side.", "7"),
        (r"Look at $\binom{n}{4}$.", "4"),
        ("Take log 16 of both.", "16"),
        ("The slope is 12/5.", "12"),
        (r"The slope is $\frac{12}{5}$.", "5"),
        ("This is the form 0/0.", "0"),
        ("Take three quarters of it.", "3"),
        ("The area is 1/2 base times height.", "1/2"),
        (r"The area is $\frac{1}{2} \cdot b \cdot h$.", "1/2"),
    ],
)
def test_a_part_of_something_else(text: str, answer: str) -> None:
    assert answer_leak(text, answer, "What is the value?") is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is -1.", "-1"),
        ("x^2 = 1/2", "1/2"),
        (r"$\sqrt{36} = 6$", "6"),
        ("24/2 = 12", "12"),
        ("Check: 36/12 = 3.", "36"),
        ("It is three.", "3"),
        ("It is three quarters.", "3/4"),
        ("The area is 1/2.", "1/2"),
        ("log 16 makes 12", "12"),
    ],
)
def test_a_value_of_its_own(text: str, answer: str) -> None:
    assert answer_leak(text, answer, "What is the value?")


def test_quarters_that_are_coins() -> None:
    assert answer_leak("She has three quarters.", "3", "How many quarters has she?")
