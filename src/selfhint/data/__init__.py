"""Problems from files."""

from __future__ import annotations

from selfhint.data.load import Columns, LeftOut, LoadedData, load_problems

__all__ = ["Columns", "LeftOut", "LoadedData", "load_problems"]
