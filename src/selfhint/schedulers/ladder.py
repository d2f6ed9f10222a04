"""SAGE: climb the levels within one visit while every completion fails (arXiv 2602.03143, Scheme 2, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId


class Ladder:
    """Starts every visit without a hint and climbs until a group has a correct completion, or to level L.

    All correct stops the climb too. A level without a usable hint is skipped.
    """

    name = "ladder"

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """Every level, whatever was before."""
        return [Plan(tuple(range(NO_HINT, NUM_LEVELS + 1)))] * len(visits)
