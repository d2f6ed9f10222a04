"""How far a look is, on standard error, so that the tables on standard output stay clean."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from selfhint.cli.quiet import is_main_process

SILENT_SECONDS = 30
"""Where there is no terminal, a line at most this often."""


class LookProgress:
    """Counts visits (or problems) and tokens. A bar on a terminal, a line now and then elsewhere. A context manager.

    Args:
        total: visits of the whole command.
        earlier: those that an earlier call made.
        unit: what is counted.
    """

    def __init__(self, total: int, earlier: int, unit: str = "visits") -> None:
        self._unit = unit
        self._total = total
        self._visits = earlier
        self._tokens = 0
        self._console = Console(stderr=True, markup=False, emoji=False, highlight=False, quiet=not is_main_process())
        self._said = time.monotonic()
        self._bar = Progress(
            TextColumn(unit, markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[tokens]:,} tokens", markup=False),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("", total=total, completed=earlier, tokens=0)
        if earlier and earlier < total:
            self._console.print(f"going on after {earlier} of {total} {unit}")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def drew(self, completions: int, tokens: int) -> None:
        """A batch was sampled."""
        self._tokens += tokens
        self._bar.update(self._task, tokens=self._tokens)
        if not self._console.is_terminal and time.monotonic() - self._said >= SILENT_SECONDS:
            self._said = time.monotonic()
            self._console.print(f"{self._visits} of {self._total} {self._unit}, {self._tokens:,} tokens")

    def done(self, visits: int) -> None:
        """So many visits are finished."""
        self._visits = visits
        self._bar.update(self._task, completed=visits)
