"""What the runs of a study were made with, so that its page can be read alone."""

from __future__ import annotations

from typing import Any

from selfhint.config.keys import dotted
from selfhint.report.quantities import DASH, Quantity
from selfhint.study.compare import DataSet

USUAL = ("model", "data", "method", "steps", "batch_problems", "group_size", "max_completion_tokens", "lr")
"""Recipe keys that a reader asks for first."""
OF_A_RUN = frozenset({"seed", "out"})
"""Keys that differ between all runs."""


def settings(data: DataSet) -> tuple[Quantity, ...]:
    """A row for each usual recipe key, and for each other key in which two methods differ; a value for each method."""
    recipes = [next(iter(runs.values())).run.recipe for runs in data.results.values()]
    values = [dict(dotted(recipe.model_dump())) for recipe in recipes]
    rows = {key: [of.get(key) for of in values] for key in dict.fromkeys(key for of in values for key in of)}
    differing = [key for key, row in rows.items() if key not in OF_A_RUN and any(value != row[0] for value in row)]
    return tuple(Quantity(key, tuple(map(_shown, rows[key]))) for key in dict.fromkeys((*USUAL, *differing)))


def _shown(value: Any) -> str:
    return DASH if value is None else f"{value:g}" if isinstance(value, float) else str(value)
