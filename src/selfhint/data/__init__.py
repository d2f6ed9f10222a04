"""Data, wherever they lie, to problems."""

from __future__ import annotations

from selfhint.data.hints_file import HintsFile, read_hints_file, with_hints
from selfhint.data.layouts import Columns, Layout, read_ahead, resolve_columns
from selfhint.data.load import LeftOut, LoadedData, load_problems
from selfhint.data.read import column_names, iter_rows
from selfhint.data.rows import Place, Row, Unusable
from selfhint.data.source import Source, find_source
from selfhint.data.write import write_trl, write_verl

__all__ = [
    "Columns",
    "HintsFile",
    "Layout",
    "LeftOut",
    "LoadedData",
    "Place",
    "Row",
    "Source",
    "Unusable",
    "column_names",
    "find_source",
    "iter_rows",
    "load_problems",
    "read_ahead",
    "read_hints_file",
    "resolve_columns",
    "with_hints",
    "write_trl",
    "write_verl",
]
