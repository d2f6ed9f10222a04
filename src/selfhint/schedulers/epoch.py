"""SAGE-light: one level per problem, moved between visits (arXiv 2602.03143, Scheme 1), no extra rollouts."""

from __future__ import annotations

from selfhint.core.errors import InputError
from selfhint.core.group import Group
from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS

PAPER_RAISE_BELOW = 0.35
"""α: a success rate below it raises the level."""
RAISE_AT_MOST = 0.1
LOWER_ABOVE = 0.35
"""The two thresholds of the paper's released script."""


class EpochLevels:
    """Moves a problem's level by one at the start of a visit, from the success rate of its last visit.

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

    def start(self, record: ProblemRecord) -> int:
        """The last visit's level, moved by what that visit saw; kept where it says nothing."""
        if record.rate is None:
            return record.level
        if self.rule == "paper":
            return min(record.level + 1, NUM_LEVELS) if record.rate < PAPER_RAISE_BELOW else record.level
        if record.rate <= RAISE_AT_MOST:
            return min(record.level + 1, NUM_LEVELS)
        return max(record.level - 1, NO_HINT) if record.rate > LOWER_ABOVE else record.level

    def after_group(self, group: Group) -> int | None:
        """Keeps the group: SAGE-light draws no second one."""
        return None

    def without_hint(self, level: int) -> int | None:
        """Draws without a hint; the ledger then ignores the visit's success rate and the level stays."""
        return NO_HINT
