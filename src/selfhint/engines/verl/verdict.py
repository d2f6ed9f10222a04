"""A verdict from what verl's reward loop returns for one completion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict

SCORE = "score"
CORRECT = "acc"
"""What verl's own reward functions call the one reward that says whether a completion is correct."""
UNREADABLE = "gold_unreadable"
"""Set by selfhint's own reward function where nothing can be said of the completion."""


def verdict_of(score: float, returned: Mapping[str, Any], correct: str | None, at_least: float) -> Verdict:
    """The verdict of one completion.

    Args:
        score: the reward that verl trains on.
        returned: what the reward function returned beside it (`reward_extra_info`).
        correct: which reward says whether it is correct; None where only one can be meant.
        at_least: the threshold.

    Raises:
        InputError: there is no such reward, or several could be meant.
    """
    if returned.get(UNREADABLE):
        return Verdict(correct=None, reward=None, reason="gold unreadable")
    numbers = {name: float(value) for name, value in returned.items() if _is_number(value) and name != UNREADABLE}
    rewards = {**numbers, SCORE: score}
    if correct is None:
        others = rewards.keys() - {SCORE, CORRECT}
        if others and CORRECT not in rewards:
            raise InputError(
                f"the reward function returns {', '.join(sorted(rewards))}: name the one that says whether a "
                "completion is correct, for example selfhint.correct=score"
            )
        correct = CORRECT if CORRECT in rewards else SCORE
    if correct not in rewards:
        raise InputError(
            f"selfhint.correct={correct}: the reward function returns no such number (it returns "
            f"{', '.join(sorted(rewards))})"
        )
    return Verdict(correct=rewards[correct] >= at_least, reward=rewards[correct])


def _is_number(value: Any) -> bool:
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    return isinstance(value, int | float | bool)
