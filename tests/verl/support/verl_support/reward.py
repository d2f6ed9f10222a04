"""Rewards for verl's `reward.custom_reward_function`; the lab's answers are digits."""

from __future__ import annotations

from typing import Any


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None, **unused: Any
) -> dict[str, float]:
    """1 for exactly the gold answer, else 0."""
    correct = float(solution_str == ground_truth)
    return {"score": correct, "acc": correct}


def digits_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None, **unused: Any
) -> dict[str, float]:
    """The share of digits among the characters: an untrained policy's completions differ in it, so weights move."""
    share = sum(character.isdigit() for character in solution_str) / max(1, len(solution_str))
    return {"score": share, "acc": float(solution_str == ground_truth)}


def last_word_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None, **unused: Any
) -> float:
    """1 where the last word is the gold answer; a bare number, as many reward functions return it."""
    return float(solution_str.split()[-1:] == [ground_truth])
