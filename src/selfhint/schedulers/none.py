"""Plain GRPO: one group without a hint, whatever comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId


class NoHints:
    """Never hints."""

    name = "none"

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """Level 0, whatever was before."""
        return [Plan((NO_HINT,))] * len(visits)
