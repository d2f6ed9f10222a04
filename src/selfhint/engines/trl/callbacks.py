"""Callbacks of the Hugging Face trainer."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from accelerate.utils import gather_object
from transformers import TrainerCallback

if TYPE_CHECKING:
    from selfhint.engines.recorder import StepRecorder
    from selfhint.engines.trl.trainer import SelfHintTrainer


class CloseLogs(TrainerCallback):  # type: ignore[misc]
    """Writes the last metrics line and the summary of hints when training ends."""

    def __init__(self, recorder: StepRecorder) -> None:
        self._recorder = recorder

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer."""
        self._recorder.close()


class SaveAsAsked(TrainerCallback):  # type: ignore[misc]
    """Saves at the interval of the arguments: a resumed trainer would keep the one in its checkpoint."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer."""
        state.save_steps = args.save_steps


class StopOnSignal(TrainerCallback):  # type: ignore[misc]
    """On SIGTERM or SIGINT: finish the update, write a checkpoint, stop. A second signal ends the process at once.

    Every rank must receive the signal's news in the same update, so ranks tell each other after each one. A signal that
    the parent process had ignored, as nohup does, stays ignored. Within `ONE_ORDER` seconds of the first it is the same
    order once more: a cluster's scheduler signals the launcher and its processes, and the launcher passes it on.

    Args:
        heard: called in the signal handler of the process that got the signal.
    """

    SIGNALS = (signal.SIGTERM, signal.SIGINT)
    ONE_ORDER = 1.0

    def __init__(self, heard: Callable[[], None] = lambda: None) -> None:
        self.stopped: str | None = None
        """Name of the signal that ended the training."""
        self._heard = heard
        self._asked: str | None = None
        self._since = 0.0
        self._usual = {number: signal.getsignal(number) for number in self.SIGNALS}
        for number, handler in self._usual.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked is None:
            self._asked, self._since = signal.Signals(number).name, time.monotonic()
            self._heard()
        elif time.monotonic() - self._since > self.ONE_ORDER:
            self.restore()
            signal.raise_signal(number)

    def restore(self) -> None:
        """Puts the earlier handlers back."""
        for number, handler in self._usual.items():
            signal.signal(number, handler)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer after each update."""
        asked = [name for name in gather_object([self._asked]) if name is not None]
        if asked and state.global_step < state.max_steps:
            self.stopped = asked[0]
            control.should_save = True
            control.should_training_stop = True


class MeasureHeldOut(TrainerCallback):  # type: ignore[misc]
    """Adds `heldout/success` to the metrics line of every n-th step and of the last one, and the seconds that it took.

    Args:
        measure: success without hints of the model as it is, None where nothing could be judged; must not change any
            random state. Every rank calls it.
        every: generation steps between measurements.
        last: the last generation step.
    """

    def __init__(self, trainer: SelfHintTrainer, measure: Callable[[], float | None], every: int, last: int) -> None:
        self._trainer = trainer
        self._measure = measure
        self._every = every
        self._last = last

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer after each update."""
        step = self._trainer.generation_step
        if self._trainer.at_step_end and (step % self._every == 0 or step == self._last):
            started = time.perf_counter()
            success = self._measure()
            if success is not None:
                self._trainer.recorder.note("heldout/success", success)
            self._trainer.recorder.note("time/heldout", time.perf_counter() - started)
