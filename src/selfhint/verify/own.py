"""What a completion says that gives the gold answer itself."""

from __future__ import annotations

import json
from collections.abc import Mapping

from selfhint.verify.text import as_text

WITH_ANSWER = ("choice", "reasoning_gym")
"""Kinds whose gold may be an object, or its JSON, with the answer in it."""


def own_answer(kind: str, gold: object) -> str | None:
    """The answer in a gold; None where it holds none."""
    if kind in WITH_ANSWER:
        entry = gold
        if isinstance(gold, str) and gold.lstrip().startswith("{"):
            try:
                entry = json.loads(gold)
            except (ValueError, RecursionError):
                return None
        if isinstance(entry, Mapping):
            gold = entry.get("answer")
    return as_text(gold).strip() or None
