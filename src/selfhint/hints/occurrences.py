"""Where a text contains an answer, in any of its forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from selfhint.hints.answer_forms import NUMBER, AnswerForms, tidy
from selfhint.hints.number_words import fraction_words, number_words
from selfhint.hints.scaled import scaled_numbers


class Span(NamedTuple):
    """Where an answer stands in a text.

    Args:
        start: its first character.
        end: the one behind its last.
        written: the form that stands there; the same for 1520 and 1,520, another for 3/4 and 0.75.
        in_words: whether in English number words.
    """

    start: int
    end: int
    written: str
    in_words: bool = False


_NUMBER_IN_TEXT = re.compile(rf"(?<![A-Za-z0-9_^])(?<![0-9]\.)(?<![_^]\{{)(?:{NUMBER})(?![\d^]|\.\d)")
_SPACED_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:[ '.]\d{3})+(?!\w)")
_FRACTION_IN_TEXT = re.compile(r"(?<![\w./^])(\d+)\s?/\s?(\d+)(?![\w/^]|\.\d)")
_MIXED_IN_TEXT = re.compile(r"(?<![\w./^])(\d{1,9}) (\d{1,9})/(\d{1,9})(?![\w/^]|\.\d)")
_WHOLE_BEFORE = re.compile(r"(?<![\w./])\d{1,9} $")
_GLUED = re.compile(r"(?:[A-Za-z](?![A-Za-z])|(?:st|nd|rd|th|pi|sqrt)(?![A-Za-z]))")
"""A variable or an ordinal's ending straight behind a number makes it another thing: 4x, 4th; a unit does not: 4km."""


def occurrences(text: str, forms: AnswerForms) -> Iterator[Span]:
    """Where plain writing `text` contains the answer, not as a part of a longer number or word."""
    if forms.numbers or forms.percents:
        yield from _number_spans(text, forms)
    if forms.fractions:
        yield from _fraction_spans(text, forms)
    if forms.expression:
        for match in forms.expression.finditer(text):
            if forms.is_word or not _is_part(text, match.start(), match.end()):
                yield Span(match.start(), match.end(), "expression")


def _number_spans(text: str, forms: AnswerForms) -> Iterator[Span]:
    for match in _NUMBER_IN_TEXT.finditer(text):
        sign, start = _sign(text, match.start())
        number = sign + tidy(match.group())
        is_percent = text[match.end() : match.end() + 2].lstrip().startswith("%")
        counts = (is_percent and number in forms.percents) or (number in forms.numbers)
        if counts and not _GLUED.match(text, match.end()):
            yield Span(start, match.end(), number + "%" * is_percent)
    for digits, first, end in scaled_numbers(text):
        sign, start = _sign(text, first)
        if sign + digits in forms.numbers:
            yield Span(start, end, sign + digits)
    integer = forms.integer
    if integer is None:
        return
    if abs(integer) >= 1000:
        for match in _SPACED_NUMBER.finditer(text):
            sign, start = _sign(text, match.start())
            if sign + re.sub(r"\D", "", match.group()) == str(integer):
                yield Span(start, match.end(), str(integer))
    for value, start, end in number_words(text):
        minus = _minus_word(text, start)
        if value == abs(integer) and bool(minus) == (integer < 0):
            yield Span(start - minus, end, str(integer), in_words=True)


def _fraction_spans(text: str, forms: AnswerForms) -> Iterator[Span]:
    for match in _FRACTION_IN_TEXT.finditer(text):
        sign, start = _sign(text, match.start())
        mixed = _WHOLE_BEFORE.search(text, max(0, match.start() - 12), match.start())
        if (sign + match[1], match[2]) in forms.fractions and not mixed:
            yield Span(start, match.end(), f"{sign}{match[1]}/{match[2]}")
    for match in _MIXED_IN_TEXT.finditer(text):
        sign, start = _sign(text, match.start())
        whole, top, bottom = map(int, match.groups())
        if (f"{sign}{whole * bottom + top}", match[3]) in forms.fractions:
            yield Span(start, match.end(), match.group())
    for (top, bottom), start, end in fraction_words(text):
        minus = _minus_word(text, start)
        sign = "-" if minus else ""
        if (f"{sign}{top}", str(bottom)) in forms.fractions:
            yield Span(start - minus, end, f"{sign}{top}/{bottom}", in_words=True)


_LEFT_OF_MINUS = re.compile(r"(?:[0-9)}\]%°]\s*|(?<!')\b[A-Za-z]\s*|[A-Za-z])$")
_MINUS_WORD = re.compile(r"(?:^|[^\w\s)]\s*|\b(?:[a-z]{2,})\s)(?:minus|negative)\s$|\bnegative\s$", re.IGNORECASE)
_MINUS_OF_NUMBER = re.compile(
    r"(?:^|[^\w\s)]\s*|\b(?:is|are|be|equals?|becomes?|gets?|gives?|leaves?|makes?|to|as|by|of|from|than|and|or|with|at|so"
    r"|exactly|just|only|then|thus|have|value|answer|result|number|yields?|finds?|take|choose|for)\s)minus\s$"
    r"|\bnegative\s$",
    re.IGNORECASE,
)
"""A minus in words that belongs to the digits behind it; behind a noun it subtracts: "the width minus 5"."""


def _sign(text: str, start: int) -> tuple[str, int]:
    """A minus in front of a number, also as a word, and where it starts, unless it subtracts."""
    before = text[max(0, start - 8) : start].removesuffix(" ")
    if before.endswith("-") and not _LEFT_OF_MINUS.search(before[:-1]):
        return "-", start - 1 - (text[start - 1] == " ")
    minus = _minus_word(text, start, _MINUS_OF_NUMBER)
    return ("-", start - minus) if minus else ("", start)


def _minus_word(text: str, start: int, pattern: re.Pattern[str] = _MINUS_WORD) -> int:
    """The length of "minus " or "negative " in front of a number; 0 where it subtracts or is not there."""
    before = text[max(0, start - 24) : start]
    if not pattern.search(before):
        return 0
    words = before.split()
    subtracts = len(words) > 1 and any(True for _ in number_words(words[-2]))
    return 0 if subtracts else len(words[-1]) + 1


_PART_BEFORE = re.compile(
    r"(?<![\w'])[b-z\d]\s$|(?:[\w)}]\s?[-+*/^]|\^\{?|\))\s?\(?$|(?:\d|(?<![A-Za-z])[A-Za-z])\s?\($"
)
_PART_AFTER = re.compile(r"\s?\)?\s?(?:[-+*/^]\s?(?:\d|[A-Za-z](?![A-Za-z])|\(|sqrt|pi\b)|\(|\^)")


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether more of a formula stands on either side: the n^2 of n^2 + 3n."""
    return bool(_PART_BEFORE.search(text, max(0, start - 6), start) or _PART_AFTER.match(text, end))
