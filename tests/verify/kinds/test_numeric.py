from __future__ import annotations

from typing import Any

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.judges.numeric import judge
from selfhint.verify.kinds.numeric import _NUMBER, NumericKind


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


@pytest.mark.parametrize(
    ("prediction", "right", "wrong"),
    [
        # exponents, fractions, powers, signs
        ("The area is 12 cm^2.", ["12", "12 cm^2"], ["2", "12 m^2", "12 cm"]),
        (r"The area is 12 \text{ cm}^2.", ["12", "12 cm^2"], ["2", "12 m^2", "12 cm"]),
        ("The area is 12 cm$^2$.", ["12", "12 cm^2"], ["2", "12 m^2"]),
        ("It moves at 5 m s^{-1} there.", ["5 m/s"], ["-1", "1"]),
        (r"The answer is $\frac{3}{4}$.", ["0.75"], ["3", "4", "-0.75"]),
        (r"He has $-\tfrac12$ of it left.", ["-0.5"], ["0.5", "2", "12"]),
        (r"He has $2\frac{1}{2}$ m of it left.", ["2.5", "2.5 m"], ["0.5", "2", "2.5 cm"]),
        ("The answer is 3 1/2.", ["3.5"], ["0.5", "2", "3"]),
        ("We find 3 1/2 m for it.", ["3.5", "3.5 m"], ["0.5", "3.5 cm"]),
        ("The answer is 10^3.", ["1000"], ["3", "10"]),
        ("It flew 10^3 km then.", ["1000 km"], ["3", "1000 m"]),
        (r"The answer is $10^{-3}$.", ["0.001"], ["-3", "3", "1000"]),
        ("The answer is - 5.", ["-5"], ["5"]),
        ("Then x = - 5 m for us", ["-5"], ["5"]),
        ("Then 10 - 5 for us", ["5"], ["-5"]),
        ("Take (x) - 5 for it", ["5"], ["-5"]),
        ("The points are:\n- 5", ["5"], ["-5"]),
        # parts of formulas are no answers
        (r"The answer is $\frac{\sqrt{3}}{2}$.", ["0.8660254"], ["2", "3"]),
        (r"He has $\frac{\sqrt{3}}{2}$ of it left.", [], ["2", "3"]),
        (r"He has $2\sqrt{3}$ of it left.", [], ["2", "3"]),
        (r"He has $\frac{1}{x}$ of it left.", [], ["1"]),
        ("He has 2^n of it left.", [], ["2"]),
        ("He has 2 pi of it left.", [], ["2"]),
        ("The point is (3, 5).", [], ["3", "5"]),
        # equations
        ("48 + 24 = 72", ["72"], ["24", "48"]),
        ("So 48 + 24 = 72.", ["72"], ["24", "48"]),
        (r"\boxed{48+24=72}", ["72"], ["24", "48"]),
        (r"\boxed{x = 48 + 24 = 72}", ["72"], ["24", "48"]),
        (r"\boxed{v = d/t = 5 \text{ m/s}}", ["5 m/s"], ["5 km"]),
        (r"\boxed{72 = 48 + 24}", ["72"], ["24", "48"]),
        (r"\boxed{2x = 10}", [], ["10", "2"]),
        (r"\boxed{2\alpha = 10}", [], ["10"]),
        ("So 5 + 3 = 8, 8 * 2 = 16.", ["16"], ["8", "2"]),
        ("15 + 5\n20 + 0\n20", ["20"], ["15", "0"]),
        # words, sizes, money
        (r"\boxed{\text{72 apples}}", ["72"], ["73"]),
        (r"\boxed{\text{72 dollars}}", ["72", "72 dollars"], ["72 cents"]),
        (r"\boxed{\text{72 people}}", ["72"], ["73"]),
        (r"\boxed{\text{5 less than ten}}", [], ["5", "10"]),
        (r"\boxed{\text{3 fifths}}", [], ["3"]),
        (r"\boxed{5 feet 3 inches}", [], ["5", "3"]),
        (r"\boxed{2\text{ million}}", ["2000000"], ["2"]),
        ("They made 2 million dollars that year.", ["2000000", "2000000 dollars"], ["2", "2 dollars"]),
        (r"\boxed{\$50}", ["50", "50 dollars", "5000 cents"], ["50 cents"]),
        ("It costs $0.50 in total.", ["0.50", "50 cents"], ["50"]),
        ("It costs $50$ cents in total.", ["50", "50 cents"], ["50 dollars"]),
        ("The balance comes to -$5 then.", ["-5"], ["5"]),
        ("50 cents", [r"\$0.50"], [r"\$50"]),
    ],
)
def test_where_the_number_is(prediction: str, right: list[str], wrong: list[str]) -> None:
    assert [gold for gold in right if reason(gold, prediction) != "match"] == []
    assert [gold for gold in wrong if reason(gold, prediction) not in ("mismatch", "no answer found")] == []


@pytest.mark.parametrize("piece", ["^{", "5 x 10", "1,", "1 1/", r"\frac{1}{", r"\sqrt{", "5 ", "}{1"])
def test_the_search_for_numbers_ends(piece: str) -> None:
    """Each of these would take minutes in quadratic time."""
    assert list(_NUMBER.finditer(piece * 50_000)) or "1" not in piece
