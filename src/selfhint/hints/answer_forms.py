"""The usual written forms of a gold answer, and where a text contains one: number, fraction, LaTeX text or word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

Span = tuple[int, int]

_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"[−–‐‑]", "-"),
        (r"(?<=\d)(?:\{,\}|,?\\[,!]|,)(?=\d{3}(?!\d))", ""),  # thousands separators
        (r"\\[dtc]frac(?![A-Za-z])", r"\\frac"),
        (r"\\frac\s*(\d)\s*(\d)", r"\1/\2"),
        (r"\\frac\s*\{\s*(\d+)\s*\}\s*\{\s*(\d+)\s*\}", r"\1/\2"),
        (r"\\(?:text|mathrm|mathbf|textbf|textit|mbox)\s*\{([^{}]*)\}", r" \1 "),
        (r"\\(?:left|right|[bB]igg?)(?![A-Za-z])", ""),
        (r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])", "°"),
        (r"\\sqrt\s*(\d)", r"\\sqrt{\1}"),
        (r"([\^_])\{(\w)\}", r"\1\2"),
        (r"\\%", "%"),
        (r"\\[,;:!\s()\[\]$]|[$~\u00a0\u2009]|\*\*", " "),
    )
)


def plain(text: str) -> str:
    r"""One writing for what means the same: \dfrac12 as 1/2, 1{,}520 as 1520, \text{cm} as cm, no dollar signs."""
    for pattern, to in _REWRITES:
        text = pattern.sub(to, text)
    return text


_NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_NAMED = re.compile(r"[A-Za-z]\w?\s*=\s*(.+)", re.DOTALL)
_UNIT = re.compile(r"\\(?:text|mbox|mathrm)\s*\{[^{}]*\}(?:\^\{?\d\}?)?\s*\$?$")
_BARE_NUMBER = re.compile(rf"[€£]?\s*(-?)\s*[€£]?({_NUMBER})(?:\s*(%)|\s*°|\s+[A-Za-z][A-Za-z ./]*)?")
_BARE_FRACTION = re.compile(r"(-?)\s*(\d+)\s*/\s*(\d+)")
_TOKEN = re.compile(r"\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]+|\S")
MAX_DIGITS = 15
"""Longer numbers are compared as written only, not as a percentage or a fraction."""


@dataclass(frozen=True, slots=True)
class AnswerForms:
    """How an answer may be written.

    Args:
        numbers: signed, without superfluous zeros.
        percents: numbers that mean the answer when a percent sign follows.
        fractions: signed numerator and denominator.
        expression: a pattern for an answer that is none of these, else None.
        text: the answer in plain writing.
    """

    numbers: frozenset[str] = frozenset()
    percents: frozenset[str] = frozenset()
    fractions: frozenset[tuple[str, str]] = frozenset()
    expression: re.Pattern[str] | None = None
    text: str = ""

    @property
    def integer(self) -> int | None:
        """The value of a whole-number answer."""
        whole = next((n for n in self.numbers if re.fullmatch(rf"-?\d{{1,{MAX_DIGITS}}}", n)), None)
        return None if whole is None else int(whole)


def answer_forms(answer: str) -> AnswerForms:
    """The forms of a gold answer; a leading `x =` and a unit are left out."""
    text = plain(_UNIT.sub("", answer.strip()) or answer).strip().rstrip(".")
    if named := _NAMED.fullmatch(text):
        text = named[1].strip()
    if number := _BARE_NUMBER.fullmatch(text):
        return _number_forms(number[1] + _tidy(number[2]), number[3] is not None, text)
    if fraction := _BARE_FRACTION.fullmatch(text):
        return _fraction_forms(fraction[1], fraction[2], fraction[3], text)
    tokens = _TOKEN.findall(text)
    if not tokens:
        return AnswerForms()
    pattern = r"\s*".join(map(re.escape, tokens))
    flags = re.IGNORECASE if len(text) > 2 else 0
    return AnswerForms(expression=re.compile(rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])", flags), text=text)


def _number_forms(number: str, percent: bool, text: str) -> AnswerForms:
    numbers, percents, fractions = {number}, set(), set()
    unsigned = number.lstrip("-")
    if unsigned.startswith("0") and unsigned.isdigit() and unsigned.strip("0"):
        numbers.add(number.replace(unsigned, unsigned.lstrip("0")))  # 073 as 73
    if len(number) <= MAX_DIGITS and (percent or "." in number):
        value = Decimal(number).scaleb(-2) if percent else Decimal(number)
        numbers.add(_tidy(f"{value:f}"))
        percents.add(_tidy(f"{value.scaleb(2):f}"))
        ratio = Fraction(value)
        if ratio.denominator > 1:
            fractions.add((str(ratio.numerator), str(ratio.denominator)))
    return AnswerForms(frozenset(numbers), frozenset(percents), frozenset(fractions), text=text)


def _fraction_forms(sign: str, top: str, bottom: str, text: str) -> AnswerForms:
    fractions = {(sign + top, bottom)}
    if max(len(top), len(bottom)) > MAX_DIGITS or not int(bottom):
        return AnswerForms(fractions=frozenset(fractions), text=text)
    ratio = Fraction(int(sign + top), int(bottom))
    fractions.add((str(ratio.numerator), str(ratio.denominator)))
    rest = ratio.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return AnswerForms(fractions=frozenset(fractions), text=text)
    value = Decimal(ratio.numerator) / Decimal(ratio.denominator)
    numbers, percents = {_tidy(f"{value:f}")}, {_tidy(f"{value.scaleb(2):f}")}
    return AnswerForms(frozenset(numbers), frozenset(percents), frozenset(fractions), text=text)


def _tidy(number: str) -> str:
    """72.00 as 72 and .5 as 0.5; zeros in front of a whole number stay (they are digits of a code)."""
    if "." not in number:
        return number
    number = number.rstrip("0").rstrip(".")
    return "0" + number if number.startswith(".") else number


_NUMBER_IN_TEXT = re.compile(rf"(?<![A-Za-z0-9_^])(?<![0-9]\.)(?<![_^]\{{)(?:{_NUMBER})(?![\d^]|\.\d)")
_FRACTION_IN_TEXT = re.compile(r"(?<![\w./^])(\d+)\s{0,3}/\s{0,3}(\d+)(?![\w/^]|\.\d)")
_GLUED = re.compile(r"(?:[A-Za-z](?![A-Za-z])|(?:st|nd|rd|th)(?![A-Za-z]))")
"""A variable or an ordinal's ending straight behind a number makes it another thing: 4x, 4th; a unit does not: 4km."""


