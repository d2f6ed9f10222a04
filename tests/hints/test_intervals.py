from __future__ import annotations

import pytest

from selfhint.hints.intervals import Interval, intervals_of, names_intervals
from selfhint.hints.plain import plain


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        ("[-2, 3)", [Interval("[", "-2", "3", ")")]),
        (r"\left(-\infty, 3\right]", [Interval("(", "-inf", "3", "]")]),
        (r"(-\infty,1)\cup(6,\infty)", [Interval("(", "-inf", "1", ")"), Interval("(", "6", "inf", ")")]),
        ("x > -8", [Interval("(", "-8", "inf", ")")]),
        (r"-8 \le x", [Interval("[", "-8", "inf", ")")]),
        ("-2 <= x < 3", [Interval("[", "-2", "3", ")")]),
        ("3 > x >= -2", [Interval("[", "-2", "3", ")")]),
        (r"x \in [0, 1]", [Interval("[", "0", "1", "]")]),
        ("x < 1 or x > 6", [Interval("(", "-inf", "1", ")"), Interval("(", "6", "inf", ")")]),
        ("[0,100]", [Interval("[", "0", "100", "]")]),
        ("(2, -3)", []),
        (r"\left(\frac{3}{2}, -13\right)", []),
        (r"(2\pi, \frac{\pi}{2})", []),
        (r"(0, \frac{\pi}{2})", [Interval("(", "0", "pi/2", ")")]),
        ("(1, 2, 3)", []),
        ("x = 3", []),
        ("24", []),
        ("", []),
    ],
)
def test_intervals_of(answer: str, pieces: list[Interval]) -> None:
    assert list(intervals_of(answer)) == pieces


@pytest.mark.parametrize(
    ("answer", "text", "named"),
    [
        ("(5, inf)", "So 5 < x.", True),
        ("(5, inf)", "x exceeds 5", True),
        ("(5, inf)", "5 < 2x", False),
        ("(5, inf)", "y + x > 5", False),
        ("(-inf, 5]", "x is no more than 5", True),
        ("(-inf, 5]", "x is less than 5", False),
        ("[1, 2]", "from 1 to 2", True),
        ("[1, 2]", "from 1 to 2.5", False),
        (r"[1, \sqrt{2})", r"1 \le t < \sqrt{2}", True),
        ("x < 1 or x > 6", "x > 6", False),
        ("x < 1 or x > 6", "Either x < 1, or x > 6.", True),
        ("x < 1 or x > 6", "to the left of 1 and to the right of 6", True),
        ("x < 1 or x > 6", "outside the closed interval [1, 6]", True),
        ("[2, 5) ∪ (5, inf)", "All x from 2 upwards, but 5 is forbidden.", True),
        ("[2, 5) ∪ (5, inf)", "x ≥ 2 and x ≠ 5", True),
        ("[2, 5) ∪ (5, inf)", "x ≥ 2 and look at 5", False),
        ("(-2, 4]", "everything between the critical places, with the 4 and without the −2", True),
        ("(-2, 4]", "The critical places are −2 and 4.", False),
        ("(-2, 4]", "Test a point between −2 and 4.", False),
        ("[1, 5)", "At x = 5 it diverges. At x = 1 it converges. In between all is fine.", True),
        ("(13, 17)", "any length over 13 cm but under 17 cm", True),
        ("(-3, 2]", "From −3 (open, no log of zero) up to 2 (closed)", True),
        ("[3.45, 3.55)", "from 3.45 up to but not including 3.55", True),
        ("(0, inf)", "Every positive c.", True),
        ("(0, inf)", "Every negative c.", False),
        ("[3, inf)", "The smallest value is 3 and there is no upper bound.", True),
        ("[3, inf)", "Three or anything larger.", True),
        ("[3, inf)", "The smallest value is 3.", False),
        ("(-2, 2)", "|x| has to be less than 2", True),
    ],
)
def test_names(answer: str, text: str, named: bool) -> None:
    names = names_intervals(answer)
    assert names is not None
    assert names(plain(text), "") == named


def test_what_the_question_writes_down_is_known() -> None:
    names = names_intervals("[1, 6]")
    assert names
    assert not names("between 1 and 6", "Let x be in [1, 6].")
    assert names("between 1 and 6", "Let f(1) = 6.")


def test_no_interval() -> None:
    assert names_intervals("24") is None
