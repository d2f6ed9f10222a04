"""How sure a share is when completions of one problem resemble each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959963984540054
"""Two-sided 95 %."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its 95 % interval; all three None where nothing was seen."""

    value: float | None
    low: float | None = None
    high: float | None = None


def wilson(share: float, num: float, z: float = Z) -> tuple[float, float]:
    """The Wilson score interval of a share seen in `num` independent trials (Wilson 1927).

    Args:
        num: above 0; an effective number of trials need not be whole.

    Raises:
        ValueError: the share is outside [0, 1] or there were no trials.
    """
    if not 0.0 <= share <= 1.0 or num <= 0:
        raise ValueError(f"needs a share in [0, 1] of more than 0 trials, got {share} of {num}")
    scale = 1 + z * z / num
    centre = (share + z * z / (2 * num)) / scale
    half = z * math.sqrt(share * (1 - share) / num + z * z / (4 * num * num)) / scale
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return (0.0 if share == 0.0 else low), (1.0 if share == 1.0 else high)


def share_of(num: float, total: int, num_problems: int | None = None) -> Estimate:
    """`num` of `total` with its Wilson interval.

    Args:
        num_problems: different problems among the `total`, where a problem was seen several times: then these count as
            the trials, which makes the interval rather too wide than too narrow.
    """
    if not total:
        return Estimate(None)
    return Estimate(num / total, *wilson(num / total, total if num_problems is None else num_problems))


def success_rate(groups_NG: Sequence[tuple[int, int]]) -> Estimate:
    """Success probability of a completion, from one group of each of N problems.

    Completions of one problem resemble each other, so 20 groups of 8 say less than 160 independent draws. The Wilson
    interval takes the effective number of draws p(1 − p)/Var(p̄), with Var(p̄) estimated between the groups (Kish's
    design effect), never below the number of groups.

    Args:
        groups_NG: (correct, drawn) of each group, drawn above 0.
    """
    num_groups, drawn = len(groups_NG), sum(size for _, size in groups_NG)
    if not num_groups:
        return Estimate(None)
    mean = sum(correct for correct, _ in groups_NG) / drawn
    squares = math.fsum((correct - mean * size) ** 2 for correct, size in groups_NG) / drawn**2
    variance = squares * num_groups / (num_groups - 1) if num_groups > 1 else 0.0
    effective = mean * (1 - mean) / variance if variance > 0 else num_groups
    return Estimate(mean, *wilson(mean, min(max(effective, num_groups), drawn)))
