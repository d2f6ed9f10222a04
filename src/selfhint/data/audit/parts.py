"""Problems of several parts: (a) … (b) …, (i) … (ii) …, subproblems."""

from __future__ import annotations

import re

_SERIES = (
    re.compile(r"(?:^|(?<=[\s.;:?]))\(?([a-h])\)\s"),
    re.compile(r"(?:^|(?<=[\s.;:?]))\((i{1,3}|iv|v|vi)\)\s"),
)
"""What begins a part, by its mark."""
_FIRST_TWO = ({"a", "b"}, {"i", "ii"})
_ASKS = re.compile(
    r"\?|\b(?:find|determine|compute|calculate|what|how many|how much|how long|prove|show|give|write|evaluate|solve"
    r"|sketch|estimate|derive|explain|state|express)\b",
    re.IGNORECASE,
)
"""A part that only sets a condition has none of these."""
_NAMED = re.compile(
    r"^[^\S\n]*((?:sub-?problem|part|question|task)\s+(?:\d+|[a-h]))\s*[.:)]", re.IGNORECASE | re.MULTILINE
)


def several_parts(text: str) -> str | None:
    """The marks of the parts: named ones, or letters and numerals of which at least two ask for something."""
    named = dict.fromkeys(_NAMED.findall(text))
    if len(named) > 1:
        return ", ".join(named)
    for series, first_two in zip(_SERIES, _FIRST_TWO, strict=True):
        marks = list(series.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        parts = zip(marks, ends, strict=False)  # without marks there is an end all the same
        asking = [mark[0].strip() for mark, end in parts if _ASKS.search(text, mark.end(), end)]
        if len(set(asking)) > 1 and first_two <= {mark[1] for mark in marks}:
            return " ".join(dict.fromkeys(asking))
    return None
