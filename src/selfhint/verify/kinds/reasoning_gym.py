"""Tasks of reasoning-gym, judged by the task's own verifier."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import Request
from selfhint.verify.kinds.function import as_json
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import tagged

MAX_ANSWER = 100_000
"""Characters; a longer answer is none."""


@dataclass(frozen=True, slots=True)
class ReasoningGymKind:
    r"""The score of a reasoning-gym task is 1.

    The gold is the task's entry, an object or its JSON, with `answer` and `metadata.source_dataset` as reasoning-gym
    makes them. Of a prediction the last <answer>…</answer> counts, else the last \boxed{…}, else all of it. The
    verdict's reward is the score; tasks give parts of 1 for answers of the right form.

    Raises:
        InputError: reasoning-gym is not installed.
    """

    name = "reasoning_gym"

    def __post_init__(self) -> None:
        if find_spec("reasoning_gym") is None:
            raise InputError("verifier reasoning_gym: the package is missing; pip install 'selfhint[reasoning-gym]'")

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """What to ask the task's verifier."""
        entry = _entry(gold)
        if entry is None:
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        answer = _answer(prediction)
        if not answer or len(answer) > MAX_ANSWER:
            return Verdict.of(False, reason=NO_ANSWER)
        return {"kind": self.name, "gold": entry, "answer": answer, "extracted": answer}

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """A right and a wrong answer to one of its simplest tasks."""
        entry = {"question": "1 + 1 =", "answer": "2", "metadata": {"source_dataset": "basic_arithmetic"}}
        pair = {"kind": self.name, "gold": entry, "extracted": None}
        return ({**pair, "answer": "2"}, MATCH), ({**pair, "answer": "x"}, MISMATCH)


def is_entry(gold: str) -> bool:
    """Whether a gold is an entry of reasoning-gym, which no other kind can judge."""
    return gold.lstrip().startswith("{") and _entry(gold) is not None


def _entry(gold: object) -> dict[str, Any] | None:
    if isinstance(gold, str):
        try:
            gold = json.loads(gold)
        except (ValueError, RecursionError):
            return None
    if not isinstance(gold, Mapping) or (plain := as_json(dict(gold))) is None:
        return None
    entry: dict[str, Any] = plain[0]
    metadata = entry.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("source_dataset"), str):
        return None
    return entry


def _answer(prediction: str) -> str:
    inside = tagged(prediction)
    if inside is not prediction:
        return inside
    box = last_boxed(prediction)
    return prediction.strip() if box is None else box
