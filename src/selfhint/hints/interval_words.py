"""Intervals that a text describes.

Other bracket styles, pairs of bounds, "from … to …", a complement, |x| <= r, a range by its minimum and maximum, roots
with "between them".

Every description gives a piece with the values of its ends; None for a bracket that the words leave open.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from selfhint.hints import interval_patterns as patterns
from selfhint.hints.formula import values
from selfhint.hints.formula_reader import read_formula
from selfhint.hints.number_words import with_digits

MAX_FOUND = 60
"""Descriptions of one kind in one text that are looked at."""

MAX_NUMBERS = 8
"""Numbers of which any two may be the ends that a text speaks of."""


class Piece(NamedTuple):
    """An interval: whether its lower end belongs to it, the ends, whether its upper end does. None: not said."""

    left: bool | None
    low: float
    high: float
    right: bool | None

    def agrees(self, other: Piece) -> bool:
        """Whether the ends are the same and no bracket contradicts."""
        brackets = ((self.left, other.left), (self.right, other.right))
        ends = ((self.low, other.low), (self.high, other.high))
        return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in ends) and all(
            a is None or b is None or a == b for a, b in brackets
        )


def end_value(end: str) -> float | None:
    """The value of an end of an interval in plain writing."""
    bare = end.replace(" ", "")
    if bare.strip("+-") == "inf":
        return -math.inf if bare.startswith("-") else math.inf
    formula = read_formula(bare)
    found = values(formula) if formula and not formula.letters() else None
    return complex(found[0]).real if found and not complex(found[0]).imag else None


def described(text: str) -> list[Piece]:
    """The pieces that a text in plain writing describes."""
    text = with_digits(text).replace("\\mathbb{R}", " reals ").replace("}", " ").replace("positive inf", "inf")
    pieces = [*_bracketed(text), *_spans(text), *_absolutes(text), *_half_lines(text), *_rays(text)]
    pieces += [*_ranges(text), *_around_two_numbers(text), *_complements(text)]
    return pieces


def _take(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return [match for match, _ in zip(pattern.finditer(text), range(MAX_FOUND), strict=False)]


def _piece(left: bool | None, low: str, high: str, right: bool | None) -> Iterator[Piece]:
    first, last = end_value(low), end_value(high)
    if first is not None and last is not None and first < last:
        yield Piece(left and not math.isinf(first), first, last, right and not math.isinf(last))


def _bracketed(text: str) -> Iterator[Piece]:
    """[a, b), ]a; b[ and so on."""
    for m in _take(patterns.BRACKETED, text):
        yield from _piece(m[1] == "[", m[2], m[3], m[4] == "]")


def _spans(text: str) -> Iterator[Piece]:
    for part in _told(text):
        for m in _take(patterns.FROM_TO, part):
            yield from _piece(None, m[1], m[2], None)


def _told(text: str) -> list[str]:
    """The sentences that are no question and send nobody to try something."""
    return [part.group() for part in patterns.SENTENCE.finditer(text) if not patterns.WEIGHS.search(part.group())]


def _absolutes(text: str) -> Iterator[Piece]:
    for m in _take(patterns.ABSOLUTE_WORDS, text):
        yield from _piece(bool(m[1]), f"-{m[2]}", m[2], bool(m[1]))
    for m in _take(patterns.ABSOLUTE, text):
        closed = "=" in m[1]
        if m[1][0] == "<":
            yield from _piece(closed, f"-{m[2]}", m[2], closed)
        else:
            yield from _piece(False, "-inf", f"-{m[2]}", closed)
            yield from _piece(closed, m[2], "inf", False)


def _bounds(text: str, kinds: tuple[tuple[re.Pattern[str], bool], ...]) -> list[tuple[float, bool]]:
    found = [(end_value(m[1]), closed) for pattern, closed in kinds for m in _take(pattern, text)]
    return list(dict.fromkeys((value, closed) for value, closed in found if value is not None))


def _half_lines(text: str) -> Iterator[Piece]:
    """Every bound of a variable or "all numbers", and every lower bound with every upper bound above it."""
    lower, upper = _bounds(text, patterns.LOWER), _bounds(text, patterns.UPPER)
    for m in _take(patterns.SIGN_WORD, text):
        closed = m[1].casefold().startswith("non")
        (lower if m[1].casefold().endswith("positive") != closed else upper).insert(0, (0.0, closed))
    for low, left in lower[:MAX_FOUND]:
        for high, right in upper[:MAX_FOUND]:
            if low < high:
                yield Piece(left, low, high, right)


def _rays(text: str) -> Iterator[Piece]:
    """A bound in words on a variable or on all numbers: "x can't be smaller than 3", "3 or more"."""
    for m in _take(patterns.AT_LEAST, text):
        yield from _piece(True, next(filter(None, m.groups())), "inf", False)
    for m in _take(patterns.AT_MOST, text):
        yield from _piece(False, "-inf", next(filter(None, m.groups())), True)
    for m in _take(patterns.TO_INFINITY, text):
        yield from _piece(None, next(filter(None, m.groups())), "inf", False)
    for m in _take(patterns.SIGN_OF_ALL, text):
        closed = m[1].casefold().startswith("non")
        if m[1].casefold().endswith("positive") != closed:
            yield Piece(closed, 0.0, math.inf, False)
        else:
            yield Piece(False, -math.inf, 0.0, closed)
    for m in _take(patterns.BELOW_AND_ABOVE, text):
        yield from (*_piece(False, "-inf", m[1], None), *_piece(None, m[2], "inf", False))


def _ranges(text: str) -> Iterator[Piece]:
    """A minimum and a maximum, each the first or second number behind its word."""
    least, most = (_numbers_after(pattern, text) for pattern in (patterns.LEAST, patterns.MOST))
    for low in least:
        for high in most:
            if low < high:
                yield Piece(None, low, high, None)


def _numbers_after(pattern: re.Pattern[str], text: str) -> list[float]:
    found: list[float] = []
    for word in _take(pattern, text):
        clause = re.split(r"[;.](?=\s|$)|\n", text[word.end() : word.end() + 50])[0]
        other = patterns.MOST if pattern is patterns.LEAST else patterns.LEAST
        clause = other.split(clause)[0]
        for number in _take(patterns.NUMBER, clause)[:2]:
            value = end_value(number[1])
            if value is not None:
                found.append(value)
    return list(dict.fromkeys(found))[:MAX_FOUND]


def _around_two_numbers(text: str) -> Iterator[Piece]:
    """Two numbers of the text and "between": of one sentence, or of the sentences before ("… in between it holds")."""
    numbers: list[float] = []
    for part in _told(text):
        found = [end_value(number[1]) for number in _take(patterns.NUMBER, part)[:MAX_NUMBERS]]
        numbers = [*numbers, *(number for number in found if number is not None)][-MAX_NUMBERS:]
        ends = sorted(set(numbers))
        inside, outside = patterns.INSIDE.search(part), patterns.OUTSIDE.search(part)
        for i, low in enumerate(ends):
            for high in ends[i + 1 :]:
                if inside:
                    yield Piece(None, low, high, None)
                if outside:
                    yield Piece(None, -math.inf, low, None)
                    yield Piece(None, high, math.inf, None)


def excludes(text: str, points: Sequence[float]) -> bool:
    """Whether each point is named in a sentence that leaves something out ("except 5", "x ≠ 5", "5 is forbidden")."""
    left_out: set[float] = set()
    for part in _told(text):
        if patterns.LEFT_OUT.search(part):
            found = [end_value(number[1]) for number in _take(patterns.NUMBER, part)]
            left_out.update(number for number in found if number is not None)
    return left_out.issuperset(points)


def _complements(text: str) -> Iterator[Piece]:
    """Everything except an interval or a point."""
    for word in _take(patterns.EXCEPT, text):
        rest = text[word.end() : word.end() + 60]
        if m := patterns.BRACKETED.match(rest):
            pieces = [*_piece(m[1] == "[", m[2], m[3], m[4] == "]")]
        elif m := patterns.FROM_TO.search(text, word.start(), word.end() + 60):
            pieces = [*_piece(None, m[1], m[2], None)]
        elif (m := patterns.SINGLE.match(rest)) and (value := end_value(m[1])) is not None:
            pieces = [Piece(True, value, value, True)]
        else:
            continue
        for piece in pieces:
            yield from _outside(piece)
    for word in _take(patterns.OUTSIDE_INTERVAL, text):
        if m := patterns.BRACKETED.match(text, word.end()):
            for piece in _piece(m[1] == "[", m[2], m[3], m[4] == "]"):
                yield from _outside(piece)
    for m in _take(patterns.UNEQUAL, text):
        if (value := end_value(m[1])) is not None:
            yield from _outside(Piece(True, value, value, True))


def _outside(piece: Piece) -> Iterator[Piece]:
    if piece.low > -math.inf:
        yield Piece(False, -math.inf, piece.low, None if piece.left is None else not piece.left)
    if piece.high < math.inf:
        yield Piece(None if piece.right is None else not piece.right, piece.high, math.inf, False)
