"""Answers that are right only as the same text."""

from __future__ import annotations

from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import Request
from selfhint.verify.reasons import CORRECT, GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import as_text, normalised, tagged


@dataclass(frozen=True, slots=True)
class ExactKind:
    r"""The last \boxed{…} of a prediction, or the whole of it where it has no box, is the gold's text."""

    name = "exact"

    def quick(self, gold: object, prediction: str) -> Verdict:
        """The verdict."""
        prediction = tagged(prediction)
        boxed = last_boxed(prediction)
        answer = normalised(prediction if boxed is None else boxed)
        expected = normalised(as_text(gold))
        if not expected:
            reason = GOLD_UNREADABLE
        elif not answer:
            reason = NO_ANSWER
        else:
            reason = MATCH if answer == expected else MISMATCH
        return Verdict.of(CORRECT[reason], extracted=answer or None, reason=reason)

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """No worker is ever asked."""
        return ()
