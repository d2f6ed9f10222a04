"""What drawing failed groups again without a hint would open: what hints must do better than."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.gate import chance_of_failure
from selfhint.diagnosis.look import LookedGroup

LEAST_LIKENESS = 0.001
"""The correlation within groups keeps this distance from 0 and 1: a Beta distribution needs both parameters above 0."""


def opened_by_drawing_again(bare: Sequence[LookedGroup], times: int) -> float | None:
    """Share of the failed groups that would get a correct completion in `times` more groups without a hint, expected.

    Success probabilities of problems are taken as Beta(a, b), fitted to the groups by their first two moments
    (E[k²] = G²m² + G m (1 − m)(1 + (G − 1) ρ), ρ = 1/(a + b + 1)). A group that failed then has P(n more completions
    fail too) = E[(1 − p)^(G + n)]/E[(1 − p)^G].

    Args:
        bare: judged groups without a hint, of one size.

    Returns:
        None without any group.
    """
    if not bare:
        return None
    size = len(bare[0].correct)
    mean = sum(group.num_correct for group in bare) / (len(bare) * size)
    if not 0.0 < mean < 1.0:
        return 0.0
    one = size * mean * (1.0 - mean)
    squares = sum(group.num_correct**2 for group in bare) / len(bare)
    likeness = (squares - (size * mean) ** 2 - one) / ((size - 1) * one) if size > 1 else LEAST_LIKENESS
    weight = 1.0 / min(max(likeness, LEAST_LIKENESS), 1.0 - LEAST_LIKENESS) - 1.0
    right, wrong = weight * mean, weight * (1.0 - mean)
    return 1.0 - chance_of_failure(right, wrong, size * (1 + times)) / chance_of_failure(right, wrong, size)
