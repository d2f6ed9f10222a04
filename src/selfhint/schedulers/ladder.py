"""SAGE: climb the levels within one visit while every completion fails (arXiv 2602.03143, Scheme 2, Algorithm 1)."""

from __future__ import annotations

from selfhint.core.group import Group
from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS


class Ladder:
    """Starts every visit without a hint and climbs until a group has a correct completion, or to level L."""

    name = "ladder"

    def start(self, record: ProblemRecord) -> int:
        """Level 0."""
        return NO_HINT

    def after_group(self, group: Group) -> int | None:
        """The next level after a failed group. Any correct completion stops the climb; all correct stops it too."""
        return _above(group.level) if group.failed else None

    def without_hint(self, level: int) -> int | None:
        """A level without a usable hint is skipped."""
        return _above(level)


def _above(level: int) -> int | None:
    return level + 1 if level < NUM_LEVELS else None
