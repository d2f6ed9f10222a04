"""Problems from files."""

from __future__ import annotations

from selfhint.data.hints_file import HintsFile, read_hints_file, with_hints
from selfhint.data.load import Columns, LeftOut, LoadedData, load_problems

__all__ = ["Columns", "HintsFile", "LeftOut", "LoadedData", "load_problems", "read_hints_file", "with_hints"]
