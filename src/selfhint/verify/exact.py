"""Answers that are right only as the same text."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.reasons import CORRECT, GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import as_text, normalised


class ExactVerifier:
    r"""Compares the last \boxed{…} of a prediction, or the whole of it where it has no box, with the gold as text."""

    name = "exact"

    def judge(self, golds: Sequence[object], predictions: Sequence[str]) -> list[Verdict]:
        """Verdicts in order."""
        return [self._judge(as_text(g), p) for g, p in zip(golds, predictions, strict=True)]

    def _judge(self, gold: str, prediction: str) -> Verdict:
        boxed = last_boxed(prediction)
        answer = normalised(prediction if boxed is None else boxed)
        expected = normalised(gold)
        if not expected:
            reason = GOLD_UNREADABLE
        elif not answer:
            reason = NO_ANSWER
        else:
            reason = MATCH if answer == expected else MISMATCH
        return Verdict.of(CORRECT[reason], extracted=answer or None, reason=reason)

    def close(self) -> None:
        """Nothing to release."""