def occurrences(text: str, forms: AnswerForms) -> Iterator[Span]:
    """Where plain writing `text` contains the answer, not as a part of a longer number or word."""
    if forms.numbers or forms.percents:
        for match in _NUMBER_IN_TEXT.finditer(text):
            sign = _sign(text, match.start())
            number = sign + _tidy(match.group())
            is_percent = text[match.end() : match.end() + 2].lstrip().startswith("%")
            counts = number in forms.numbers or (is_percent and number in forms.percents)
            if counts and not _GLUED.match(text, match.end()):
                yield match.start() - len(sign), match.end()
    if forms.fractions:
        for match in _FRACTION_IN_TEXT.finditer(text):
            sign = _sign(text, match.start())
            if (sign + match[1], match[2]) in forms.fractions:
                yield match.start() - len(sign), match.end()
    if forms.expression:
        for match in forms.expression.finditer(text):
            yield match.span()


_LEFT_OF_MINUS = re.compile(r"(?:[0-9)}\]%°]\s*|\b[A-Za-z]\s*|[A-Za-z])$")


def _sign(text: str, start: int) -> str:
    """A minus straight in front of a number, unless it subtracts the number from another or from a variable."""
    before = text[max(0, start - 8) : start]
    return "-" if before.endswith("-") and not _LEFT_OF_MINUS.search(before[:-1]) else ""
