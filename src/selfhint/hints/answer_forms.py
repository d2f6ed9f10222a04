"""The usual written forms of a gold answer: number, fraction, expression, word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import permutations

from selfhint.hints.clock import clock_pattern
from selfhint.hints.formula import FUNCTION_NAMES
from selfhint.hints.number_words import number_words, with_digits
from selfhint.hints.other_names import named_otherwise
from selfhint.hints.plain import plain
from selfhint.hints.scaled import scaled_answer
from selfhint.hints.unit_signs import CURRENCY, GLUED_UNIT

MAX_DIGITS = 15
"""Longer numbers are compared as written only, not as a percentage or a fraction."""

MAX_TERMS = 4
"""Terms or bracketed factors whose order may be another; of longer expressions only the given order counts."""

NUMBER = r"\d+(?:\.\d+)?|\.\d+"
_NAMED = re.compile(r"[A-Za-z]\w?'?(?:\([a-z]\))?\s*=\s*(.+)", re.DOTALL)
_UNIT = re.compile(r"\\(?:text|mbox|mathrm)\s*\{[^{}]*\}(?:\^\{?\d\}?)?\s*\$?$")
_LETTERS_IN_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mbox)\s*\{([^{}]*)\}")
_BARE_NUMBER = re.compile(
    rf"{CURRENCY}?\s*(-?)\s*{CURRENCY}?({NUMBER})"
    rf"(?:\s*(%)|\s*°(?:\s?[CFK])?|\s*{CURRENCY}|{GLUED_UNIT}|\s+[A-Za-z][A-Za-z ./]*(?:\^\d)?)?"
)
_BARE_FRACTION = re.compile(r"(-?)\s*(\d+)\s*/\s*(\d+)(?:\s+[A-Za-z][A-Za-z ]*)?")
_MIXED_NUMBER = re.compile(r"(-?)\s*(\d{1,9}) (\d{1,9})/(\d{1,9})")
_TOKEN = re.compile(r"\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]+|\S")
_WORDS = re.compile(rf"(?!(?:{FUNCTION_NAMES}|pi)\b)[^\W\d_]{{2,}}(?:[ '-][^\W\d_]+)*")
"""A word or a name, not ln x."""


@dataclass(frozen=True, slots=True)
class AnswerForms:
    """How an answer may be written.

    Args:
        numbers: signed, without superfluous zeros.
        percents: numbers that mean the answer when a percent sign follows.
        fractions: signed numerator and denominator.
        ratio: the value of an answer written as a fraction, else None.
        expression: a pattern for an answer that is none of these, else None.
        text: the answer in plain writing.
        is_word: whether the answer is a word or a name, or is told in words, not a formula.
    """

    numbers: frozenset[str] = frozenset()
    percents: frozenset[str] = frozenset()
    fractions: frozenset[tuple[str, str]] = frozenset()
    ratio: Fraction | None = None
    expression: re.Pattern[str] | None = None
    text: str = ""
    is_word: bool = False

    @property
    def integer(self) -> int | None:
        """The value of a whole-number answer."""
        whole = next((n for n in self.numbers if re.fullmatch(rf"-?\d{{1,{MAX_DIGITS}}}", n)), None)
        return None if whole is None else int(whole)

    @property
    def value(self) -> Fraction | None:
        """The value of a number or fraction; None for a percentage, which two numbers stand for."""
        if self.ratio is not None:
            return self.ratio
        number = next(iter(self.numbers), "")
        return Fraction(number) if len(self.numbers) == 1 and len(number) <= MAX_DIGITS else None


def answer_forms(answer: str) -> AnswerForms:
    """The forms of a gold answer; a leading `x =`, a unit and an article are left out."""
    text = plain(_UNIT.sub("", answer.strip()) or answer).strip().rstrip(".").rstrip()
    if named := _NAMED.fullmatch(text):
        text = named[1].strip()
    text = text.removeprefix("+").lstrip()
    if time := clock_pattern(text):
        return AnswerForms(expression=time, text=text)
    if other := named_otherwise(text):
        return AnswerForms(expression=other, text=text, is_word=True)
    if scaled := scaled_answer(text):
        return _number_forms(scaled, False, text)
    if number := _BARE_NUMBER.fullmatch(text):
        return _number_forms(number[1] + tidy(number[2]), number[3] is not None, text)
    if mixed := _MIXED_NUMBER.fullmatch(text):
        top = int(mixed[2]) * int(mixed[4]) + int(mixed[3])
        return _fraction_forms(mixed[1], str(top), mixed[4], text)
    if fraction := _BARE_FRACTION.fullmatch(text):
        return _fraction_forms(fraction[1], fraction[2], fraction[3], text)
    word = re.sub(r"^(?:the|an?) ", "", plain(_LETTERS_IN_TEXT.sub(r"\1", answer)).strip(" .'\""), flags=re.IGNORECASE)
    if [(start, end) for _, start, end in number_words(word)] == [(0, len(word))]:
        return _number_forms(with_digits(word), False, word)
    if _WORDS.fullmatch(word):
        return AnswerForms(expression=_word_pattern(word), text=word, is_word=True)
    tokens = _TOKEN.findall(text)
    return AnswerForms(expression=_expression_pattern(tokens), text=text) if tokens else AnswerForms()


def _word_pattern(word: str) -> re.Pattern[str]:
    """A word with another ending, too, where it is long enough: convergent as converges."""
    *first, last = word.split(" ")
    if len(last) >= 6 and last.islower():
        first.append(rf"{re.escape(last[: max(5, len(last) - 3)])}[a-z]{{1,4}}")
    else:
        first.append(rf"{re.escape(last)}s?")
    return re.compile(rf"(?<!\w){' '.join([*map(re.escape, first[:-1]), first[-1]])}(?!\w)", re.IGNORECASE)


def _expression_pattern(tokens: list[str]) -> re.Pattern[str]:
    """The tokens with or without blanks and multiplication signs, its terms or bracketed factors in any order."""
    terms = _terms(tokens)
    glue = r"\s?"
    if len(terms) > 1:
        orders = [glue.join(_join(t, first=not i) for i, t in enumerate(order)) for order in permutations(terms)]
    else:
        factors = _bracketed_factors(tokens)
        orders = [r"\s?\*?\s?".join(_join(f, first=True) for f in order) for order in permutations(factors)]
    flags = re.IGNORECASE if len("".join(tokens)) > 2 else 0
    return re.compile(rf"(?<![A-Za-z0-9.])(?:{'|'.join(dict.fromkeys(orders))})(?![A-Za-z0-9])", flags)


def _join(tokens: list[str], first: bool) -> str:
    """One term; in front of the first a plus falls away, in front of the others it is needed."""
    sign, rest = (tokens[0], tokens[1:]) if tokens[0] in "+-" and len(tokens) > 1 else ("+", tokens)
    head = ("-\\s?" if sign == "-" else "") if first else re.escape(sign) + r"\s?"
    return head + r"\s?\*?\s?".join(_exponent_unbracketed(rest))


def _exponent_unbracketed(tokens: list[str]) -> list[str]:
    """The patterns of the tokens; brackets around an exponent of two signs may be left out: e^2x for e^(2x)."""
    patterns = [re.escape(token) for token in tokens if token != "*"]
    for i in range(len(patterns) - 4):
        if patterns[i : i + 2] == [r"\^", r"\("] and patterns[i + 4] == r"\)":
            patterns[i + 1], patterns[i + 4] = r"\(?", r"\)?"
    return patterns


def _terms(tokens: list[str]) -> list[list[str]]:
    """Split at the signs outside of brackets; one part where there are none, too many, or other relations."""
    if any(token in ("=", "<", ">", ",", ":", ";", "/") for token in tokens):
        return [tokens]
    parts: list[list[str]] = [[]]
    depth = 0
    for i, token in enumerate(tokens):
        if depth == 0 and token in "+-" and i and tokens[i - 1] not in "+-*^(":
            parts.append([])
        depth += (token in "([{") - (token in ")]}")
        parts[-1].append(token)
    fine = 1 < len(parts) <= MAX_TERMS and all(part and part != ["+"] and part != ["-"] for part in parts)
    return parts if fine else [tokens]


def _bracketed_factors(tokens: list[str]) -> list[list[str]]:
    """(…)(…) as two factors; anything else as one."""
    factors: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        if depth == 0 and token == "(" and factors[-1]:
            factors.append([])
        depth += (token == "(") - (token == ")")
        if token != "*" or depth:
            factors[-1].append(token)
    fine = 1 < len(factors) <= MAX_TERMS and all(f[0] == "(" and f[-1] == ")" for f in factors)
    return factors if fine else [tokens]


def _number_forms(number: str, percent: bool, text: str) -> AnswerForms:
    numbers, percents, fractions = {number}, set(), set()
    unsigned = number.lstrip("-")
    if unsigned.startswith("0") and unsigned.isdigit() and unsigned.strip("0"):
        numbers.add(number.replace(unsigned, unsigned.lstrip("0")))  # 073 as 73
    if len(number) <= MAX_DIGITS and (percent or "." in number):
        value = Decimal(number).scaleb(-2) if percent else Decimal(number)
        numbers.add(tidy(f"{value:f}"))
        percents.add(tidy(f"{value.scaleb(2):f}"))
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
    value = Decimal(ratio.numerator) / Decimal(ratio.denominator)
    rest = ratio.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    exact = [value] if rest == 1 else [_round(value, places, how) for places in range(2, 7) for how in _ROUNDINGS]
    percents = [v.scaleb(2) for v in exact]
    return AnswerForms(
        frozenset(tidy(f"{v:f}") for v in exact if v),
        frozenset(tidy(f"{v:f}") for v in percents if v),
        frozenset(fractions),
        ratio=ratio if ratio.denominator > 1 else None,
        text=text,
    )


_ROUNDINGS = (ROUND_HALF_UP, ROUND_DOWN)


def _round(value: Decimal, places: int, how: str) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), rounding=how) if abs(value) < 10**MAX_DIGITS else value


def tidy(number: str) -> str:
    """72.00 as 72 and .5 as 0.5; zeros in front of a whole number stay (they are digits of a code)."""
    if "." not in number:
        return number
    number = number.rstrip("0").rstrip(".")
    return "0" + number if number.startswith(".") else number
