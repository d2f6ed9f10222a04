"""Numbers that a hint gives by their parts, their place or their sign.

Numerator and denominator, real and imaginary part, slope and intercept, "5/12 with a minus sign in front".
"""

from __future__ import annotations

import re
from fractions import Fraction

from selfhint.hints.asked import asked
from selfhint.hints.number_words import ordinal_words, with_digits

MAX_NUMBERS = 40
"""Numbers of one text whose pairs are looked at."""

_INT = r"(-?\d{1,12})(?![\d/^]|\.\d)"
_TO = r"[^.!?\n\d-]{0,40}?"
_PAIRS = (
    re.compile(
        rf"\b(?:numerator|top)\b{_TO}{_INT}[^.!?\n\d]{{0,30}}\b(?:denominator"
        rf"|bottom)\b{_TO}{_INT}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bdivide\s(?:the\s)?{_INT}[^.!?\n\d]{{0,40}}\bby\s(?:the\s|all\s)?{_INT}", re.IGNORECASE),
    re.compile(
        rf"(?<![\d*+/^-]){_INT}\s(?:\w+\s){{0,4}}?(?:divided by|out of|(?<!\b1 )of|over|among"
        rf"|in)\s(?:\w+\s){{0,3}}?{_INT}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:ratio|quotient)\sof\s(?:the\s)?{_INT}[^.!?\n\d]{{0,30}}\b(?:to|and"
        rf"|by)\s(?:the\s)?{_INT}",
        re.IGNORECASE,
    ),
)
_TURNED_PAIR = re.compile(
    rf"\b(?:denominator|bottom)\b{_TO}{_INT}[^.!?\n\d]{{0,30}}\b(?:numerator|top)\b{_TO}{_INT}", re.IGNORECASE
)
_TAKES_QUOTIENT = re.compile(
    r"\b(?:divide|dividing|quotient|ratio|numerator|out of|favou?rable|probability is)\b", re.IGNORECASE
)
_RESULT = re.compile(
    rf"(?:[=:]|\b(?:is|are|has|have|gives|makes|leaves|of|total)\b(?: (?:a|the|total|of))*)\s?{_INT}(?!\s?[-+*/=])"
    r"|(?<![\d.*+/^-])(\d{1,12}) (?:favou?rable|successful|good)\b",
    re.IGNORECASE,
)


def describes_fraction(text: str, answer: Fraction, question: str) -> bool:
    """Whether numerator and denominator stand there, not both known from the question, with the word to divide them."""
    text = with_digits(text)
    pairs = [(found[1], found[2]) for pattern in _PAIRS for found in pattern.finditer(text)]
    pairs += [(found[2], found[1]) for found in _TURNED_PAIR.finditer(text)]
    if _TAKES_QUOTIENT.search(text):
        results = list(dict.fromkeys(found[1] or found[2] for found in _RESULT.finditer(text)))[:MAX_NUMBERS]
        pairs += [(top, bottom) for i, top in enumerate(results) for bottom in results[i + 1 :]]
    known = set(re.findall(r"\d+", question))
    return any(
        int(top) * answer.denominator == int(bottom) * answer.numerator and not {top, bottom} <= known
        for top, bottom in pairs
        if int(bottom)
    )


_ASKED_PLACE = re.compile(r"\b(?:which|what) (\w{3,})", re.IGNORECASE)


def names_ordinal(text: str, number: int, question: str) -> bool:
    """Whether a text has the number as an ordinal of what is asked: "the eighth day" for "On which day …?"."""
    things = {thing.casefold() for thing in _ASKED_PLACE.findall(asked(question))} - {"number"}
    if number < 1 or not things:
        return False
    names = "|".join([rf"{number}(?:st|nd|rd|th)", *ordinal_words(number)])
    pattern = re.compile(rf"\b(?:{names}) (?:{'|'.join(map(re.escape, things))})\b", re.IGNORECASE)
    return bool(pattern.search(text)) and not pattern.search(question)


