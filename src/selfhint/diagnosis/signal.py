"""What plain GRPO sees: which groups without a hint teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from selfhint.diagnosis.intervals import Estimate, share_of, wilson
from selfhint.diagnosis.look import Look


@dataclass(frozen=True, slots=True)
class ProblemCounts:
    """One problem without hints over all rounds: counts, and the 95 % Wilson interval of its success probability."""

    key: str
    correct: int
    drawn: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Signal:
    """Groups without a hint.

    Args:
        num_problems: different problems with at least one judged group.
        num_groups: judged groups.
        num_unscored: groups that could not be judged (the gold answer is unreadable).
        unscored: their share of all groups.
        all_wrong, mixed, all_correct: shares of the judged groups.
        problems: counts of each problem, in the order looked at.
    """

    num_problems: int
    num_groups: int
    num_unscored: int
    unscored: Estimate
    all_wrong: Estimate
    mixed: Estimate
    all_correct: Estimate
    problems: tuple[ProblemCounts, ...]


def signal_of(looks: Sequence[Look]) -> Signal:
    """Counts over all looks."""
    judged = [look for look in looks if not look.bare.unscored]
    counts: dict[str, tuple[int, int]] = {}
    for look in judged:
        correct, drawn = counts.get(look.key, (0, 0))
        counts[look.key] = correct + look.bare.num_correct, drawn + len(look.bare.correct)

    def share(num: int) -> Estimate:
        return share_of(num, len(judged), len(counts))

    return Signal(
        num_problems=len(counts),
        num_groups=len(judged),
        num_unscored=len(looks) - len(judged),
        unscored=share_of(len(looks) - len(judged), len(looks), len({look.key for look in looks})),
        all_wrong=share(sum(look.bare.failed for look in judged)),
        mixed=share(sum(look.bare.mixed for look in judged)),
        all_correct=share(sum(look.bare.all_correct for look in judged)),
        problems=tuple(
            ProblemCounts(key, correct, drawn, *wilson(correct / drawn, drawn))
            for key, (correct, drawn) in counts.items()
        ),
    )
