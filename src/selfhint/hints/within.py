"""Numbers that are only a part of something larger: an exponent, a root, one side of a fraction."""

from __future__ import annotations

import re

from selfhint.hints.formula import FUNCTION_NAMES
from selfhint.hints.number_words import fraction_words
from selfhint.hints.occurrences import Span
from selfhint.hints.stated import CHECKS_BEFORE, WINDOW

_RAISED_OR_CHOSEN = re.compile(r"[_^]\s?(?:[{(][^{}()\n]{0,30}|-?\s?)$|\\binom\s?(?:\{[^{}]{0,12}\}\s?)?\{\s?$")
_ARGUMENT = re.compile(rf"(?<![A-Za-z])(?:{FUNCTION_NAMES})\s?[(\[{{]?\s?-?\s?$")
_ABOVE = re.compile(r"\s?/\s?\d")
_BELOW = re.compile(r"\d\s?/\s?$")


def is_within(text: str, span: Span, question: str) -> bool:
    """Whether the number at `span` is a part of another value: the 3 of sqrt(3), x^3, 3/4, "three quarters"."""
    start, end = span.start, span.end
    if _RAISED_OR_CHOSEN.search(text, max(0, start - 40), start) or _ARGUMENT.search(text, max(0, start - 12), start):
        return True
    if not re.fullmatch(r"-?\d+", span.written):
        return False
    if span.in_words:
        return _counts_parts(text[start : start + 40], question)
    if CHECKS_BEFORE.search(text, max(0, start - WINDOW), start):
        return False
    return bool(_ABOVE.match(text, end) or _BELOW.search(text, max(0, start - 14), start))


def _counts_parts(text: str, question: str) -> bool:
    """Whether a text begins with a fraction in words whose parts are no things (coins) of the question."""
    for _, start, end in fraction_words(text):
        return start == 0 and text[start:end].split()[-1].rstrip("s").casefold() not in question.casefold()
    return False
