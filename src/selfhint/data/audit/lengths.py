"""Lengths in tokens against the budgets of a run."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selfhint.core.problem import Problem

PERCENTILES = (50, 90, 99)


@dataclass(frozen=True, slots=True)
class Measure:
    """Something of a problem that a budget may limit.

    Args:
        what: its name.
        budget_key: the recipe key of the budget.
        budget: most tokens; None: there is no limit.
        over: the kind of finding for rows over it.
        count: its length in tokens; None where the problem has no such thing. May raise InputError.
    """

    what: str
    budget_key: str
    budget: int | None
    over: str
    count: Callable[[Problem], int | None]


@dataclass(frozen=True, slots=True)
class Lengths:
    """What was measured.

    Args:
        what, budget_key, budget: of the `Measure`.
        num: problems that have it.
        percentiles: percentile → tokens, by the nearest rank, those of `PERCENTILES`.
        longest: tokens.
        num_over: problems over the budget.
    """

    what: str
    budget_key: str
    budget: int | None
    num: int
    percentiles: dict[int, int]
    longest: int
    num_over: int


def summary(measure: Measure, counts: Sequence[int]) -> Lengths | None:
    """The figures of a measure; None where no problem has it."""
    if not counts:
        return None
    ordered = array("l", sorted(counts))
    over = 0 if measure.budget is None else sum(count > measure.budget for count in ordered)
    ranks = {percent: -(-percent * len(ordered) // 100) for percent in PERCENTILES}
    return Lengths(
        measure.what,
        measure.budget_key,
        measure.budget,
        num=len(ordered),
        percentiles={percent: ordered[rank - 1] for percent, rank in ranks.items()},
        longest=ordered[-1],
        num_over=over,
    )
