"""Arithmetic that is carried out and holds the answer as an operand: "4 * 15 = 60" where 60 and 4 are given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from selfhint.hints.number_words import with_digits
from selfhint.hints.occurrences import Span

_NUMBER = r"(-?\d{1,12}(?:\.\d{1,6})?)"
_SIGN = r"(times|multiplied by|divided by|plus|minus|[-+*/])"
_EQUALS = r"(?:=|is|equals|gives|makes|are)"
_NOT_PART = r"(?<![\w.)*/^+-])(?<![*/^+-] )"
_NO_MORE = r"(?![\w^]|\.\d|\s?[-+*/^(]\s?[\w(])"
_RESULT_LAST = re.compile(rf"{_NOT_PART}{_NUMBER}\s?{_SIGN}\s?{_NUMBER}\s?{_EQUALS}\s?{_NUMBER}{_NO_MORE}")
_RESULT_FIRST = re.compile(rf"{_NOT_PART}{_NUMBER}\s?{_EQUALS}\s?{_NUMBER}\s?{_SIGN}\s?{_NUMBER}{_NO_MORE}")
_KNOWN = re.compile(r"(?<![\w.])\d{1,12}(?:\.\d{1,6})?(?!\w)")
WINDOW = 60


def carries_out(text: str, span: Span, question: str) -> bool:
    """Whether the number at `span` is an operand of arithmetic whose other two numbers the question gives."""
    near = with_digits(text[max(0, span.start - WINDOW) : span.end + WINDOW])
    wanted = _value(span.written)
    found = [numbers for numbers in _equations(near) if wanted in numbers[:2]]
    if not found:
        return False
    known = {Fraction(number) for number in _KNOWN.findall(with_digits(question))}
    return wanted not in known and any({*numbers} - {wanted} <= known for numbers in found)


def _value(written: str) -> Fraction | None:
    return Fraction(written) if re.fullmatch(r"-?\d{1,12}(?:\.\d{1,6})?", written) else None


def _equations(text: str) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """The operands and the result of the equations between numbers that hold."""
    parts = [(found[1], found[2], found[3], found[4]) for found in _RESULT_LAST.finditer(text)]
    parts += [(found[2], found[3], found[4], found[1]) for found in _RESULT_FIRST.finditer(text)]
    for one, sign, other, result in parts:
        left, right, value = Fraction(one), Fraction(other), Fraction(result)
        if _holds(left, sign, right, value):
            yield left, right, value


def _holds(one: Fraction, sign: str, other: Fraction, result: Fraction) -> bool:
    if sign in ("*", "times", "multiplied by"):
        return one * other == result
    if sign in ("/", "divided by"):
        return one == other * result and other != 0
    return (one + other if sign in ("+", "plus") else one - other) == result
