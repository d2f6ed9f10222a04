"""Whether (3, 5) answers a question for a point or a pair, where it could as well be an interval."""

from __future__ import annotations

import re

_TWO_BOUNDS = re.compile(r"\([^,()\[\]]*,[^,()\[\]]*\)|\[[^,()\[\]]*,[^,()\[\]]*\]")
_PAIR = re.compile(
    r"\b(?:pairs?|coordinates?|vert(?:ex|ices)|cent(?:er|re)|foc(?:us|i)|vectors?|midpoint|centroid)\b"
    r"|\( ?[A-Za-z](?:_\w)? ?, ?(?:[A-Za-z](?:_\w)?|\\[a-z]{2,9}) ?\)",
    re.IGNORECASE,
)
_MAYBE_PAIR = re.compile(r"\b(?:points?|intersections?|intersects?|roots)\b", re.IGNORECASE)
_INTERVAL = re.compile(
    r"\b(?:intervals?|inequalit\w{1,5}|domain|range|increasing|decreasing|convex|concave)\b", re.IGNORECASE
)
_ALL_VALUES = re.compile(r"\b(?:for (?:which|what)|all real|all (?:possible )?(?:values|[a-z]\b))", re.IGNORECASE)


def asks_for_pair(question: str, answer: str) -> bool:
    """Whether a question speaks of points or pairs, not of intervals, and `answer` is two parts in brackets of a kind.

    Both in plain writing.
    """
    bare = answer.strip(" .")
    if not _TWO_BOUNDS.fullmatch(bare) or "inf" in bare or _INTERVAL.search(question):
        return False
    return bool(_PAIR.search(question) or (_MAYBE_PAIR.search(question) and not _ALL_VALUES.search(question)))
