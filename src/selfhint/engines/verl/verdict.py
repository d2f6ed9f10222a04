"""A verdict from what verl's reward loop returns for one completion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict

SCORE = "score"
CORRECT = "acc"
"""What verl's own reward functions call the one reward that says whether a completion is correct."""
UNREADABLE = "gold_unreadable"
"""Set by selfhint's own reward function where nothing can be said of the completion."""
_NO_REWARD = Verdict(correct=None, reward=None, reason="no reward")


def verdict_of(score: Any, returned: Mapping[str, Any], correct: str | None, at_least: float) -> Verdict:
    """The verdict of one completion.

    Args:
        score: the reward that verl trains on.
        returned: what the reward function returned beside it (`reward_extra_info`).
        correct: which reward says whether it is correct; None where only one can be meant.
        at_least: the threshold.

    Returns:
        The verdict; nothing is said where the reward that decides is missing this time (None or NaN).

    Raises:
        InputError: there is no such reward, several could be meant, or one is no finite number.
    """
    if not _is_number(score) or not math.isfinite(score):
        raise InputError(f"the reward function's score is {_shown(score)}; let it return a finite number each time")
    if returned.get(UNREADABLE):
        return Verdict(correct=None, reward=None, reason="gold unreadable")
    numbers = {name: float(value) for name, value in returned.items() if _is_number(value) and name != UNREADABLE}
    rewards = {**numbers, SCORE: float(score)}
    if correct is None:
        others = rewards.keys() - {SCORE, CORRECT}
        if others and CORRECT not in returned:
            raise InputError(
                f"the reward function returns {', '.join(sorted(rewards))}: name the one that says whether a "
                "completion is correct, for example selfhint.correct=score"
            )
        correct = CORRECT if CORRECT in returned else SCORE
    if correct in returned and returned[correct] is None:
        return _NO_REWARD
    if correct not in rewards:
        raise InputError(
            f"selfhint.correct={correct}: the reward function returns no such number (it returns "
            f"{', '.join(sorted(rewards))})"
        )
    if math.isnan(rewards[correct]):
        return _NO_REWARD
    if math.isinf(rewards[correct]):
        raise InputError(
            f"selfhint.correct={correct}: the reward function returned {rewards[correct]}; let it be finite"
        )
    return Verdict(correct=rewards[correct] >= at_least, reward=rewards[correct])


def _shown(value: Any) -> str:
    return " ".join(repr(value).split())[:60]


def _is_number(value: Any) -> bool:
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    return isinstance(value, int | float | bool)
