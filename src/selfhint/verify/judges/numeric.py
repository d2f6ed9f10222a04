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
    gold, answer = _value(request["gold"]), _value(request["answer"])
    if gold is None:
        reason = GOLD_UNREADABLE
    elif answer is None:
        reason = NO_ANSWER
    else:
        same = within(gold, answer, request["tolerance"], request["absolute"])
        reason = MATCH if same else MISMATCH
    return {"reason": reason, "extracted": request["extracted"]}


def _value(text: str) -> Fraction | None:
    """The number that a formula is; None where it is none, or has variables."""
    expression = next((item for item in read_answer(text) if isinstance(item, Expr)), None)
    if expression is None or expression.free_symbols or too_large(expression):
        return None
    value = real_value(expression, {})
    return None if value is None else Fraction(value)
