"""The verifier as verl's reward function.

    reward.custom_reward_function.path=pkg://selfhint.verify.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.kind=math

The last line is optional, and `time_limit`, `workers` and the kind's own options go the same way. A verl that takes no
`pkg://` gets the path of this file.
"""

from __future__ import annotations

import functools
from typing import Any

from selfhint.verify import make_verifier
from selfhint.verify.pooled import PooledVerifier


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: dict[str, Any] | None = None,
    *,
    kind: str = "math",
    **options: Any,
) -> dict[str, Any]:
    """The verdict of one completion, as verl's reward managers take it. Any number of threads may call it at a time.

    Returns:
        `score` and `acc` (1 or 0), `gold_unreadable` (1 where nothing can be said, so that the score is 0 for want of
        a number), `extracted` and `reason`, as in a verdict. The keys are always the same, as verl wants it.

    Raises:
        InputError: there is no such kind, or an option does not suit it.
        RunError: the workers cannot judge.
    """
    (verdict,) = _verifier(kind, **options).judge([ground_truth], [solution_str])
    return {
        "score": verdict.reward or 0.0,
        "acc": float(verdict.correct is True),
        "gold_unreadable": float(verdict.correct is None),
        "extracted": verdict.extracted or "",
        "reason": verdict.reason,
    }


@functools.cache
def _verifier(kind: str, **options: Any) -> PooledVerifier:
    """One for all calls in this process; it is closed when the process ends."""
    return make_verifier(kind, **options)
