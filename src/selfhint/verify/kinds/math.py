"""Mathematical answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import MAX_TEXT, Request
from selfhint.verify.kinds.choice import ChoiceKind
from selfhint.verify.latex import repaired, tidy
from selfhint.verify.number import plain_number, same_number
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH
from selfhint.verify.text import as_text, last_formula, normalised, readable, tagged, undelimited

_LETTER = re.compile(r"\(?[A-J]\)?|\\text\w*\{\(?[A-J]\)?\}")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


@dataclass(frozen=True, slots=True)
class MathKind:
    r"""The last \boxed{…} of a prediction, or what can be found in it, equals the gold as mathematics.

    Equal text is correct, plain numbers are compared as such, and a gold that is a letter from A to J is one of several
    choices; none of these needs a worker.
    """

    name = "math"

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """The verdict, or what to ask math-verify."""
        prediction, expected = repaired(tagged(prediction)), repaired(as_text(gold))
        box = last_boxed(prediction)
        text = last_formula(prediction) if box is None else box
        answer = undelimited(text)
        expected = undelimited(last_boxed(expected) or expected)
        if expected and normalised(expected) in (normalised(answer), normalised(prediction)):
            return Verdict.of(True, extracted=answer, reason=MATCH)
        if _INTEGER.fullmatch(expected) and _INTEGER.fullmatch(answer):
            return Verdict.of(False, extracted=answer, reason=MISMATCH)
        if not expected or not readable(expected):
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        if _LETTER.fullmatch(expected):
            picked = ChoiceKind().quick(expected, prediction)
            if box is None or picked.correct:
                return picked
        numbers = [plain_number(tidy(side)) if readable(side) else None for side in (answer, expected)]
        if numbers[0] is not None and numbers[1] is not None:
            same = same_number(numbers[1], numbers[0])
            return Verdict.of(same, extracted=answer, reason=MATCH if same else MISMATCH)
        if box is None and answer == text:
            return _request(expected, answer[-MAX_TEXT:], whole=False)
        return _request(expected, answer if readable(answer) else None, whole=True)

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """A right and a wrong pair: math-verify has been seen to score everything 0 without a word."""
        return (
            (_request(r"\frac{1}{2}", "so the answer is $0.5$", whole=False), MATCH),
            (_request(r"\sqrt{3}", r"\sqrt{2}", whole=True), MISMATCH),
        )


def _request(gold: str, answer: str | None, whole: bool) -> Request:
    """About an answer that stands by itself (`whole`), or about a text that may hold one."""
    extracted = answer if whole else None
    return {"kind": "math", "gold": gold, "answer": answer, "whole": whole, "extracted": extracted}
