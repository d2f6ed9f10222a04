"""What a person sees of a running study: bars on a terminal, a line for each ended run elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from selfhint.cli.progress import clock_time
from selfhint.cli.rundir import CHECKPOINTS
from selfhint.core.errors import InputError
from selfhint.runlog import steps_logged
from selfhint.study.pool import Outcome
from selfhint.study.spec import PlannedRun

STOPPING = (
    "stopping: no new runs; those under way finish their update and write a checkpoint; once more to stop them at once",
    "stopping at once",
)


class StudyProgress:
    """A pool's listener. Use as a context manager.

    Steps are the unit of the estimate: the time left is that of the steps left, at the speed of this call so far.

    Args:
        runs: all runs of the study.
        finished: how many of them an earlier call finished.
        left: those that this call is to run.
        console: where to write; live display only where it is a terminal.
    """

    def __init__(self, runs: Sequence[PlannedRun], finished: int, left: Sequence[PlannedRun], console: Console) -> None:
        self._total, self._ended = len(runs), finished
        self._console = console
        self._earlier = {run.label: steps_kept(run) for run in left}
        self._steps = {run.label: run.recipe.steps for run in left}
        self._done = dict(self._earlier)
        self._stale: dict[str, int] = {}
        self._under_way: dict[str, tuple[PlannedRun, TaskID]] = {}
        self._began = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal or console.quiet,
        )
        self._runs = self._bar.add_task("runs", total=self._total, completed=finished, note="")

    def __enter__(self) -> Self:
        self._began = time.monotonic()
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def began(self, run: PlannedRun) -> None:
        """A run's process was started."""
        task = self._bar.add_task(run.label, total=run.recipe.steps, completed=self._done[run.label], note="steps")
        self._under_way[run.label] = (run, task)
        self._stale[run.label] = steps_logged(run.folder)

    def ended(self, outcome: Outcome) -> None:
        """A run's process is gone."""
        label = outcome.run.label
        _, task = self._under_way.pop(label)
        self._bar.remove_task(task)
        if outcome.state == "done":
            self._ended += 1
            self._done[label] = self._steps[label]
        elif outcome.state == "failed":
            self._steps[label] = self._done[label]  # nothing is left of it
        said = f": {outcome.message}" if outcome.message else ""
        self._look()
        ending = f"{outcome.state} in {clock_time(outcome.seconds)}{said}"
        self._console.print(f"{self._ended}/{self._total}  {label} {ending}  left {self._left()}")

    def passed(self) -> None:
        """A second has gone by."""
        if self._bar.disable:
            return
        self._look()
        for run, task in self._under_way.values():
            self._bar.update(task, completed=self._done[run.label])
        self._bar.update(self._runs, completed=self._ended, note=f"left {self._left()}")

    def stopping(self, number: int) -> None:
        """The command heard its `number`-th signal and passed it on to the runs under way."""
        self._console.print(STOPPING[min(number, len(STOPPING)) - 1])

    def _look(self) -> None:
        """How far the runs under way are. One that goes on cuts its log back to its checkpoint when it has loaded."""
        for run, _ in self._under_way.values():
            logged, earlier = steps_logged(run.folder), self._earlier[run.label]
            if logged != self._stale[run.label] or logged <= earlier:
                self._stale[run.label] = -1
                self._done[run.label] = max(logged, earlier)

    def _left(self) -> str:
        done = sum(self._done.values())
        new = done - sum(self._earlier.values())
        if new <= 0:
            return "-"
        return clock_time((time.monotonic() - self._began) / new * (sum(self._steps.values()) - done))


def steps_kept(run: PlannedRun) -> int:
    """Steps that a run which is not under way need not repeat: those of its last complete checkpoint."""
    folder = run.folder / CHECKPOINTS
    if not folder.is_dir():
        return 0
    from selfhint.engines.trl.checkpoint import last_complete, read_state  # torch and TRL: slow to load

    checkpoint = last_complete(folder)
    try:
        return 0 if checkpoint is None else int(read_state(checkpoint)["generation_step"])
    except InputError:  # damaged: the run itself will say so
        return 0
