"""Answers as text: from any value, without maths delimiters, in one spelling."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_LONG_INTEGER = 2000
"""Bits."""
MAX_ANSWER = 1000
"""Characters. A longer gold or boxed answer is compared as text only: parsing could take for ever."""
MAX_DEPTH = 20
"""Brackets within brackets; the same goes for more."""
_ANSWER, _ANSWER_END = "<answer>", "</answer>"
_DELIMITERS = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))
_NO_WORDS = re.compile(r"(?!.*[^\W\d_]{2})[^$\\]*", re.DOTALL)
_WORD_CHARACTER = re.compile(r"\w")
_GOES_ON = re.compile(r"[-+*/^=<>≤≥≈,×·÷(]")
_DELIMITER = re.compile(r"(?<!\\)(?:\$|\\[()\[\]])")


def as_text(gold: object) -> str:
    """A gold answer as text: data files also hold numbers, lists, and null for none."""
    if gold is None:
        return ""
    try:
        if isinstance(gold, int) and gold.bit_length() > _LONG_INTEGER:
            return f"{Decimal(gold):f}"  # str() refuses integers of more than 4,300 digits
        return str(gold)
    except (ValueError, RecursionError):  # a list with such an integer, or nested without end
        return ""


def tagged(text: str) -> str:
    """What stands in the last <answer>…</answer>; the whole text where there is none, or nothing in it."""
    end = text.rfind(_ANSWER_END)
    begin = text.rfind(_ANSWER, 0, end) if end >= 0 else -1
    if begin < 0:
        return text
    return text[begin + len(_ANSWER) : end].strip() or text


def readable(text: str) -> bool:
    """Whether a text is short and flat enough to be parsed."""
    if len(text) > MAX_ANSWER:
        return False
    depth = deepest = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    return deepest <= MAX_DEPTH


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


def last_formula(text: str) -> str:
    """The last line of a text that is nothing but lines of plain formulas; else the whole text, stripped.

    math-verify takes `20 + 1` and `21` on the next line for 20 + 121. Where a line goes on with an operator, or ends in
    one, it is right to join them.
    """
    text = text.strip()
    before, _, line = (part.strip() for part in text.rpartition("\n"))
    if not before or not _NO_WORDS.fullmatch(text) or not _WORD_CHARACTER.search(line):
        return text
    if _GOES_ON.match(line) or _GOES_ON.match(before[-1]):
        return text
    return line


def normalised(text: str) -> str:
    """Unicode normal form C, stripped, each run of white space one blank."""
    return " ".join(unicodedata.normalize("NFC", text).split())
