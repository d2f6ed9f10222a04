"""When a group teaches: advantages, signal energy and the gate probability (arXiv 2602.03143, section 3).

Biased standard deviation and ε = 1e-6, as in the paper's analysis. Training uses the engine's own std and ε.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

EPSILON = 1e-6


def mean_and_std(rewards_G: Sequence[float]) -> tuple[float, float]:
    """R̄ and the biased standard deviation s of a group's rewards.

    Raises:
        ValueError: the group is empty.
    """
    if not rewards_G:
        raise ValueError("a group needs at least one reward")
    mean = float(statistics.mean(rewards_G))  # exact: equal rewards deviate by 0, not by a rounding error
    return mean, math.sqrt(math.fsum((r - mean) ** 2 for r in rewards_G) / len(rewards_G))


def advantages(rewards_G: Sequence[float], epsilon: float = EPSILON) -> list[float]:
    """A_i = (R_i − R̄)/(s + ε)."""
    mean, std = mean_and_std(rewards_G)
    return [(r - mean) / (std + epsilon) for r in rewards_G]


def centred_advantages(rewards_G: Sequence[float]) -> list[float]:
    """Ã_i = R_i − R̄ (Dr. GRPO)."""
    mean, _ = mean_and_std(rewards_G)
    return [r - mean for r in rewards_G]


def signal_energy(rewards_G: Sequence[float], epsilon: float = EPSILON) -> float:
    """E = (1/G) Σ A_i² = s²/(s + ε)²: in [0, 1), 0 iff the group is degenerate."""
    _, std = mean_and_std(rewards_G)
    return std**2 / (std + epsilon) ** 2


def gate_probability(p: float, group_size: int) -> float:
    """u(p) = Pr[s > 0] = 1 − (1 − p)^G − p^G for success probability p and group size G.

    Computed so that it keeps its relative accuracy for p near 0 and 1, where u ≈ G·p.

    Raises:
        ValueError: p is outside [0, 1] or G < 1.
    """
    _check_gate_arguments(p, group_size)
    small = min(p, 1.0 - p)
    if small == 0.0 or group_size == 1:
        return 0.0
    return -math.expm1(group_size * math.log1p(-small)) - small**group_size


def chance_of_failure(right: float, wrong: float, group_size: int) -> float:
    """E[(1 − p)^G] for p ~ Beta(right, wrong): the chance that no completion of the next group is correct.

    It is Π (wrong + i)/(right + wrong + i) over i = 0 … G − 1 (beta-binomial).

    Raises:
        ValueError: a parameter is not above 0, or G < 1.
    """
    if right <= 0.0 or wrong <= 0.0 or group_size < 1:
        raise ValueError(f"needs right, wrong > 0 and G >= 1, got {right}, {wrong}, G={group_size}")
    return math.prod((wrong + i) / (right + wrong + i) for i in range(group_size))


def expected_gate(right: float, wrong: float, group_size: int) -> float:
    """E[u(p)] for p ~ Beta(right, wrong): the chance that the next group is mixed, neither all wrong nor all right.

    Raises:
        ValueError: a parameter is not above 0, or G < 1.
    """
    all_wrong = chance_of_failure(right, wrong, group_size)
    all_right = chance_of_failure(wrong, right, group_size)
    return max(0.0, 1.0 - all_wrong - all_right)


def expected_centred_energy(p_mean: float, group_size: int, p_variance: float = 0.0) -> float:
    """E[(1/G) Σ Ã_i²] = (G − 1)/G · (p̄(1 − p̄) − Var p): a random p between groups lowers it.

    Raises:
        ValueError: p̄ is outside [0, 1] or G < 1.
    """
    _check_gate_arguments(p_mean, group_size)
    return (group_size - 1) / group_size * (p_mean * (1.0 - p_mean) - p_variance)


def _check_gate_arguments(p: float, group_size: int) -> None:
    if not 0.0 <= p <= 1.0 or group_size < 1:
        raise ValueError(f"needs 0 <= p <= 1 and G >= 1, got p={p}, G={group_size}")
