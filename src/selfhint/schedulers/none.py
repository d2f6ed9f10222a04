"""Plain GRPO: one group without a hint, whatever comes of it."""

from __future__ import annotations

from selfhint.core.group import Group
from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT


class NoHints:
    """Never hints."""

    name = "none"

    def start(self, record: ProblemRecord) -> int:
        """Level 0."""
        return NO_HINT

    def after_group(self, group: Group) -> int | None:
        """Keeps the group."""
        return None

    def without_hint(self, level: int) -> int | None:
        """Never asked: no level above 0 is tried."""
        return None
