"""One level for every visit (the paper's ablation)."""

from __future__ import annotations

from selfhint.core.errors import InputError
from selfhint.core.group import Group
from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS


class Fixed:
    """Draws one group at the given level; without a usable hint, at level 0.

    Raises:
        InputError: the level is not 1 … L.
    """

    name = "fixed"

    def __init__(self, level: int) -> None:
        if not NO_HINT < level <= NUM_LEVELS:
            raise InputError(f"scheduler fixed: level {level} is not between 1 and {NUM_LEVELS}; set scheduler.level")
        self.level = level

    def start(self, record: ProblemRecord) -> int:
        """The given level."""
        return self.level

    def after_group(self, group: Group) -> int | None:
        """Keeps the group."""
        return None

    def without_hint(self, level: int) -> int | None:
        """Draws without a hint instead."""
        return NO_HINT
