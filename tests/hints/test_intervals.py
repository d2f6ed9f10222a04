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
    ],
)
def test_names(answer: str, text: str, named: bool) -> None:
    names = names_intervals(answer)
    assert names is not None
    assert names(plain(text)) == named


def test_no_interval() -> None:
    assert names_intervals("24") is None
