"""One level for every visit (the paper's ablation)."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId


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

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """The given level, whatever was before."""
        return [Plan((self.level,))] * len(visits)
