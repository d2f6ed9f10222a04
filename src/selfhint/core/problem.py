"""A problem and its identity: a key made from content, never a position."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field

from selfhint.core.prompt import Prompt

KEY_LENGTH = 16


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


@dataclass(frozen=True, slots=True)
class Problem:
    """One training problem (x, τ*, gold answer).

    Args:
        question: the problem text without any instruction around it.
        solution: the reference solution τ*, worked text; known in training only. None: no hint can be made.
        answer: the gold answer exactly as the data give it.
        prompt: what the solver is asked, without a hint.
        key: made from question and answer; never given by hand.
    """

    question: str
    solution: str | None
    answer: str
    prompt: Prompt
    key: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", content_key(self.question, self.answer))
