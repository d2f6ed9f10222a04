"""Which hint level a visit draws. Add one: copy the shortest file here and add a line to `SCHEDULERS`."""

from __future__ import annotations

from collections.abc import Callable

from selfhint.core.ports import Scheduler
from selfhint.schedulers.epoch import EpochLevels
from selfhint.schedulers.fixed import Fixed
from selfhint.schedulers.ladder import Ladder
from selfhint.schedulers.none import NoHints

SCHEDULERS: dict[str, Callable[..., Scheduler]] = {
    "none": NoHints,
    "ladder": Ladder,
    "epoch": EpochLevels,
    "fixed": Fixed,
}
"""Recipe name → class; keyword arguments are the recipe's `scheduler` group."""

__all__ = ["SCHEDULERS", "EpochLevels", "Fixed", "Ladder", "NoHints"]
