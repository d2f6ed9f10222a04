"""Planted near-duplicates of problems, and problems that only look like them: the same template with other numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

NAMES = ("Priya", "Tomasz", "Oyelaran", "Beatrix", "Hiroshi", "Lucinda", "Mateus", "Saoirse")
PREFIXES = (
    "Solve the following problem step by step.\n\n",
    "Please answer this question carefully: ",
    "Question 17. ",
    "[Source: state contest, 2019] ",
    "Here is a math problem for you. Show all of your work before you give the final answer.\n\n",
)
MACROS = (
    (r"\frac", r"\dfrac"),
    (r"\dfrac", r"\tfrac"),
    (r"\cdot ", r"\times "),
    (r"\le ", r"\leq "),
    (r"\ge ", r"\geq "),
    ("$", "$ "),
    ("(", r"\left("),
    (")", r"\right)"),
)
_WORD = re.compile(r"(?<![\\A-Za-z{])[a-z]{4,}(?![A-Za-z}])")
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}\b")
_NUMBER = re.compile(r"(?<![\d.\\^_{])\d+(?:\.\d+)?(?![\d.]*\d)")
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True, slots=True)
class Plant:
    """A text made from a problem.

    Args:
        kind: what was done to it.
        text: the changed text.
        is_duplicate: whether it still is the same problem.
    """

    kind: str
    text: str
    is_duplicate: bool


def typos(text: str, rng: random.Random) -> str | None:
    """One word in twelve, at least two: two letters swapped, one left out or one doubled."""
    words = list(_WORD.finditer(text))
    if len(words) < 6:
        return None
    chosen = sorted(rng.sample(words, max(2, len(words) // 12)), key=lambda match: match.start(), reverse=True)
    for match in chosen:
        word, i = match[0], rng.randrange(1, len(match[0]) - 1)
        wrong = rng.choice(
            (word[:i] + word[i + 1] + word[i] + word[i + 2 :], word[:i] + word[i + 1 :], word[:i] + word[i - 1 :])
        )
        text = text[: match.start()] + wrong + text[match.end() :]
    return text


def renamed(text: str, rng: random.Random) -> str | None:
    """Every name becomes another."""
    found = sorted(set(_NAME.findall(text)))
    if not found:
        return None
    for old, new in zip(found, rng.sample(NAMES, min(len(found), len(NAMES))), strict=False):
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def respelt(text: str, rng: random.Random) -> str | None:
    """Other LaTeX macros, blanks around signs, double blanks."""
    changed = text
    for old, new in MACROS:
        if rng.random() < 0.7 and r"\left" not in text:
            changed = changed.replace(old, new)
    changed = re.sub(r"\s*([=+])\s*", r" \1 ", changed)
    changed = changed.replace(". ", ".  ").replace(", ", " , ")
    return changed if changed != text else None


def reordered(text: str, rng: random.Random) -> str | None:
    """Sentences in another order."""
    sentences = _SENTENCE.split(text)
    if len(sentences) < 3 or "[asy]" in text or "\nA. " in text:
        return None
    order = sentences[:]
    while order == sentences:
        rng.shuffle(order)
    return " ".join(order)


def prefixed(text: str, rng: random.Random) -> str | None:
    """A sentence or a label before it."""
    return rng.choice(PREFIXES) + text


def several(text: str, rng: random.Random) -> str | None:
    """Typing errors, another name where there is one, and a prefix."""
    wrong = typos(text, rng)
    return None if wrong is None else prefixed(renamed(wrong, rng) or wrong, rng)


def _other(number: str, rng: random.Random) -> str:
    value = float(number)
    while True:
        other = max(1, round(value * rng.uniform(0.4, 2.5)) + rng.choice((-2, -1, 1, 2, 3)))
        if other != value:
            return str(other)


def other_numbers(text: str, rng: random.Random) -> str | None:
    """Every number is another one."""
    changed = _NUMBER.sub(lambda match: _other(match[0], rng), text)
    return changed if changed != text else None


def one_other_number(text: str, rng: random.Random) -> str | None:
    """One number is another one."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    match = rng.choice(numbers)
    return text[: match.start()] + _other(match[0], rng) + text[match.end() :]


def swapped_numbers(text: str, rng: random.Random) -> str | None:
    """Two different numbers change places."""
    numbers = list(_NUMBER.finditer(text))
    pairs = [(a, b) for a in numbers for b in numbers if a.start() < b.start() and a[0] != b[0]]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


DUPLICATES: dict[str, Callable[[str, random.Random], str | None]] = {
    "typos": typos,
    "renamed": renamed,
    "respelt": respelt,
    "reordered": reordered,
    "prefixed": prefixed,
    "several": several,
}
OTHERS: dict[str, Callable[[str, random.Random], str | None]] = {
    "all numbers": other_numbers,
    "one number": one_other_number,
    "swapped numbers": swapped_numbers,
}


def plant(text: str, rng: random.Random, *, duplicates: bool) -> list[Plant]:
    """One plant of each kind that the text allows."""
    kinds = DUPLICATES if duplicates else OTHERS
    made = ((kind, make(text, rng)) for kind, make in kinds.items())
    return [Plant(kind, changed, duplicates) for kind, changed in made if changed is not None and changed != text]
