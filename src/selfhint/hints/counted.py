"""Small numbers that only count what a way of solving works with: "the two equations", "find two numbers that"."""

from __future__ import annotations

import re

from selfhint.hints.occurrences import Span

_NUMBERS = r"numbers|integer|value|prime|multiple|divisor|factor|solution|root|zero|digit|term|[b-hj-z]\b"
"""What a question may count where its answer tells how many numbers there are."""
_ASKED_AS = {
    "equations": "equation",
    "numbers": _NUMBERS,
    "conditions": "condition",
    "unknowns": "unknown|variable",
    "variables": "variable|unknown",
    "expressions": "expression",
    "sides": "side",
}
_THINGS = (
    r"squares|cubes|points|integrals|integers|angles|terms|factors|roots|lines|triangles|vertices|fractions|sums|products"
    r"|inequalities|identities|formulas|vectors|functions"
)
"""What a question that asks for no number of anything lets a hint count."""
_TOOLS_AFTER = re.compile(rf" (?:[A-Za-z]+ )?({'|'.join(_ASKED_AS)})\b", re.IGNORECASE)
_THINGS_AFTER = re.compile(rf" (?:[A-Za-z]+ )?(?:{_THINGS})\b", re.IGNORECASE)
_OWNED_BEFORE = re.compile(
    r"\b(?:she|he|they|who|each|everyone) (?:has|have|had|gets?|got|scored?|wins?|won|makes?) $", re.IGNORECASE
)
_ASKS_NUMBER = re.compile(r"\b(?:how many|number of|count)\b", re.IGNORECASE)
_IDENTITY_BEFORE = re.compile(r"\b(?:sum|difference)s? of (?:the )?$", re.IGNORECASE)
_IDENTITY_AFTER = re.compile(r" (?:perfect )?(?:squares|cubes)\b", re.IGNORECASE)
_ZERO_BEFORE = re.compile(r"\bnon-? ?$|\bnot (?:equal )?(?:to )?$|≠ ?$", re.IGNORECASE)
_ZERO_AFTER = re.compile(r"[- ](?:product|factor|divisor|vector|matrix|slope|polynomial)s?\b", re.IGNORECASE)
_COUNTS = {
    noun: re.compile(rf"\b(?:how many|number of|count)\b[^.?!\n]{{0,60}}\b(?:{words})", re.IGNORECASE)
    for noun, words in _ASKED_AS.items()
}


def counts_tools(text: str, span: Span, question: str) -> bool:
    """Whether the number at `span` counts equations, numbers, … that the question does not ask the number of."""
    if len(span.written) > 1:
        return False
    if _in_fixed_phrase(text, span):
        return True
    if tools := _TOOLS_AFTER.match(text, span.end):
        return not _COUNTS[tools[1].lower()].search(question)
    if _OWNED_BEFORE.search(text, max(0, span.start - 20), span.start) or _ASKS_NUMBER.search(question):
        return False
    return bool(_THINGS_AFTER.match(text, span.end))


def _in_fixed_phrase(text: str, span: Span) -> bool:
    """A difference of two squares, something non-zero, the zero product property."""
    before = text[max(0, span.start - 20) : span.start]
    if span.written == "0":
        return bool(_ZERO_BEFORE.search(before) or _ZERO_AFTER.match(text, span.end))
    return bool(_IDENTITY_BEFORE.search(before) and _IDENTITY_AFTER.match(text, span.end))
