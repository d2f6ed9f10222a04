"""Callbacks of the Hugging Face trainer."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

from accelerate.utils import gather_object
from transformers import TrainerCallback

if TYPE_CHECKING:
    from selfhint.engines.trl.trainer import SelfHintTrainer


class CloseLogs(TrainerCallback):  # type: ignore[misc]
    """Writes the last metrics line when training ends."""

    def __init__(self, trainer: SelfHintTrainer) -> None:
        self._trainer = trainer

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer."""
        self._trainer.close_metrics_line()


class StopOnSignal(TrainerCallback):  # type: ignore[misc]
    """On SIGTERM or SIGINT: finish the update, write a checkpoint, stop. A second signal ends the process at once.

    Every rank must receive the signal's news in the same update, so ranks tell each other after each one.
    """

    SIGNALS = (signal.SIGTERM, signal.SIGINT)

    def __init__(self) -> None:
        self.stopped = False
        self._asked = False
        self._usual = {number: signal.getsignal(number) for number in self.SIGNALS}
        for number in self.SIGNALS:
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True
        self.restore()

    def restore(self) -> None:
        """Puts the earlier handlers back."""
        for number, handler in self._usual.items():
            signal.signal(number, handler)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer after each update."""
        if any(gather_object([self._asked])) and state.global_step < state.max_steps:
            self.stopped = True
            control.should_save = True
            control.should_training_stop = True


class MeasureHeldOut(TrainerCallback):  # type: ignore[misc]
    """Adds `heldout/success` to the metrics line of every n-th step and of the last one.

    Args:
        measure: success without hints of the model as it is; must not change any random state.
        every: generation steps between measurements.
        last: the last generation step.
    """

    def __init__(self, trainer: SelfHintTrainer, measure: Callable[[Any], float], every: int, last: int) -> None:
        self._trainer = trainer
        self._measure = measure
        self._every = every
        self._last = last

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Called by the trainer after each update."""
        step = self._trainer.generation_step
        if self._trainer.at_step_end and (step % self._every == 0 or step == self._last):
            self._trainer.note(
                "heldout/success", self._measure(self._trainer.accelerator.unwrap_model(self._trainer.model))
            )
