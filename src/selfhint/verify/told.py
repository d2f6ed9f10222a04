"""What the last sentence of a running text says its answer is."""

from __future__ import annotations

import re

MAX_TOLD = 300
"""Characters at the end of a text in which an answer is announced."""
_ANSWER = re.compile(r"\banswers?\b[^:=\n]{0,80}?(?:\b(?:is|are)\b\s?:?|:|=)\s+", re.IGNORECASE)
_WORD = re.compile(
    r"\b(?:answers?|values|is|are|was|were|equals?|equal to|gets?|obtain|have|gives?|yields?|therefore|thus|hence|so)\b"
    r"\s?[,:]?\s+",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?<![\w)])\*\*|\*\*(?![\w(])")
_LINE_AFTER = re.compile(r"(\b(?:is|are|answer)|:)[ \t]*\n\s*(?:[-*•]\s+)?", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?](?=\s)|\n")


def told(text: str) -> str | None:
    """What follows "the answer is", or else the last "is", "get", "therefore" or the like, to the end of the text.

    Only the last sentence counts, and a line below "the answer is:", without its bullet. None where there is nothing
    of the kind, or where an earlier sentence announces the answer and the last one something else. Whether it is an
    answer at all is for others to say: "It is 5 apples" gives "5 apples".
    """
    text = _LINE_AFTER.sub(r"\1 ", _BOLD.sub("", text[-MAX_TOLD:]).strip())
    *before, sentence = _SENTENCE.split(text.removesuffix("."))
    announced = _ANSWER.search(sentence)
    if announced is None and not any(map(_ANSWER.search, before)):
        announced = last_announced(sentence)
    return sentence[announced.end() :].strip() or None if announced else None


def last_announced(line: str) -> re.Match[str] | None:
    """The last word of a line that announces values; what follows it begins at the match's end."""
    matches = list(_WORD.finditer(line))
    return matches[-1] if matches else None
