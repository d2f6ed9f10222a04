"""A generation step in the run's logs: its visits at once, its metrics line when its updates are done."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from selfhint.core.errors import RunError
from selfhint.core.group import Visit
from selfhint.engines.hint_warnings import HintWarnings
from selfhint.runlog import RunLog


class StepRecorder:
    """Keeps the current step's metrics line open, so that its times and later measurements go into it.

    Args:
        run_log: the run's log files.
        is_main: whether this process writes; every process keeps the line, for the checkpoint's sake.
    """

    def __init__(self, run_log: RunLog, is_main: bool) -> None:
        self._run_log = run_log
        self._is_main = is_main
        self._line: dict[str, Any] | None = None
        self._averaged: dict[str, int] = {}
        self._started = 0.0
        self._hint_warnings = HintWarnings(is_main)

    def begin_step(self) -> None:
        """Writes the line of the step before and starts the clock."""
        self.close_step()
        self._started = time.perf_counter()

    def record(
        self, head: Mapping[str, int], metrics: Mapping[str, Any], visits: Sequence[Visit], effort: Mapping[str, float]
    ) -> None:
        """Writes the visits, opens the metrics line and warns where hints do not come.

        Args:
            head: step, epoch and update.
            metrics: what the visits come to.
            effort: what they took; its `time/…` are seconds of the step that were not spent on the update.
        """
        self._line = {**head, **metrics, **effort}
        self._averaged = {}
        if self._is_main:
            self._run_log.write_visits(visits, head["step"], head["epoch"])
        self._hint_warnings.take(visits, head["step"])

    def note(self, name: str, value: float) -> None:
        """Adds a value to the open line."""
        if self._line is not None:
            self._line[name] = value

    def average(self, name: str, value: float) -> None:
        """Adds a value to the open line that becomes the mean of all that come under this name in the step.

        Raises:
            RunError: it is not finite. No checkpoint of such a step may be written: every resume would begin with it.
        """
        if not math.isfinite(value):
            raise RunError(
                f"{name} became {value} in step {self._line['step'] if self._line else '?'}: the policy has diverged; "
                "begin a new run with a lower learning rate"
            )
        if self._line is not None:
            number = self._averaged[name] = self._averaged.get(name, 0) + 1
            mean = self._line.get(name, 0.0)
            self._line[name] = mean + (value - mean) / number

    def close_step(self) -> None:
        """Writes the open line, if there is one."""
        line, self._line = self._line, None
        if line is None:
            return
        step = time.perf_counter() - self._started
        before_update = sum(value for name, value in line.items() if name.startswith("time/"))
        if self._is_main:
            self._run_log.write_metrics({**line, "time/step": step, "time/update": step - before_update})

    def close(self) -> None:
        """Ends the run: writes the open line and tells what became of its hints."""
        self.close_step()
        self._hint_warnings.summarise()

    def state_dict(self) -> dict[str, Any]:
        """The open line with the counts behind its means, its seconds, how far the files go, what became of hints."""
        return {
            "open_line": self._line,
            "averaged": self._averaged,
            "seconds": time.perf_counter() - self._started,
            "log_sizes": self._run_log.sizes(),
            "hints": self._hint_warnings.state_dict(),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a checkpoint: cuts the files back to it and takes its open line."""
        self._line = state["open_line"]
        self._averaged = dict(state["averaged"])
        self._started = time.perf_counter() - state["seconds"]
        self._hint_warnings.load_state_dict(state["hints"])
        if self._is_main:
            self._run_log.resume(state["log_sizes"])
