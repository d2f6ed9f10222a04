"""Numbers with a word for their size behind them: 2 million, 1.5 thousand, 2k."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from selfhint.hints.unit_signs import CURRENCY

_SCALES = {"hundred": 2, "thousand": 3, "k": 3, "million": 6, "billion": 9, "trillion": 12}
_NUMBER = r"(\d{1,6}(?:\.\d{1,6})?)"
_WORDS = r"(hundred|thousand|million|billion|trillion)(?![A-Za-z])"
_IN_TEXT = re.compile(rf"(?<![\w.^]){_NUMBER}(?:[ -]?{_WORDS}|(k)(?![\w^])(?!\s?[-+*/=<>(]))", re.IGNORECASE)
_WHOLE = re.compile(rf"{CURRENCY}?\s?(-?)\s?{CURRENCY}?{_NUMBER}[ -]?{_WORDS}(?:\s[A-Za-z ./]*)?", re.IGNORECASE)
_FORMULA_BEFORE = re.compile(r"(?:[-+*/^(<>]|(?<!\w)[A-Za-z]\s?=)\s?$")
_VARIABLE = re.compile(r"(?<!\w)k(?!\w)")


def scaled_numbers(text: str) -> Iterator[tuple[str, int, int]]:
    """The digits that each scaled number of a text stands for, its start and its end.

    Not 2k where it is, or may be, two times a variable k.
    """
    has_variable = _VARIABLE.search(text) is not None
    for found in _IN_TEXT.finditer(text):
        start, end = found.span()
        if found[3] and (has_variable or _FORMULA_BEFORE.search(text, max(0, start - 5), start)):
            continue
        yield _digits(found[1], found[2] or found[3]), start, end


def scaled_answer(text: str) -> str | None:
    """The signed digits of an answer that is a scaled number, with a unit or without; else None."""
    found = _WHOLE.fullmatch(text)
    return found[1] + _digits(found[2], found[3]) if found else None


def _digits(number: str, scale: str) -> str:
    digits = f"{Decimal(number).scaleb(_SCALES[scale.lower()]):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
