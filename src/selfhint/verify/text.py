"""Answers as text: from any value, without maths delimiters, in one spelling."""

from __future__ import annotations

import re
import unicodedata

_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
_DELIMITER = re.compile(r"(?<!\\)(?:\$|\\[()\[\]])")


def as_text(gold: object) -> str:
    """A gold answer as text: data files also hold numbers, and null for none."""
    return "" if gold is None else str(gold)


def has_delimiter(text: str) -> bool:
    r"""Whether maths begins or ends somewhere in the text: $, \\(, \\[ and their ends, not escaped."""
    return _DELIMITER.search(text) is not None


def undelimited(text: str) -> str:
    """The text stripped, and without the maths delimiters where one pair encloses the whole of it."""
    text = text.strip()
    for begin, end in _DELIMITERS:
        if len(text) >= len(begin) + len(end) and text.startswith(begin) and text.endswith(end):
            inner = text[len(begin) : -len(end)]
            if not has_delimiter(inner) and not inner.endswith("\\"):
                return inner.strip()
    return text


def normalised(text: str) -> str:
    """Unicode normal form C, stripped, each run of white space one blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())
