"""A fraction that is the answer but for reducing it, or about it: 9/12 for 3/4, "roughly 14 %" for 9/64."""

from __future__ import annotations

import re
from fractions import Fraction

from selfhint.hints.answer_forms import MAX_DIGITS

_INT = rf"\d{{1,{MAX_DIGITS}}}"
_FRACTION = re.compile(
    rf"(?<![\w./^)])(?P<sign>(?<![\w)] )-)?\s?(?P<top>{_INT})(?:\s?/\s?| : )(?P<bottom>{_INT})(?![\w/^]|\.\d)"
)
_RESULT_BEFORE = re.compile(
    r"(?:[=≈:]|->|→|(?<=t)'s|\b(?:is|are|be|gets?|gives?|giving|obtains?|finds?|yields?|equals"
    r"|arrive at|reduces to|with|answer|result"
    r"|probability))"
    r"(?:\s(?:just|exactly|simply|about|then|thus|the|a|fraction|ratio))*\s*$",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(r"\s?[-+*/^(]\s?[\w(]|\s?\)?\s?(?:times|of)\b|\s(?:the )?[a-z]+ times\b")


def names_unreduced(text: str, answer: Fraction, question: str) -> bool:
    """Whether plain writing `text` gives an unreduced fraction as a result, its value not known from the question."""
    if any(_value(found) == answer for found in _FRACTION.finditer(question)) or _names_decimal(question, answer):
        return False
    for found in _FRACTION.finditer(text):
        if _value(found) != answer or _PART_AFTER.match(text, found.end()):
            continue
        alone = not re.search(r"\w", text[: found.start()] + text[found.end() :])
        if alone or _RESULT_BEFORE.search(text, max(0, found.start() - 60), found.start()):
            return True
    return False


_ROUNDED = re.compile(
    r"(?:[≈~]|\b(?:about|roughly|approximately|around|nearly|some|circa)) ?(\d{1,9}(?:\.(\d{1,6}))?) ?(%)?(?![\w/])",
    re.IGNORECASE,
)
MIN_DIGITS = 2


def names_rounded(text: str, answer: Fraction) -> bool:
    """Whether a text says that the answer is about a decimal or percentage, of two digits or more, that rounds it."""
    for found in _ROUNDED.finditer(text):
        value = answer * 100 if found[3] else answer
        digits = found[1].replace(".", "").lstrip("0")
        if len(digits) >= MIN_DIGITS and abs(Fraction(found[1]) - value) <= Fraction(1, 2 * 10 ** len(found[2] or "")):
            return True
    return False


def _value(found: re.Match[str]) -> Fraction | None:
    bottom = int(found["bottom"])
    return Fraction(int((found["sign"] or "") + found["top"]), bottom) if bottom else None


def _names_decimal(text: str, answer: Fraction) -> bool:
    return any(Fraction(number) == answer for number in re.findall(r"(?<![\w.])\d{1,9}\.\d{1,9}(?!\d)", text))
