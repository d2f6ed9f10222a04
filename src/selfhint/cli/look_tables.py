"""Tables of the commands that look before a training: quantities as rows, so that they fit a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from selfhint.core.levels import NO_HINT
from selfhint.diagnosis import Estimate

MISSING = "-"


def quantity_table(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Table:
    """Rows of (name, one value for each column)."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right")
    for name, values in rows:
        table.add_row(name, *values)
    return table


def print_table(console: Console, table: Table) -> None:
    """Elsewhere than on a terminal a table is as wide as it needs to be, and has no styles."""
    if console.is_terminal:
        console.print(table, soft_wrap=False)
        return
    width = console.measure(table, options=console.options.update(max_width=1000)).maximum
    console.print(table, width=width, soft_wrap=False)


def level_names(levels: Sequence[int]) -> list[str]:
    """Column heads."""
    return ["no hint" if level == NO_HINT else f"level {level}" for level in levels]


def number(value: float | None, digits: int = 0) -> str:
    """With thousands separators."""
    return MISSING if value is None else f"{value:,.{digits}f}"


def percent(value: float | None) -> str:
    """A share in per cent."""
    return MISSING if value is None else f"{100 * value:.0f} %"


def probability(value: float | None) -> str:
    """Three digits."""
    return MISSING if value is None else f"{value:.3f}"


def interval(estimate: Estimate) -> str:
    """Ends of the 95 % interval."""
    if estimate.low is None or estimate.high is None:
        return MISSING
    return f"{estimate.low:.2f}-{estimate.high:.2f}"
