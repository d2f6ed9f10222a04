"""SAGE-light: one level per problem, moved between visits (arXiv 2602.03143, Scheme 1), no extra rollouts."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId

PAPER_RAISE_BELOW = 0.35
"""α: a success rate below it raises the level."""
RAISE_AT_MOST = 0.1
LOWER_ABOVE = 0.35
"""The two thresholds of the paper's released script."""


class EpochLevels:
    """Moves a problem's level by one at the start of a visit, from the success rate of its last visit.

    One group a visit. Without a hint it is drawn bare; the ledger then has no success rate and the level stays.

    Args:
        rule: `thresholds` (the paper's released script: at most 0.1 raises, above 0.35 lowers) or `paper` (below 0.35
            raises, nothing lowers).

    Raises:
        InputError: another rule.
    """

    name = "epoch"

    def __init__(self, rule: str = "thresholds") -> None:
        if rule not in ("thresholds", "paper"):
            raise InputError(f"scheduler epoch: unknown rule {rule!r}; set scheduler.rule to thresholds or paper")
        self.rule = rule

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """The last visit's level, moved by what that visit saw; kept where it says nothing."""
        return [Plan((self._level(ledger.record(key)),)) for key, _ in visits]

    def _level(self, record: ProblemRecord) -> int:
        if record.rate is None:
            return record.level
        if self.rule == "paper":
            return min(record.level + 1, NUM_LEVELS) if record.rate < PAPER_RAISE_BELOW else record.level
        if record.rate <= RAISE_AT_MOST:
            return min(record.level + 1, NUM_LEVELS)
        return max(record.level - 1, NO_HINT) if record.rate > LOWER_ABOVE else record.level
