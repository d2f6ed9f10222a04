"""Formulas read aloud: "four times the square root of 3", "half of n(n+1)"."""

from __future__ import annotations

import re

from selfhint.hints.number_words import with_digits

_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (r"(?<=\d/\d) of (?:the )?|(?<=\d/\d\d) of (?:the )?", "*"),
        (r"\b(?:times|multiplied by) (?:the )?", "* "),
        (r"\b(?:divided by|over) (?:the )?", "/ "),
        (r"\bplus (?:the )?", "+ "),
        (r"\bminus (?:the )?", "- "),
        (r"(?<=[\w)]) squared\b", "^2"),
        (r"(?<=[\w)]) cubed\b", "^3"),
        (r"\bto the (?:power (?:of )?)?(?=[\w(-])", "^"),
        (r"\b(?:the )?square root of (\d+|[a-z])\b", r"sqrt(\1)"),
        (r"\broot (\d+)\b", r"sqrt(\1)"),
        (r"\b(?:the )?natural log(?:arithm)? of ", "ln "),
        (r"\bthe (?=sqrt)", ""),
    )
)


def spoken(text: str) -> str:
    """Plain writing `text` with number words as digits and the names of operations as signs."""
    text = with_digits(text)
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text
