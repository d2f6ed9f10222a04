"""Pictures in problems: drawn by commands, linked to, or only spoken of."""

from __future__ import annotations

import re
from collections.abc import Callable

_DRAWN = re.compile(r"\[asy\]|\\begin\{(?:tikzpicture|asy|picture|pspicture)\}|<svg\b", re.IGNORECASE)
_LINKED = re.compile(
    r"!\[(?:(?!!\[)[^\]\n])*\]\(|<img\b|<img_\d+>|\\includegraphics|<image(?:_?\d+)?>|\bdata:image/", re.I
)
_THING = r"(?:figure|diagram|picture|graph|chart|illustration|drawing|sketch|image|map|photo(?:graph)?)"
_SPOKEN_OF = re.compile(
    rf"\b{_THING}s?\s+(?:(?:is|are|as)\s+)?(?:shown|below|above|(?:at|on|to) (?:the )?(?:right|left))\b"
    r"|\b(?:the|this|that|following|accompanying|adjacent)\s+(?:figure|diagrams?|illustrations?)\b(?!-)"
    r"|\bas (?:shown|pictured|illustrated|depicted)\b(?! (?:that|by))|\bpictured\b"
    rf"|\b(?:shown|depicted|illustrated)\s+(?:here|below|above|(?:in|on|by) the\s+(?:\w+\s+)?{_THING})\b"
    r"|\b(?:figure|fig\.)\s*~?\d",
    re.IGNORECASE,
)
_TABLE = re.compile(r"\\begin\{(?:array|tabular|[a-z]*matrix)\}|^[^\S\n]*\|.*\|[^\S\n]*$", re.MULTILINE)
"""What is shown may be this."""


def drawn(text: str) -> str | None:
    """Drawing commands."""
    return _first(_DRAWN, text)


def linked(text: str) -> str | None:
    """An address or a placeholder."""
    return _first(_LINKED, text)


def missing(text: str) -> str | None:
    """Words about a picture where there is neither one nor a table."""
    return None if drawn(text) or linked(text) or _TABLE.search(text) else _first(_SPOKEN_OF, text)


PROBLEM_CHECKS: dict[str, Callable[[str], str | None]] = {
    "picture_drawn": drawn,
    "picture_linked": linked,
    "picture_missing": missing,
}
"""Kind of finding → what sees it in a problem's text: what it saw, or None."""


def in_solution(text: str) -> str | None:
    """A picture of either kind."""
    return drawn(text) or linked(text)


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return None if match is None else " ".join(match[0].split())
