"""What a kind of answer is: what can be said of one pair at once, and what a worker is asked for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from selfhint.core.group import Verdict
from selfhint.verify.reasons import CORRECT, MATCH

MAX_TEXT = 4000
"""Characters. Of a text without a box no more than its end is searched for an answer."""

Request = dict[str, Any]
"""Plain JSON for the worker. `kind` says which of its judges is asked; `extracted` is what a verdict without a reply
shows as the answer. The pool adds `limit`, in seconds."""
Reply = Mapping[str, Any]
"""The worker's answer: `reason`, `extracted`, and where a kind has degrees `reward`; `error` says what a crash was."""


class Kind(Protocol):
    """A way to compare one answer with its gold."""

    @property
    def name(self) -> str:
        """The recipe's name of it."""
        ...

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """The verdict, where it needs no worker, else what to ask one. Cheap, linear in the texts, raises nothing."""
        ...

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """Requests with known reasons, to be asked of every new worker; empty where no worker is ever asked."""
        ...


def verdict_of(reply: Reply, seconds: float) -> Verdict:
    """The verdict that a worker's reply stands for."""
    reason = reply["reason"]
    correct = CORRECT[reason]
    reward = reply.get("reward", None if correct is None else float(reason == MATCH))
    return Verdict(correct=correct, reward=reward, extracted=reply["extracted"], reason=reason, seconds=seconds)
