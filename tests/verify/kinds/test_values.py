from __future__ import annotations

import pytest

from selfhint.core.group import Verdict
from selfhint.verify.judges.values import judge
from selfhint.verify.kinds.values import ValuesKind


def reason(gold: object, prediction: str, ordered: bool = False) -> str:
    asked = ValuesKind(ordered).quick(gold, prediction)
    return asked.reason if isinstance(asked, Verdict) else str(judge(asked)["reason"])


@pytest.mark.parametrize(
    ("gold", "prediction", "any_order", "in_order"),
    [
        ([1, 2, 3], r"\boxed{1, 2, 3}", "match", "match"),
        ([1, 2, 3], r"\boxed{3, 2, 1}", "match", "mismatch"),
        ([1, 2, 3], r"\boxed{1, 2}", "mismatch", "mismatch"),
        ([1, 1], r"\boxed{1, 2}", "mismatch", "mismatch"),
        ('["1", "1/2"]', r"\boxed{1} and \boxed{0.5}", "match", "match"),
        ("1, 2 and 3", "The values are 1, 2, 3", "match", "match"),
        ("x = 1, y = 2", r"\boxed{(1, 2)}", "match", "match"),
        (r"\sqrt{2}, -\sqrt{2}", r"\boxed{\pm\sqrt{2}}", "match", "match"),
        (["(1, 2)", "(3, 4)"], r"\boxed{(3, 4), (1, 2)}", "match", "mismatch"),
        (["red", "blue"], "Red, blue", "match", "match"),
        ([], "1", "gold unreadable", "gold unreadable"),
        (None, "1", "gold unreadable", "gold unreadable"),
        ([""], "1", "gold unreadable", "gold unreadable"),
        ([1] * 65, "1", "gold unreadable", "gold unreadable"),
        ([1, 2], "", "mismatch", "mismatch"),
    ],
)
def test_verdict(gold: object, prediction: str, any_order: str, in_order: str) -> None:
    assert reason(gold, prediction) == any_order
    assert reason(gold, prediction, ordered=True) == in_order


def test_canary() -> None:
    for request, expected in ValuesKind().canary():
        assert judge(request)["reason"] == expected


@pytest.mark.parametrize(
    "prediction",
    [
        *("So we get 3 and 5.", "Therefore 3 and 5", "Thus x equals 3 or 5.", "So x = 3 and x = 5."),
        *("The two roots are 3 and 5, respectively.", "**Answer:** 3 and 5", r"So $x \in \{3, 5\}$."),
        *(r"\boxed{x \in \{3, 5\}}", r"\boxed{x \in {3, 5}}"),
        *("x = 3\nx = 5", "Hence $x = 3$\n$x = 5$", "- 3\n- 5", "We find:\n\n1. x = 3\n\n2. x = 5", "Low: 3\nHigh: 5"),
    ],
)
def test_lists_without_a_box(prediction: str) -> None:
    assert reason("3, 5", prediction) == reason([3, 5], prediction, ordered=True) == "match"
    for wrong in ("3", "3, 6", "3, 5, 7", "-3, -5"):
        assert reason(wrong, prediction) == "mismatch"


@pytest.mark.parametrize(
    ("gold", "prediction", "expected"),
    [
        ("5", "y = 3 + 2\ny = 5", "match"),
        ("3, 5", "a = 2\nx = 3\nx = 5", "mismatch"),
        ("3, 5", "x = 3\n5", "mismatch"),
        ("3, 5", "x = 3\nso we are done\nx = 5", "mismatch"),
        ("-3, -5", "-3\n-5", "mismatch"),
    ],
)
def test_last_lines(gold: str, prediction: str, expected: str) -> None:
    assert reason(gold, prediction) == expected
