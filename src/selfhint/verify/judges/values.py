"""Several values, each compared as mathematics."""

from __future__ import annotations

from typing import Any

from selfhint.verify.judges.equality import same
from selfhint.verify.judges.several import assigned
from selfhint.verify.kinds.base import Request
from selfhint.verify.reasons import MATCH, MISMATCH


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `ValuesKind`, whose lists are of one length."""
    gold, answer = request["gold"], request["answer"]
    if request["ordered"]:
        right = all(same(*pair) for pair in zip(gold, answer, strict=True))
    else:
        right = assigned(gold, answer, same)
    return {"reason": MATCH if right else MISMATCH, "extracted": request["extracted"]}
