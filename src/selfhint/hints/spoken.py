"""Formulas read aloud: "four times the square root of 3", "half of n(n+1)"."""

from __future__ import annotations

import re

from selfhint.hints.number_words import with_digits

_ATOMS = r"(?:[\w^]|\([^()]{1,20}\)){1,20}"
_TERM = rf"{_ATOMS}(?: ?[-+*/^] ?{_ATOMS}){{0,4}}"
_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE), sign)
    for pattern, sign in (
        (r"(?<=\d/\d) of (?:the )?|(?<=\d/\d\d) of (?:the )?", "*"),
        (rf"\b(\d+|[a-z]) less than (?:the )?({_TERM})", r"\2 - \1"),
        (rf"\b(\d+|[a-z]) more than (?:the )?({_TERM})", r"\2 + \1"),
        (rf"\bmultiply (?:the )?({_TERM}) by ({_TERM})(?: and|, then|,)? ", r"\1 * \2, "),
        (r"\bplus (?:a |an |the |some )?(?:arbitrary )?constant\b", "+ C"),
        (r"\b(?:twice|double) (?:the )?(?=[\w(])", "2 "),
        (r"\bsubtract (?:the )?(\w+) from (?:the )?(?=[\w(])(\w+)", r"\2 - \1"),
        (r"\badd (?:the )?(\w+) to (?:the )?(?=[\w(])(\w+)", r"\2 + \1"),
        (r"\bsum of (?:the )?(\w+) and (\w+)\b", r"(\1 + \2)"),
        (r"\bdifference of (?:the )?(\w+) and (\w+)\b", r"(\1 - \2)"),
        (r"\bproduct of (?:the )?(\w+) and (\w+)\b", r"\1 * \2"),
        (r"\b(\w{1,3}) choose (\w{1,3})\b", r"C(\1, \2)"),
        (r"\b(sin|cos|tan|ln|log|exp)(?:e|ine|ent)? of ", r"\1 "),
        (r"(?:[;,] ?| )(?:and |then ){0,3}add(?:ing)? (?:back )?(?:the |another )?(?=[\w(])", " + "),
        (r"(?:[;,] ?| )(?:and |then ){0,3}subtract(?:ing)? (?:the |another )?(?=[\w(])", " - "),
        (r"\b(?:times|multiplied by) (?:the )?", "* "),
        (r"\b(?:divided by|over) (?:the )?", "/ "),
        (r"\bplus (?:the )?", "+ "),
        (r"\bminus (?:the )?", "- "),
        (r"(?<=[\w)]) squared\b", "^2"),
        (r"(?<=[\w)]) cubed\b", "^3"),
        (r"\bto the (?:power (?:of )?)?(?=[\w(-])", "^"),
        (r"\b(?:the )?square root of (\d+|[a-z])\b", r"sqrt(\1)"),
        (r"\broot (?:of )?(\d+)\b", r"sqrt(\1)"),
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
