"""What differs between two recipes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from selfhint.config.recipe import Recipe

FREE_ON_RESUME = frozenset({"steps", "save_every", "out"})
"""Keys that a resumed run may change: how long, how often it is saved, and where it lies."""

_ABSENT = object()


def changed_keys(old: Recipe, new: Recipe) -> list[str]:
    """Dotted keys whose values differ, in recipe order, but for those of FREE_ON_RESUME."""
    return [key for key in _differences(old.model_dump(), new.model_dump(), "") if key not in FREE_ON_RESUME]


def _differences(old: dict[str, Any], new: dict[str, Any], prefix: str) -> Iterator[str]:
    for key in old | new:
        before, after = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _differences(before, after, f"{prefix}{key}.")
        elif before != after:
            yield f"{prefix}{key}"
