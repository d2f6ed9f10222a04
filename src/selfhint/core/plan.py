"""What a scheduler decides before a visit begins: the levels to draw, in turn, while every completion fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from selfhint.core.group import Group
from selfhint.core.levels import NO_HINT, NUM_LEVELS


@dataclass(frozen=True, slots=True)
class Plan:
    """The course of one visit.

    A level without a usable hint is passed over. Where none of the levels could be drawn, the visit draws level 0.

    Args:
        levels: from weak to strong, each once; never empty.
        why: the numbers behind the choice as groups.jsonl shows them (JSON values only); None where there are none.

    Raises:
        ValueError: the levels are no such sequence.
    """

    levels: tuple[int, ...]
    why: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        rising = all(low < high for low, high in pairwise(self.levels))
        if not self.levels or not rising or self.levels[0] < NO_HINT or self.levels[-1] > NUM_LEVELS:
            raise ValueError(f"levels {self.levels} are no rising sequence between {NO_HINT} and {NUM_LEVELS}")

    def goes_on(self, group: Group) -> bool:
        """Whether the next level is drawn after `group`. Never asked about an unscored group."""
        return group.failed
