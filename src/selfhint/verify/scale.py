r"""Numbers with a word for their size: `2 million`, `\frac{1}{2} \text{ million}`, `3 dozen`."""

from __future__ import annotations

import re

from selfhint.verify.number import plain_number

SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALED = re.compile(
    r"(?<![\w.,/}\\^])(?P<number>(?:\d{1,9}\s?)?\\frac\s?\{\d{1,40}\}\s?\{\d{1,40}\}|\d{1,9}\s\d{1,9}/\d{1,9}"
    r"|\d[\d,]*+(?:\.\d++)?(?:/\d{1,40})?)(?:\s|~|\\[,:; ]){0,4}(?P<open>\\(?:text|mathrm|mbox)\s?\{\s?)?"
    rf"(?P<word>{'|'.join(SCALES)})s?(?![a-zA-Z])(?P<close>\s?\}})?",
    re.IGNORECASE,
)


def scaled(text: str) -> str:
    """The text with such numbers written out; what else the word's braces hold stays in them."""
    return _SCALED.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    whole, blank, fraction = match["number"].partition(" ")
    over = fraction.split("/")
    mixed = rf"{whole}\frac{{{over[0]}}}{{{over[1]}}}" if blank and len(over) == 2 else match["number"]
    number = plain_number(mixed)
    if number is None:
        return match[0]
    value = number.value * SCALES[match["word"].lower()]
    text = str(value.numerator) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    if match["open"] and match["close"]:
        return text
    return text + (match["open"] or "").rstrip() + (match["close"] or "")
