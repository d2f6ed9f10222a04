"""Formulas as numbers, within a tolerance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import Expr

from selfhint.verify.judges.formulas import real_value
from selfhint.verify.judges.reading import read_answer
from selfhint.verify.judges.size import too_large
from selfhint.verify.kinds.base import Request
from selfhint.verify.kinds.numeric import within
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `NumericKind`."""
    golds = _golds(request)
    answer = _value(request["answer"]) if golds else None
    if not golds:
        reason = GOLD_UNREADABLE
    elif answer is None:
        reason = NO_ANSWER
    else:
        same = any(within(gold, answer, request["tolerance"], request["absolute"]) for gold in golds)
        reason = MATCH if same else MISMATCH
    return {"reason": reason, "extracted": request["extracted"]}


def _golds(request: Request) -> list[Fraction]:
    """Numbers that the answer may be: those that were read already, else the gold's formula."""
    if request["values"] is not None:
        return [Fraction(value) for value in request["values"]]
    gold = _value(request["gold"])
    return [] if gold is None else [gold]


def _value(text: str) -> Fraction | None:
    """The number that a formula is; None where it is none, or has variables."""
    expression = next((item for item in read_answer(text) if isinstance(item, Expr)), None)
    if expression is None or expression.free_symbols or too_large(expression):
        return None
    value = real_value(expression, {})
    return None if value is None else Fraction(value)
