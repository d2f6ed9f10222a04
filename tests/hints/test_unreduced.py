from __future__ import annotations

from fractions import Fraction

import pytest

from selfhint.hints.plain import plain
from selfhint.hints.unreduced import names_rounded, names_unreduced


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (r"this is $\frac{1/3}{4/9}=\frac{9}{12}$", True),
        ("6/8", True),
        ("it is 6/8", True),
        ("it is -6/8", False),
        ("it is 6/9", False),
        ("6/8 can be reduced", False),
        ("it is 6/8 of the rest", False),
        ("it is 6/0", False),
    ],
)
def test_unreduced(text: str, given: bool) -> None:
    assert names_unreduced(plain(text), Fraction(3, 4), "Find the chance.") == given


def test_a_value_of_the_question_is_none() -> None:
    assert not names_unreduced("it is 75/100", Fraction(3, 4), "Write 0.75 as a fraction.")
    assert not names_unreduced("it is 9/12", Fraction(3, 4), "Reduce 6/8.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("roughly 14 %", True),
        ("about 0.141", True),
        ("≈ 0.14", True),
        ("about 15 %", False),
        ("about 0.1", False),
        ("0.14", False),
        ("about 14", False),
    ],
)
def test_rounded(text: str, told: bool) -> None:
    assert names_rounded(text, Fraction(9, 64)) == told
