"""reasoning-gym's own verifiers."""

from __future__ import annotations

from typing import Any

import reasoning_gym

from selfhint.verify.judges.function import crashed, scored
from selfhint.verify.kinds.base import Request


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `ReasoningGymKind`."""
    try:
        score = reasoning_gym.get_score_answer_fn(request["gold"]["metadata"]["source_dataset"])
        return scored(score(answer=request["answer"], entry=request["gold"]), request["extracted"])
    except Exception as error:  # some tasks' verifiers raise on answers of another form
        return crashed(error, request["extracted"])
