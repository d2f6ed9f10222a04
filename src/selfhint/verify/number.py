r"""Plain numbers, read without sympy: 12, -0.5, 1,234.5, 3/4, \frac{3}{4}, 2\frac{1}{2}, 3 \times 10^{8}."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

MAX_DIGITS = 400
"""Longer numbers are no plain ones: Python refuses to read numbers beyond 4,300 digits."""
MAX_EXPONENT = 400
RELATIVE = Fraction(1, 10**4)
"""How far a decimal may be off, at most, and be called the same number once both agree to six places."""

_NUMBER = re.compile(
    r"\s*(?P<sign>[-+]?)\s*(?:"
    r"(?P<group>\d{1,3}(?:,\d{3})+(?:\.\d+)?)|"
    r"(?P<decimal>\d+(?:\.\d*)?|\.\d+)|"
    r"(?P<whole>\d+)?\s*\\frac\s*(?:\{\s*(?P<n>-?\d+)\s*\}\s*\{\s*(?P<d>\d+)\s*\}|(?P<n1>\d)\s*(?P<d1>\d)))"
    r"(?:\s*/\s*(?P<over>\d+))?"
    r"(?:\s*(?:\\times|\\cdot|\*|x)\s*10\s*\^\s*(?:\{\s*(?P<e>[-+]?\d{1,4})\s*\}|(?P<e1>\d)))?\s*"
)


class Number(NamedTuple):
    """A number, and whether it is written as a decimal, which may be a rounded one."""

    value: Fraction
    decimal: bool


def plain_number(text: str) -> Number | None:
    """The number that a tidy text is; None where it is none, or too long to be worth it."""
    if len(text) > MAX_DIGITS or (match := _NUMBER.fullmatch(text)) is None:
        return None
    part = match.groupdict()
    numerator, denominator = part["n"] or part["n1"], part["d"] or part["d1"]
    if numerator is None:
        value = Fraction((part["group"] or part["decimal"]).replace(",", ""))
    elif int(denominator) == 0 or (part["whole"] and not 0 <= int(numerator) < int(denominator)):
        return None
    else:
        value = Fraction(int(part["whole"] or 0)) + Fraction(int(numerator), int(denominator))
    if part["over"] is not None:
        if int(part["over"]) == 0:
            return None
        value /= int(part["over"])
    exponent = part["e"] or part["e1"]
    if exponent is not None:
        if abs(int(exponent)) > MAX_EXPONENT:
            return None
        value *= Fraction(10) ** int(exponent)
    decimal = "." in text
    return Number(-value if part["sign"] == "-" else value, decimal)


def same_number(gold: Number, answer: Number) -> bool:
    """Equal, or, with a decimal among them, equal to six places and not far apart relative to their size."""
    if gold.value == answer.value:
        return True
    if not (gold.decimal or answer.decimal):
        return False
    return round(gold.value, 6) == round(answer.value, 6) and close(gold.value, answer.value)


def close(a: float | Fraction, b: float | Fraction) -> bool:
    """Within `RELATIVE` of the larger one."""
    return abs(Fraction(a) - Fraction(b)) <= RELATIVE * max(abs(Fraction(a)), abs(Fraction(b)))