_MAKES_NEGATIVE = re.compile(
    r"\b(?:put|add|need|needs|get|gets|with|carry|carries|attach|write|has|have|takes?|include|place"
    r"|and)\s(?:\w+\s){0,2}"
    r"(?:minus|negative) sign\b|\bchange (?:the|its) sign\b|\bwith (?:the )?opposite sign\b|\bthe negative of\b"
    r"|\b(?:is|be|but|it's|it is|becomes?|made|make it) negative\b",
    re.IGNORECASE,
)


def makes_negative(sentence: str) -> bool:
    """Whether a sentence puts a minus in front of a number it names without one."""
    return bool(_MAKES_NEGATIVE.search(sentence))


_NUMBER = r"(-?\s?\d{1,12}(?:\.\d+)?(?:/\d{1,12})?)(?![\w^]|\.\d|/\d|\s?[-+*/=]\s?[\w(])"
_REAL = re.compile(rf"\breal (?:part|component)\b{_TO}{_NUMBER}", re.IGNORECASE)
_IMAGINARY = re.compile(rf"\bimaginary (?:part|component)\b{_TO}{_NUMBER}", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(?<![\w.)*/^+-])(?<![*/^+-] )([a-z])\s?=\s?{_NUMBER}")
_SLOPE = re.compile(rf"\b(?:slope|gradient)\b{_TO}{_NUMBER}", re.IGNORECASE)
_INTERCEPT = re.compile(rf"\bintercept\b{_TO}{_NUMBER}", re.IGNORECASE)
_TWO_TERMS = re.compile(
    r"(?P<a>-?\s?\d{1,12}(?:/\d{1,12})?)\s?(?P<sign>[-+])\s?(?P<b>\d{1,12}(?:/\d{1,12})?)?\s?\*?\s?"
    r"(?P<unit>i|sqrt\(\d+\))"
)
_LINE = re.compile(
    r"(?P<m>-?\s?(?:\d{1,12}(?:/\d{1,12})?)?)\s?\*?\s?x\s?(?P<sign>[-+])\s?(?P<b>\d{1,12}(?:/\d{1,12})?)"
)


def describes_parts(text: str, answer: str, question: str) -> bool:
    """Whether a + b·i, a + b·√c or m·x + b is given by its two numbers, each with its name."""
    text = with_digits(text)
    if line := _LINE.fullmatch(answer):
        slope, intercept = _fraction(line["m"], "1"), _fraction(line["sign"] + line["b"])
        slopes = _named(text, _SLOPE, "m") - _named(question, _SLOPE, "m")
        return slope in slopes and intercept in _named(text, _INTERCEPT, "b")
    if terms := _TWO_TERMS.fullmatch(answer):
        first, second = _fraction(terms["a"]), _fraction(terms["sign"] + (terms["b"] or "1"))
        if terms["unit"] == "i" and first in _named(text, _REAL) and second in _named(text, _IMAGINARY):
            return True
        given = {(found[1], _fraction(found[2])) for found in _ASSIGNED.finditer(text)}
        known = {found[1] for found in _ASSIGNED.finditer(question)}
        return any(
            (name, first) in given and (chr(ord(name) + 1), second) in given for name in "apux" if name not in known
        )
    return False


def _named(text: str, pattern: re.Pattern[str], letter: str = "") -> set[Fraction]:
    found = {_fraction(match[1]) for match in pattern.finditer(text)}
    return found | {_fraction(match[2]) for match in _ASSIGNED.finditer(text) if match[1] == letter}


def _fraction(number: str, empty: str = "0") -> Fraction:
    """The number, with `empty` for a sign alone; 0 where the denominator is 0."""
    number = number.replace(" ", "")
    if number in ("", "-", "+"):
        number += empty
    top, _, bottom = number.partition("/")
    return Fraction(top) / int(bottom) if bottom.strip("0") else Fraction(top) if not bottom else Fraction(0)
