"""Hidden parameters of the simulated policy from what the paper published, without simulating a run.

Table 2 of arXiv 2602.03143 gives the share of training problems without any correct completion: of the base model and
over a training with plain GRPO. The first fixes the mean ability, the second the rate of shared learning, both for one
visit to each problem.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scale_policy import Floats, Learner, ability_bins, nearness, sigmoid

from selfhint.core.errors import InputError

FASTEST = 4.0
"""The largest shared rate tried, in logits a step."""
BISECTIONS = 28
"""Enough for seven digits of either parameter."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One model of the paper.

    Args:
        never_base, never_grpo, never_sage: Table 2, shares of problems without any correct completion.
        scores: Table 1's averages: base, GRPO, SAGE-light, SAGE.
        group_size: G.
    """

    never_base: float
    never_grpo: float
    never_sage: float
    scores: tuple[float, float, float, float]
    group_size: int = 8


PAPER = {
    "Llama-3.2-3B": PaperRow(0.569, 0.402, 0.300, (17.8, 21.9, 23.0, 23.9)),
    "Qwen2.5-7B": PaperRow(0.298, 0.103, 0.082, (37.8, 41.1, 41.9, 42.3)),
    "Qwen3-4B": PaperRow(0.218, 0.013, 0.010, (65.8, 68.7, 68.9, 70.0), group_size=4),
}


def fitted(learner: Learner, row: PaperRow, steps: int) -> Learner:
    """The learner with the mean ability and the shared rate that give the base and the GRPO row.

    Raises:
        InputError: no rate up to `FASTEST` gives the GRPO row.
    """
    mean, rate = _hidden(learner.ability_sd, learner.reach, row, steps)
    return replace(learner, ability_mean=mean, shared_rate=rate)


@cache
def _hidden(ability_sd: float, reach: float | None, row: PaperRow, steps: int) -> tuple[float, float]:
    """Mean ability and shared rate; plain GRPO on problems visited once depends on no other field of the learner."""
    learner = Learner(ability_mean=0.0, ability_sd=ability_sd, reach=reach)
    mean = _root(lambda m: row.never_base - _fails(replace(learner, ability_mean=m), row.group_size), -40.0, 40.0)

    def short_of(rate: float) -> float:
        there = never_solved(replace(learner, ability_mean=mean, shared_rate=rate), row.group_size, steps)
        return row.never_grpo - there

    if short_of(FASTEST) < 0:
        raise InputError(
            f"never_grpo is {row.never_grpo}; no shared rate up to {FASTEST} leads there: give a larger share"
        )
    return mean, _root(short_of, 0.0, FASTEST)


def never_solved(learner: Learner, group_size: int, steps: int) -> float:
    """Expected share of all-wrong groups over a training with plain GRPO that visits each problem once."""
    weights = _weights(learner)
    signal_K = np.sqrt(np.arange(group_size + 1) * np.arange(group_size, -1, -1)) / group_size
    near, shared, failed = nearness(learner), np.zeros(len(weights)), 0.0
    for _ in range(steps):
        chances_BK = _chances(sigmoid(ability_bins(learner) + shared), group_size)
        failed += float(weights @ chances_BK[:, 0]) / steps
        shared += learner.shared_rate * (weights * (chances_BK @ signal_K)) @ near
    return failed


def _fails(learner: Learner, group_size: int) -> float:
    return float(_weights(learner) @ (1.0 - sigmoid(ability_bins(learner))) ** group_size)


def _weights(learner: Learner) -> Floats:
    """Share of the problems in each ability bin. Shape (B,)."""
    density = np.exp(-0.5 * ((ability_bins(learner) - learner.ability_mean) / learner.ability_sd) ** 2)
    return density / density.sum()


def _chances(p: Floats, group_size: int) -> Floats:
    """Binomial chances of 0 … G correct completions. Shape (B, G + 1)."""
    correct_K = np.arange(group_size + 1)
    ways_K = np.array([math.comb(group_size, k) for k in correct_K])
    return ways_K * p[:, None] ** correct_K * (1.0 - p[:, None]) ** (group_size - correct_K)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function passes 0, by bisection."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
