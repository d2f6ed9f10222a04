"""What a question asks: its asking sentence and the words in it that mean something."""

from __future__ import annotations

import re

_CONTENT_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_FREQUENT_WORDS = (
    "the and are was were who what which when where how does did has have had with from that this for its not her his "
    "one two many much number function answer yes find whether"
)
_EMPTY_WORDS = frozenset(_FREQUENT_WORDS.split())


_ORDERS = r"(?:find|determine|compute|calculate|solve|evaluate|give)\b"
_ORDER = re.compile(rf"\W*(?:(?:please|then|now|hence|thus|also|next)\W+){{0,3}}{_ORDERS}", re.IGNORECASE)
_ASKED_LETTER = re.compile(
    r"\b(?:(?:values?|size|measure) of|solve(?: the equation)? for|find|determine|compute|calculate|evaluate"
    r"|what (?:is|are))"
    r" (?:all |the )?(?:(?:possible |real |integer )?values? of )?([a-zA-Z])(?![\w'(=]| [(=])",
    re.IGNORECASE,
)


def asked(question: str) -> str:
    """The last sentence that asks or, where none does, that orders ("Find ..."); else the whole question."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", question)
    asking = [s for s in sentences if s.rstrip().endswith("?")] or [s for s in sentences if _ORDER.match(s)]
    return asking[-1] if asking else question


def asked_letters(question: str) -> frozenset[str]:
    """The letters whose values a question in plain writing asks for: the x of "Solve for x"."""
    return frozenset(_ASKED_LETTER.findall(question))


def content(text: str) -> set[str]:
    """The words of some meaning, in lower case, without a plural s, cut to six letters; and the numbers."""
    words = [word.casefold() for word in _CONTENT_WORD.findall(text)]
    return {word.removesuffix("s")[:6] for word in words if word not in _EMPTY_WORDS}
