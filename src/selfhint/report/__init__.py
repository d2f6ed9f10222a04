"""What one or several runs came to: figures for a program, a table for a terminal, a page for a person."""

from __future__ import annotations

from selfhint.report.page import write_page
from selfhint.report.summary import Curves, Measurement, RunSummary, summarise
from selfhint.report.table import comparison_table

__all__ = ["Curves", "Measurement", "RunSummary", "comparison_table", "summarise", "write_page"]
