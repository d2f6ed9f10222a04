"""A word spelled out letter by letter, all but a few of them: "M A P _ E", "h-e-p-t-a-g-o-n"."""

from __future__ import annotations

import re

MIN_LETTERS = 4
MAX_OPEN = 0.25
"""Share of the letters that may be left open."""

_SPELLED = re.compile(r"(?<![\w-])[A-Za-z_?*](?:[ -]{1,2}[A-Za-z_?*]){3,30}(?![\w-])")


def spells(text: str, answer: str) -> bool:
    """Whether a text spells the answer, with at most a quarter of its letters left open."""
    word = re.sub(r"[^a-z]", "", answer.casefold())
    if len(word) < MIN_LETTERS:
        return False
    for found in _SPELLED.finditer(text):
        letters = re.sub(r"[ -]", "", found.group().casefold())
        is_open = [letter in "_?*" for letter in letters]
        if len(letters) == len(word) and sum(is_open) <= MAX_OPEN * len(word):
            return all(blank or a == b for a, b, blank in zip(letters, word, is_open, strict=True))
    return False
