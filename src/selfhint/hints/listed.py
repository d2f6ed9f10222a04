"""An answer of several values that a text lists: "3, 5 and 7" for {3, 5, 7}."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from selfhint.hints.answer_forms import AnswerForms
from selfhint.hints.occurrences import Span, occurrences
from selfhint.hints.stated import is_stated

MIN_UNSTATED = 3
"""Two values may stand beside each other by chance: such a list has to be stated as the answer."""

_BETWEEN = re.compile(r"\s?(?:[,;]\s?)?(?:(?:and|or)\s)?(?:[a-z]\s?=\s?)?")
_MORE_BEFORE = re.compile(r"(?:\d|\.\.|…)\s?(?:,|;|\band\b)\s?(?:and\s)?$")
_MORE_AFTER = re.compile(r"\s?(?:,|;|\band\b)\s?(?:and\s)?(?:-?\s?\d|\.\.|…|\\[lc]?dots)")
_TRIED_BEFORE = re.compile(
    r"\b(?:try|trying|test|testing|check|checking|consider|plug|put|substitut\w+|insert|for|let|compute|evaluate|when"
    r"|if|compare)\b[^.!?\n]{0,40}$|[A-Za-z]\($",
    re.IGNORECASE,
)
"""Values that are to be tried, not found, or those of a function: gcd(4, 6)."""


class _Listing(NamedTuple):
    """Values of an answer beside each other: where they stand, and which they are."""

    span: Span
    values: tuple[str, ...]


def names_list(text: str, parts: Sequence[AnswerForms], ordered: bool, question: str) -> bool:
    """Whether a text lists all parts of an answer and nothing else, in any order unless they are `ordered`.

    Where the question lists them, too, it asks for an order, and only the answer's own tells something.
    """
    wanted = tuple(part.text for part in parts)
    asked = [listing.values for listing in _listings(question, parts) if sorted(listing.values) == sorted(wanted)]
    if wanted in asked:
        return False
    in_order = ordered or bool(asked)
    return any(
        (listing.values == wanted if in_order else sorted(listing.values) == sorted(wanted))
        and _is_given(text, listing.span, len(wanted))
        for listing in _listings(text, parts)
    )


def _is_given(text: str, span: Span, num: int) -> bool:
    if _TRIED_BEFORE.search(text, max(0, span.start - 60), span.start):
        return False
    return num >= MIN_UNSTATED or is_stated(text, span)


def _listings(text: str, parts: Sequence[AnswerForms]) -> Iterator[_Listing]:
    """The runs of values with nothing but separators between them, none of which goes on with other numbers."""
    kinds = {part.text: part for part in parts}
    found = sorted((span.start, span.end, value) for value, form in kinds.items() for span in occurrences(text, form))
    run: list[tuple[int, int, str]] = []
    for here in found:
        if run and here[0] < run[-1][1]:
            continue
        if run and not _BETWEEN.fullmatch(text, run[-1][1], here[0]):
            yield from _closed(text, run)
            run = []
        run.append(here)
    yield from _closed(text, run)


def _closed(text: str, run: Sequence[tuple[int, int, str]]) -> Iterator[_Listing]:
    if not run:
        return
    start, end = run[0][0], run[-1][1]
    if not (_MORE_BEFORE.search(text, max(0, start - 12), start) or _MORE_AFTER.match(text, end)):
        yield _Listing(Span(start, end, text[start:end]), tuple(value for _, _, value in run))
