r"""Intervals as answers: [-3, 7) as brackets, as inequalities (-3 <= x < 7) and in words (x between -3 and 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from selfhint.hints.interval_words import Piece, described, end_value, excludes
from selfhint.hints.number_words import with_digits
from selfhint.hints.plain import plain

_END = r"-?\s?(?:inf|\d+(?:\.\d+)?(?:/\d+)?|\.\d+|\w{0,4}sqrt\(\w+\)|\d*pi(?:/\d+)?)"
_PIECE = re.compile(rf"([(\[])\s?({_END})\s?,\s?({_END})\s?([)\]])")
_VARIABLE = r"[A-Za-z](?:\([a-z]\))?"
_BETWEEN = re.compile(rf"({_END})\s?(<=?)\s?{_VARIABLE}\s?(<=?)\s?({_END})")
_BETWEEN_FALLING = re.compile(rf"({_END})\s?(>=?)\s?{_VARIABLE}\s?(>=?)\s?({_END})")
_ONE_SIDE = re.compile(rf"{_VARIABLE}\s?([<>]=?)\s?({_END})")
_OTHER_SIDE = re.compile(rf"({_END})\s?([<>]=?)\s?{_VARIABLE}")


class Interval(NamedTuple):
    """One piece: bracket, lower end, upper end, bracket. Ends are plain writing without blanks."""

    left: str
    low: str
    high: str
    right: str


def intervals_of(answer: str) -> tuple[Interval, ...]:
    """The pieces of an answer that is an interval, a union of intervals or an inequality; else none."""
    text = plain(answer).strip().rstrip(".")
    text = re.sub(rf"^{_VARIABLE}\s?(?:\\in|∈|in)\s", "", text)
    pieces = []
    for part in re.split(r"\s?(?:∪|,? or )\s?", text):
        piece = _interval(part.strip())
        if piece is None:
            return ()
        pieces.append(piece)
    return tuple(pieces)


def _interval(text: str) -> Interval | None:
    if m := _PIECE.fullmatch(text):
        piece = Interval(m[1], _tidy(m[2]), _tidy(m[3]), m[4])
        return piece if _rises(piece) else None  # else a point
    if m := _BETWEEN.fullmatch(text):
        return Interval(_left(m[2]), _tidy(m[1]), _tidy(m[4]), _right(m[3]))
    if m := _BETWEEN_FALLING.fullmatch(text):
        return Interval(_left(m[3]), _tidy(m[4]), _tidy(m[1]), _right(m[2]))
    if m := _ONE_SIDE.fullmatch(text):
        return _half_line(m[1], m[2])
    if m := _OTHER_SIDE.fullmatch(text):
        return _half_line(m[2].translate(_TURN), m[1])
    return None


def _rises(piece: Interval) -> bool:
    low, high = end_value(piece.low), end_value(piece.high)
    return low is None or high is None or low < high


_TURN = str.maketrans("<>", "><")


def _half_line(relation: str, end: str) -> Interval:
    if relation[0] == ">":
        return Interval(_left(relation), _tidy(end), "inf", ")")
    return Interval("(", "-inf", _tidy(end), _right(relation))


def _left(relation: str) -> str:
    return "[" if "=" in relation else "("


def _right(relation: str) -> str:
    return "]" if "=" in relation else ")"


def _tidy(end: str) -> str:
    return end.replace(" ", "")


_NOT_PART = r"(?<![\w.)+*/^-])(?<![+*/^] )(?<![\w)] - )"
_NO_MORE = r"(?!\w|\.\d|/\d|\s?[*^+]|\s-\s\d)"
_NO_LESS = r"at least|(?:not|no|never) (?:less|smaller|lower) than"
_NO_MORE_THAN = (
    r"at most|up to(?: and including)?|(?:not|no|never) (?:more|greater|larger|bigger|higher) than"
    r"|(?:not|never|n't) exceed(?:ing)?"
)
_BOUNDS = {
    "(": r"(?:greater|larger|bigger|more|higher) than|above|exceeds?|to the right of",
    "[": _NO_LESS,
    ")": r"(?:less|smaller|lower) than|below|under|to the left of",
    "]": _NO_MORE_THAN,
}


def interval_pattern(piece: Interval) -> re.Pattern[str]:
    """Where a text in plain writing has the interval in signs, or a half-line also in words."""
    low, high = (re.escape(end).replace(r"\-", r"-\s?") for end in (piece.low, piece.high))
    patterns = [rf"{re.escape(piece.left)}\s?{low}\s?,\s?{high}\s?{re.escape(piece.right)}"]
    more = "=" if piece.left == "[" else ""
    less = "=" if piece.right == "]" else ""
    if piece.high == "inf" and piece.low != "-inf":
        patterns += _half_line_patterns(f">{more}", f"<{more}", low, _BOUNDS[piece.left])
    elif piece.low == "-inf" and piece.high != "inf":
        patterns += _half_line_patterns(f"<{less}", f">{less}", high, _BOUNDS[piece.right])
    elif piece.low != "-inf":
        chain = rf"{low}\s?<{more}\s?{_VARIABLE}\s?<{less}\s?{high}{_NO_MORE}"
        falling = rf"{high}\s?>{less}\s?{_VARIABLE}\s?>{more}\s?{low}{_NO_MORE}"
        both = rf"{_VARIABLE}\s?>{more}\s?{low}(?!\w)[^.!?\n]{{0,20}}<{less}\s?{high}{_NO_MORE}"
        patterns += [_NOT_PART + chain, _NOT_PART + falling, _NOT_PART + both]
    return re.compile("|".join(patterns), re.IGNORECASE)


def _half_line_patterns(relation: str, turned: str, end: str, bound: str) -> list[str]:
    """As x > 5, 5 < x, "x is greater than 5", "all numbers greater than 5"."""
    name = rf"{_NOT_PART}{_VARIABLE}"
    numbers = (
        r"\b(?:(?:all|any|every)(?: the)?(?: real)? (?:numbers?|values?|reals|inputs|x)|everything|anything"
        r"|domain|range"
        r"|solutions?|solution set)"
    )
    return [
        rf"{name}\s?{relation}\s?{end}{_NO_MORE}",
        rf"{_NOT_PART}{end}\s?{turned}\s?{_VARIABLE}(?![\w^*+-])",
        rf"(?:{name}|{numbers})\s[^.!?\n<>=]{{0,40}}\b(?:{bound})\s(?:or equal to )?{end}{_NO_MORE}",
    ]


def names_intervals(answer: str) -> Callable[[str, str], bool] | None:
    """A test whether a text names every piece of the answer and the question does not write them down.

    Both in plain writing. None where the answer is no interval.
    """
    pieces = intervals_of(answer)
    if not pieces:
        return None
    patterns = [interval_pattern(piece) for piece in pieces]
    wanted = [_with_values(piece) for piece in pieces]
    whole, holes = _without_holes(wanted)
    whole_pattern = interval_pattern(Interval(pieces[0].left, pieces[0].low, pieces[-1].high, pieces[-1].right))

    def writes(text: str) -> bool:
        digits = with_digits(text)
        return all(pattern.search(text) or pattern.search(digits) for pattern in patterns)

    def names(text: str, question: str) -> bool:
        if writes(question):
            return False
        if writes(text):
            return True
        given, digits = described(text), with_digits(text)

        def all_named(pieces: Sequence[Piece | None]) -> bool:
            return all(piece is not None and any(map(piece.agrees, given)) for piece in pieces)

        if all_named(wanted):
            return True
        named_whole = whole is not None and (all_named([whole]) or whole_pattern.search(digits))
        return bool(named_whole) and excludes(digits, holes)

    return names


def _without_holes(pieces: Sequence[Piece | None]) -> tuple[Piece | None, list[float]]:
    """[2, 5) and (5, 9) as [2, 9] without 5; None where the pieces do not meet in such points."""
    known = [piece for piece in pieces if piece is not None]
    holes = [one.high for one, other in pairwise(known) if one.high == other.low and not (one.right or other.left)]
    if not holes or len(holes) != len(pieces) - 1:
        return None, []
    return Piece(known[0].left, known[0].low, known[-1].high, known[-1].right), holes


def _with_values(piece: Interval) -> Piece | None:
    low, high = end_value(piece.low), end_value(piece.high)
    return None if low is None or high is None else Piece(piece.left == "[", low, high, piece.right == "]")
