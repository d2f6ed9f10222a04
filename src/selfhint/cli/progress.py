"""What a person sees of a running training: a live table on a terminal, a line a step elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from selfhint.core.levels import NUM_LEVELS

STOPPING = "stopping: finishing the update, then a checkpoint; once more to stop at once"


class RunProgress:
    """Shows metrics lines as they come. Use as a context manager; `show` is a run log's listener.

    Args:
        total: steps of the whole run.
        console: where to write; live display only where it is a terminal.
        title: shown before the step.
    """

    def __init__(self, total: int, console: Console, title: str) -> None:
        self._console = console
        self._title = title
        self._total = total
        self._tokens = 0
        self._held_out: float | None = None
        self._begun = time.monotonic()
        self._begun_after: int | None = None
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left {task.fields[left]}", markup=False),
            console=console,
        )
        self._task = self._bar.add_task(title, total=total, left="-")
        shown = console.is_terminal and not console.quiet
        self._table: Table | None = None
        self._footer: str | None = None
        self._live = Live(self._display(), console=console, refresh_per_second=4) if shown else None

    def __enter__(self) -> Self:
        self._begun = time.monotonic()
        self._bar.reset(self._task)
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def add_earlier(self, line: Mapping[str, Any]) -> None:
        """A metrics line from before the run was resumed: it counts, but is not shown."""
        self._tokens += sum(line[f"tokens/{kind}"] for kind in ("kept", "discarded", "hints"))
        self._held_out = line.get("heldout/success", self._held_out)

    def show(self, line: Mapping[str, Any]) -> None:
        """One metrics line."""
        self.add_earlier(line)
        cells, left = self._cells(line), self._left(line["step"])
        if self._live is not None:
            self._bar.update(self._task, completed=line["step"], left=left)
            self._table = Table(*cells, box=None, pad_edge=False, padding=(0, 3, 0, 0))
            self._table.add_row(*cells.values())
            self._live.update(self._display())
        else:
            text = "  ".join(f"{name} {value}" for name, value in cells.items())
            self._console.print(f"{self._title} step {line['step']}/{self._total}  {text}  left {left}")

    def announce_stop(self) -> None:
        """Says that a signal was heard. Safe inside a signal handler: it writes past Python's buffers."""
        if self._live is not None:
            self._footer = STOPPING
            self._live.update(self._display())
        elif not self._console.quiet:
            os.write(2, f"{STOPPING}\n".encode())

    def _display(self) -> Group:
        return Group(*(part for part in (self._bar, self._table, self._footer) if part is not None))

    def _cells(self, line: Mapping[str, Any]) -> dict[str, str]:
        reward = line["reward/mean"]
        levels = "/".join(str(line[f"hints/level_{level}"]) for level in range(1, NUM_LEVELS + 1))
        cells = {
            "reward": "-" if reward is None else f"{reward:.3f}",
            "no signal": f"{line['groups/no_signal']}/{line['groups/total']}",
            "rescued": str(line["groups/rescued"]),
            "hinted at level 1/2/3": levels,
            "tokens": f"{self._tokens:,}",
        }
        if self._held_out is not None:
            cells["held-out"] = f"{self._held_out:.3f}"
        return cells

    def _left(self, step: int) -> str:
        """Time left at the speed so far, hours:minutes:seconds. A resumed run knows it from its second line on."""
        if self._begun_after is None:
            self._begun_after = 0 if step == 1 else step
            if step > 1:
                self._begun = time.monotonic()
        if step == self._begun_after:
            return "-"
        seconds = (time.monotonic() - self._begun) / (step - self._begun_after) * (self._total - step)
        return clock_time(seconds)


def clock_time(seconds: float) -> str:
    """Hours:minutes:seconds."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
