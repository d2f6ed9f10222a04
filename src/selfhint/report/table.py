"""The comparison on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from selfhint.report.quantities import READING, comparable, quantities
from selfhint.report.summary import RunSummary


def comparison_table(summaries: Sequence[RunSummary]) -> Table:
    """Runs side by side: a row for each quantity, a column for each run.

    Raises:
        InputError: there is no run, or one is given twice.
    """
    summaries = comparable(summaries)
    table = Table(box=box.SIMPLE_HEAD, caption=READING)
    table.add_column("", overflow="fold")
    for summary in summaries:
        table.add_column(Text(summary.name), justify="right", overflow="fold")
    for quantity in quantities(summaries):
        table.add_row(quantity.label, *quantity.values)
    return table
