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
_TOOLS_AFTER = re.compile(rf" (?:[A-Za-z]+ )?({'|'.join(_ASKED_AS)})\b", re.IGNORECASE)
_COUNTS = {
    noun: re.compile(rf"\b(?:how many|number of|count)\b[^.?!\n]{{0,60}}\b(?:{words})", re.IGNORECASE)
    for noun, words in _ASKED_AS.items()
}


def counts_tools(text: str, span: Span, question: str) -> bool:
    """Whether the number at `span` counts equations, numbers, … that the question does not ask the number of."""
    if len(span.written) > 1:
        return False
    tools = _TOOLS_AFTER.match(text, span.end)
    return tools is not None and not _COUNTS[tools[1].lower()].search(question)
