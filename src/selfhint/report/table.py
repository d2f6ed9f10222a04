"""The comparison on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from selfhint.report.quantities import READING, Quantity, comparable, quantities
from selfhint.report.summary import RunSummary


def comparison_table(summaries: Sequence[RunSummary]) -> Table:
    """Runs side by side: a row for each quantity, a column for each run.

    Raises:
        InputError: there is no run, or one is given twice.
    """
    summaries = comparable(summaries)
    return quantity_table([summary.name for summary in summaries], quantities(summaries), READING)


def quantity_table(names: Sequence[str], quantities: Sequence[Quantity], caption: str) -> Table:
    """A row for each quantity, a column for each name."""
    table = Table(box=box.SIMPLE_HEAD, caption=caption)
    table.add_column("", overflow="fold")
    for name in names:
        table.add_column(Text(name), justify="right", overflow="fold")
    for quantity in quantities:
        table.add_row(quantity.label, *quantity.values)
    return table
