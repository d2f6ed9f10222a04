from __future__ import annotations

from typing import Any

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.judges.numeric import judge
from selfhint.verify.kinds.numeric import NumericKind


def reason(gold: object, prediction: str, **options: Any) -> str:
    asked = NumericKind(**options).quick(gold, prediction)
    return asked.reason if isinstance(asked, Verdict) else str(judge(asked)["reason"])


@pytest.mark.parametrize(
    ("gold", "prediction", "expected"),
    [
        ("42", r"\boxed{42.001}", "match"),
        ("42", r"\boxed{43}", "mismatch"),
        (42.0, "so x = 42", "match"),
        ("0.64 N", r"\boxed{640 \text{ mN}}", "match"),
        ("10 m/s", "It runs at 36 km/h.", "match"),
        ("5 kg", r"\boxed{5 m}", "mismatch"),
        ("3e8 m/s", r"\boxed{3.00 \times 10^{8}\ \mathrm{m/s}}", "match"),
        ("1e-34", "6e-35", "mismatch"),
        ("28%", r"\boxed{0.28}", "match"),
        ("1,234.5", "It costs $1,234.50 in total.", "match"),
        (r"\frac{\pi}{2}", r"\boxed{1.5708}", "match"),
        (r"2\sqrt{3}", r"\boxed{x = 3.4641}", "match"),
        ("100", "10^2", "match"),
        ("5 m/s", r"\boxed{\sqrt{25}}", "match"),
        ("5 m/s", r"\boxed{\sqrt{3}}", "mismatch"),
        ("20%", r"\boxed{\text{unknown}}", "no answer found"),
        ("5 m", r"\boxed{\sqrt{25}\text{ m}}", "match"),
        ("5 m", r"\boxed{\sqrt{25}\text{ cm}}", "mismatch"),
        ("5 m", r"\boxed{100\sqrt{25}\text{ cm}}", "match"),
        ("5 m", r"\boxed{\sqrt{25} cm}", "mismatch"),
        ("5 m", r"\boxed{\sqrt{25}\text{ kg}}", "mismatch"),
        ("5 m", r"\boxed{\sqrt{25}\text{ parsnips}}", "no answer found"),
        ("20%", r"\boxed{\frac{\sqrt{4}}{10}}", "match"),
        ("5", r"\boxed{\sqrt{25}\text{ cm}}", "match"),
        ("7", r"\boxed{2^{2^{2^{49}}}}", "no answer found"),
        ("12", "I do not know", "no answer found"),
        ("12", "", "no answer found"),
        ("ab", "12", "gold unreadable"),
        (None, "12", "gold unreadable"),
        ("1+" * 1000, "12", "gold unreadable"),
    ],
)
def test_verdict(gold: object, prediction: str, expected: str) -> None:
    assert reason(gold, prediction) == expected


def test_tolerances() -> None:
    assert reason("100", "101") == "mismatch"
    assert reason("100", "101", tolerance=0.01) == "match"
    assert reason("100", "101.01", tolerance=0.01) == "mismatch"
    assert reason("0", "0.001") == "mismatch"
    assert reason("0", "0.001", absolute=0.001) == "match"
    assert reason("0", "0.001", tolerance=0.5) == "mismatch"
    assert reason("5", "5", tolerance=0) == "match"


@pytest.mark.parametrize("option", ["tolerance", "absolute"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_tolerance_out_of_range(option: str, value: float) -> None:
    with pytest.raises(InputError, match=rf"set verifier\.{option}"):
        NumericKind(**{option: value})


def test_canary() -> None:
    for request, expected in NumericKind().canary():
        assert judge(request)["reason"] == expected
