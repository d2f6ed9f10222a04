"""What a question asks: its asking sentence and the words in it that mean something."""

from __future__ import annotations

import re

_CONTENT_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_FREQUENT_WORDS = (
    "the and are was were who what which when where how does did has have had with from that this for its not her his "
    "one two many much number function answer yes find whether"
)
_EMPTY_WORDS = frozenset(_FREQUENT_WORDS.split())


def asked(question: str) -> str:
    """The sentence that asks; the whole question where none ends in a question mark."""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", question) if s.rstrip().endswith("?")]
    return sentences[-1] if sentences else question


def content(text: str) -> set[str]:
    """The words of some meaning, in lower case, without a plural s, cut to six letters; and the numbers."""
    words = [word.casefold() for word in _CONTENT_WORD.findall(text)]
    return {word.removesuffix("s")[:6] for word in words if word not in _EMPTY_WORDS}
