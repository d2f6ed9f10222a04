"""Finds the answer as an equal formula: factored, expanded, unreduced, with other signs for the same.

A formula's value at a few points is compared with the answer's. Where the question itself holds that value (simplify,
factor, expand), only the answer's own shape counts, in any order of terms and factors.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from selfhint.hints.formula import FUNCTION_NAMES, TOLERANCE, Formula, same_values, values
from selfhint.hints.formula_reader import GREEK, MAX_CHARACTERS, read_formula
from selfhint.hints.spoken import spoken
from selfhint.hints.stated import ARGUMENT_BEFORE

MAX_FORMULAS = 400
"""Formulas of one text that are looked at."""

MIN_DIGITS = 3
"""Digits that tell an irrational number."""

_ATOM = (
    rf"\\?(?:{FUNCTION_NAMES}|pi)(?![A-Za-z])|\\(?:frac|binom|{GREEK})(?![A-Za-z])|[a-z]{{2}}(?=\^)"
    r"|(?<=[\d)}])[a-z]{1,3}(?![A-Za-z])|(?<![A-Za-z'])[A-Za-z](?:_\w)?(?![A-Za-z'])"
    r"|\d+(?:\.\d+)?|\.\d+|[-+*/^(){}\[\]!| ]"
)
_RUN = re.compile(rf"(?:{_ATOM})+")
_RELATION = re.compile(r"(?:[<>]=?|=)$")
_CHOOSE = re.compile(r"\bC\(\s?([^(),]{1,20}),\s?(\d{1,2})\s?\)")
_ARTICLE = re.compile(r"(?:a|A|I) (?=.)")
_INTEGRATION = re.compile(r"\s?\+\s?[Cc]$")
_OPERAND_BEFORE = re.compile(
    r"\b(?:by|times|plus|minus|adding|multiply|multiplying|divide|dividing|than|not|never|like|conjugate(?: of)?)"
    r"(?: the| number| factor| stop at| leave it at| equal)*\s*$",
    re.IGNORECASE,
)
_UNFINISHED_AFTER = re.compile(r"\s?(?:times|plus(?! an? )|minus|over|divided by|multiplied by)\b", re.IGNORECASE)
_TO_CHANGE_AFTER = re.compile(
    r"[^.!?\n=]{0,20}\b(?:and|then|now|to be)\s(?:\w+\s)?(?:expand|reduce|factor|multiply out"
    r"|rationali[sz]e|combine|collect|simplify)",
    re.IGNORECASE,
)
"""A formula that is to be worked on is not the answer yet."""
_DECIMAL = re.compile(r"(?<![\w.])(-?)\s?(\d{1,9}\.(\d{2,12}))(?!\d)")


class Found(NamedTuple):
    """A formula in a text, and the relation sign in front of it ("" where there is none)."""

    formula: Formula
    start: int
    relation: str


def formulas(text: str, told: bool = False) -> Iterator[Found]:
    """The formulas of a text in plain writing: the longest runs of formula signs between words and relation signs.

    Args:
        text: the text.
        told: leave out what is only an operand, denied, or to be worked on ("multiply by …", "… and expand").
    """
    text = _CHOOSE.sub(r"\\binom{\1}{\2}", text)
    num = 0
    for run in _RUN.finditer(text):
        piece = _INTEGRATION.sub("", _balanced(run.group()))
        if not piece or len(piece) > MAX_CHARACTERS or num >= MAX_FORMULAS:
            continue
        num += 1
        before = text[max(0, run.start() - 40) : run.start()]
        relation = _RELATION.search(before)
        if told and (
            _OPERAND_BEFORE.search(before) or ARGUMENT_BEFORE.search(before) or _UNFINISHED_AFTER.match(text, run.end())
        ):
            continue
        if told and not relation and _TO_CHANGE_AFTER.match(text, run.end()):
            continue
        for writing in dict.fromkeys((piece, _ARTICLE.sub("", piece, count=1))):
            if formula := read_formula(writing):
                yield Found(formula, run.start(), relation[0] if relation else "")


def _balanced(piece: str) -> str:
    """Without blanks and without brackets at the ends that have no partner."""
    piece = piece.strip(" ")
    if piece[:1] in (")", "]", "}"):
        piece = piece.lstrip(")]} ")
    piece = piece.rstrip("([{ ")
    surplus = sum(map(piece.count, "([{")) - sum(map(piece.count, ")]}"))
    while surplus > 0 and piece[:1] in ("(", "[", "{"):
        piece, surplus = piece[1:].lstrip(" "), surplus - 1
    while surplus < 0 and piece[-1:] in (")", "]", "}"):
        piece, surplus = piece[:-1].rstrip(" "), surplus + 1
    return piece


def names_equal(text: str, answer: str, question: str) -> bool:
    """Whether a text holds a formula of the answer's value; all three in plain writing.

    For answers with letters or roots; whole numbers and fractions have their own forms.
    """
    wanted = read_formula(_INTEGRATION.sub("", answer))
    if wanted is None or wanted.kind in ("number", "letter"):
        return False
    goal = values(wanted)
    if goal is None:
        return False
    letters, shape = wanted.letters(), wanted.canonical()
    asked = [found.formula for found in formulas(question)]
    shapes = {formula.canonical() for formula in asked}
    if shape in shapes:
        return False
    known = any(_equals(formula, letters, goal) for formula in asked)
    aloud = spoken(text)
    told = [*formulas(text, told=True), *(formulas(aloud, told=True) if aloud != text else ())]
    for formula in (found.formula for found in told):
        if formula.canonical() == shape:
            return True
        if known and (formula.canonical() in shapes or not _is_as_far(formula, wanted)):
            continue
        if _equals(formula, letters, goal) and not formula.unfinished():
            return True
    if letters:
        return _lists_factors(text, wanted) or _names_quotient(text, wanted)
    return _names_decimal(text, goal[0], question) or _names_degrees(text, goal[0], question)


def _is_as_far(formula: Formula, wanted: Formula) -> bool:
    """Whether a formula of the same value is no longer and, where the answer is a product, as much of one."""
    above, below = wanted.above_and_below()
    whole = below is None and len(above.factors()) > 1
    return formula.size() <= wanted.size() + 1 and (not whole or len(formula.factors()) >= len(above.factors()))


def _lists_factors(text: str, product: Formula) -> bool:
    """Whether each factor stands there as one: "The factors are x + 1 and x - 2"."""
    factors = [factor for factor in product.factors() if factor.letters()]
    if len(factors) < 2 or not _FACTORS.search(text):
        return False
    listed = {found.formula.canonical() for found in formulas(text)}
    return all(factor.canonical() in listed for factor in factors)


def _names_quotient(text: str, quotient: Formula) -> bool:
    """Whether what stands above the line is told with a word for it, and what stands below it likewise."""
    above, below = quotient.above_and_below()
    if not below:
        return False
    told = {"above": set[str](), "below": set[str]()}
    for found in formulas(text):
        words = _LINE_WORDS.findall(text, max(0, found.start - 60), found.start)
        if words:
            told["below" if words[-1][1] else "above"].add(found.formula.canonical())
    return above.canonical() in told["above"] and below.canonical() in told["below"]


_LINE_WORDS = re.compile(
    r"\b(?:(numerator|top|above|upstairs|over the line)|(denominator|bottom|below|underneath|downstairs))\b",
    re.IGNORECASE,
)
_FACTORS = re.compile(
    r"\b(?:factors?|brackets?) (?:are|is|of|must be|will be|:)|\bproduct of\b|\bmultiply\b", re.IGNORECASE
)
_DEGREES = re.compile(r"(?<![\w.])(-?\d{1,4}(?:\.\d{1,4})?)(?: ?°| ?degrees?\b)", re.IGNORECASE)


def _names_degrees(text: str, goal: complex, question: str) -> bool:
    """60 degrees for pi/3."""
    known = _DEGREES.findall(question)
    return any(
        number not in known and abs(math.radians(float(number)) - goal) < TOLERANCE for number in _DEGREES.findall(text)
    )


def _equals(formula: Formula, letters: frozenset[str], goal: tuple[complex, ...]) -> bool:
    if formula.letters() != letters:
        return False
    found = values(formula)
    return found is not None and same_values(found, goal)


def _names_decimal(text: str, goal: complex, question: str) -> bool:
    """The value of an irrational answer with at least three digits, rounded or cut off."""
    if abs(complex(goal).imag) > 0:
        return False
    value = complex(goal).real
    for match in _DECIMAL.finditer(text):
        if len(match[2].replace(".", "").lstrip("0")) < MIN_DIGITS:
            continue
        number = float(match[2]) * (-1 if match[1] else 1)
        if abs(number - value) < 10.0 ** -len(match[3]) and match[2] not in question:
            return True
    return False


def same_relation(text: str, relation: str) -> bool:
    """Whether a text holds an inequality or equation whose two sides have the values of those of `relation`."""
    wanted = list(_relations(relation))
    if len(wanted) != 1:
        return False
    return any(_same_sides(wanted[0], found) or _same_equation(wanted[0], found) for found in _relations(text))


def _same_equation(one: _Sides, other: _Sides) -> bool:
    """Whether left minus right side of both differ by a constant factor: y + 1 = (x - 2)^2 and y = (x - 2)^2 - 1."""
    if not one[1] == other[1] == "=":
        return False
    ones, others = ([a - b for a, b in zip(sides[0], sides[2], strict=True)] for sides in (one, other))
    ratios = [a / b if abs(b) > TOLERANCE else 0 for a, b in zip(ones, others, strict=True)]
    return abs(ratios[0]) > TOLERANCE and all(abs(ratio - ratios[0]) < TOLERANCE for ratio in ratios)


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
_Sides = tuple[tuple[complex, ...], str, tuple[complex, ...]]


def _relations(text: str) -> Iterator[_Sides]:
    before: tuple[Found, tuple[complex, ...] | None] | None = None
    for found in formulas(text):
        here = values(found.formula)
        if found.relation and before and before[1] and here:
            yield before[1], found.relation, here
        before = found, here


def _same_sides(one: _Sides, other: _Sides) -> bool:
    straight = one[1] == other[1] and same_values(one[0], other[0]) and same_values(one[2], other[2])
    turned = one[1] == _TURNED[other[1]] and same_values(one[0], other[2]) and same_values(one[2], other[0])
    return straight or turned
