"""What the word after `method:` stands for. Add one: add a line to `METHODS`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Method:
    """A method as its pieces.

    Args:
        scheduler: its name.
        hints: name of the hint source.
        arguments: the scheduler's keyword arguments, under the recipe's own.
    """

    scheduler: str
    hints: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


METHODS: dict[str, Method] = {
    "grpo": Method("none", "none"),
    "sage": Method("ladder", "self"),
    "sage-light": Method("epoch", "self", {"rule": "thresholds"}),
    "sage-light-paper": Method("epoch", "self", {"rule": "paper"}),
    "fixed": Method("fixed", "self"),
    "window": Method("window", "self"),
    "gate": Method("gate", "self"),
}
"""Name → pieces. The recipe's groups `scheduler` and `hints` override them."""

SCHEDULER_KEYS: dict[str, tuple[str, ...]] = {
    "none": (),
    "ladder": (),
    "epoch": ("rule",),
    "fixed": ("level",),
    "window": ("groups", "share"),
    "gate": ("discount",),
}
"""Scheduler → keys of the recipe's group `scheduler` that it takes."""
