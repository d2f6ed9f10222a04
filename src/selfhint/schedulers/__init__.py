"""Which hint levels a visit draws. Add one: copy the shortest file here and add a line to `SCHEDULERS`."""

from __future__ import annotations

from collections.abc import Callable

from selfhint.core.ports import Scheduler
from selfhint.schedulers.epoch import EpochLevels
from selfhint.schedulers.fixed import Fixed
from selfhint.schedulers.gate import Gate
from selfhint.schedulers.hint_weight import HintWeight
from selfhint.schedulers.ladder import Ladder
from selfhint.schedulers.none import NoHints
from selfhint.schedulers.window import Window

SCHEDULERS: dict[str, Callable[..., Scheduler]] = {
    "none": NoHints,
    "ladder": Ladder,
    "epoch": EpochLevels,
    "fixed": Fixed,
    "window": Window,
    "gate": Gate,
}
"""Recipe name → class; keyword arguments are the recipe's `scheduler` group."""

__all__ = ["SCHEDULERS", "EpochLevels", "Fixed", "Gate", "HintWeight", "Ladder", "NoHints", "Window"]
