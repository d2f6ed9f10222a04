"""A problem and its identity: a key made from content, never a position."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from selfhint.core.levels import NUM_LEVELS
from selfhint.core.prompt import Prompt

KEY_LENGTH = 16

GivenTexts = Mapping[int, tuple[str, ...]]
"""Level → hint texts that came with the data."""

LEVEL_KEYS = tuple(f"level_{level}" for level in range(1, NUM_LEVELS + 1))
"""What data call the levels above 0."""
LIKE_A_LEVEL = re.compile(r"level_?\d+")
"""Names that are meant to be one of these; other data have columns such as `level` for something else."""


def comparable(text: str) -> str:
    """Two texts that differ only in Unicode composition or outer space are one."""
    return unicodedata.normalize("NFC", text).strip()


def content_key(question: str, answer: str) -> str:
    """The stable identity of a problem: a hash of its text and its answer, both in Unicode normal form C.

    The reference solution is not part of it, so that a better solution keeps the problem's history.

    Returns:
        16 hexadecimal digits (64 bits of SHA-256).
    """
    parts = (unicodedata.normalize("NFC", part).encode("utf-8", "surrogatepass") for part in (question, answer))
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:KEY_LENGTH]


def given_texts(value: Any) -> GivenTexts:
    """Hint texts as data hold them: `{"level_1": text or [texts], …}`, or a list with the entry of each level.

    A level that is missing, null or an empty list has no text; other keys of the mapping are not looked at.

    Raises:
        ValueError: it is of another form; the message ends the sentence "The hints are …".
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        strange = [key for key in value if LIKE_A_LEVEL.fullmatch(str(key)) and key not in LEVEL_KEYS]
        if strange:
            raise ValueError(f"given for {strange[0]!r}; the levels are {', '.join(LEVEL_KEYS)}")
        entries = [value.get(key) for key in LEVEL_KEYS]
    elif isinstance(value, list | tuple) and len(value) <= NUM_LEVELS:
        entries = list(value)
    else:
        raise ValueError(
            f"{str(value)[:40]!r}; give a mapping of {LEVEL_KEYS[0]} … {LEVEL_KEYS[-1]} or a list of {NUM_LEVELS}"
        )
    texts: dict[int, tuple[str, ...]] = {}
    for level, entry in enumerate(entries, start=1):
        of_level = [entry] if isinstance(entry, str) else [] if entry is None else entry
        if not isinstance(of_level, list | tuple) or not all(isinstance(text, str) for text in of_level):
            raise ValueError(f"no text at level {level} ({str(entry)[:40]!r}); give a text or a list of texts")
        if of_level:
            texts[level] = tuple(of_level)
    return texts


@dataclass(frozen=True, slots=True)
class Problem:
    """One training problem (x, τ*, gold answer).

    Args:
        question: the problem text without any instruction around it.
        solution: the reference solution τ*, worked text; known in training only. None: no hint can be made.
        answer: the gold answer exactly as the data give it.
        prompt: what the solver is asked, without a hint.
        hints: texts that came with the data, by level, in the order in which visits use them; never an empty tuple.
        key: made from question and answer; never given by hand.
    """

    question: str
    solution: str | None
    answer: str
    prompt: Prompt
    hints: GivenTexts = field(default_factory=dict)
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", content_key(self.question, self.answer))
