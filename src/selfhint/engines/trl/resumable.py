"""GRPOTrainer whose checkpoints hold all that hinted training needs, so that runs go on exactly where they stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import TrainerState
from transformers.integrations import is_deepspeed_zero3_enabled
from transformers.trainer import TRAINER_STATE_NAME
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR, TrainOutput
from trl import GRPOTrainer

from selfhint.config import TRL_INEXACT
from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger
from selfhint.core.ports import HintedUpdates, HintSource, Scheduler
from selfhint.engines.recorder import StepRecorder
from selfhint.engines.resume import check_same
from selfhint.engines.trl import checkpoint as ckpt
from selfhint.engines.trl.compat import load_location, loadable_device
from selfhint.engines.trl.sampler import EpochRepeatSampler
from selfhint.runlog import RunLog
from selfhint.schedulers import HintWeight

_SHAPE_OF_A_STEP = (
    "num_generations",
    "generation_batch_size",
    "steps_per_generation",
    "num_iterations",
    "gradient_accumulation_steps",
)
"""GRPOConfig fields that say which update uses which completions: a resumed run cannot change them."""


class ResumableTrainer(GRPOTrainer):  # type: ignore[misc]
    """The data order and the checkpoints of SelfHintTrainer, which sets the attributes.

    Args:
        scheduler, hints, hinted_updates: what a resumed run has to share with its checkpoint.
        ledger, hint_weight, recorder, generation_step: what a checkpoint keeps.
        run_log: files that a fresh run begins and a resumed one goes on with.
    """

    scheduler: Scheduler
    hints: HintSource
    hinted_updates: HintedUpdates
    ledger: Ledger
    hint_weight: HintWeight | None
    recorder: StepRecorder
    generation_step: int
    run_log: RunLog

    @property
    def weights_are_spread(self) -> bool:
        """Each process holds a part of the weights (FSDP, DeepSpeed ZeRO-3)."""
        return bool(self.is_fsdp_enabled or is_deepspeed_zero3_enabled())

    @property
    def epoch_number(self) -> int:
        """The current pass over the data, counted from 0."""
        return int(self.state.epoch or 0)

    def _get_train_sampler(self, dataset: Dataset | None = None) -> EpochRepeatSampler:
        stock = super()._get_train_sampler(dataset)
        return EpochRepeatSampler(
            data_source=stock.data_source,
            mini_repeat_count=stock.mini_repeat_count,
            batch_size=stock.batch_size,
            repeat_count=stock.repeat_count,
            shuffle=stock.shuffle,
            seed=stock.seed,
            epoch=lambda: self.epoch_number,
        )

    def train(self, resume_from_checkpoint: str | bool | None = None, **kwargs: Any) -> Any:
        """Trains as GRPOTrainer does. `True` resumes from the last complete checkpoint in `args.output_dir`.

        From another directory's checkpoint the run branches off: its logs begin with the next step.

        Raises:
            InputError: nothing to resume from, an incomplete checkpoint, or a directory with another run's logs.
        """
        source = self._find_checkpoint(resume_from_checkpoint)
        try:
            begins = source is None or self._branches_off(source)
            if begins:
                self._check_fresh()
            if begins and self.accelerator.is_main_process:
                self.run_log.start()
            return super().train(resume_from_checkpoint=None if source is None else str(source), **kwargs)
        finally:
            self.run_log.close()

    def _check_fresh(self) -> None:
        earlier = ckpt.last_complete(Path(self.args.output_dir))
        if earlier is not None:
            raise InputError(f"{earlier}: an earlier run's checkpoint is there; resume it or choose another output_dir")

    def _find_checkpoint(self, wanted: str | bool | None) -> Path | None:
        if not wanted:
            return None
        for name in TRL_INEXACT:
            if getattr(self.args, name):
                raise InputError(f"{name}=True: such a run cannot be resumed exactly; set it to False, or start anew")
        source = ckpt.last_complete(Path(self.args.output_dir)) if wanted is True else Path(str(wanted))
        if source is None:
            raise InputError(
                f"{self.args.output_dir}: no complete checkpoint to resume from; start without resuming, after moving "
                "away the logs of the run that left none"
            )
        state = ckpt.read_state(source, ckpt.RESTORED)
        check_same(source, state, self._must_match())
        return source

    def _branches_off(self, source: Path) -> bool:
        """The checkpoint is another run's: this run's logs are not the ones it speaks of."""
        return source.resolve().parent != Path(self.args.output_dir).resolve()

    def _must_match(self) -> dict[str, Any]:
        return {
            "num_processes": self.accelerator.num_processes,
            "scheduler": self.scheduler.name,
            "hint_source": self.hints.name,
            "hinted_updates": self.hinted_updates,
            **{name: getattr(self.args, name) for name in _SHAPE_OF_A_STEP},
        }

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        folder = Path(self._get_output_dir(trial=trial)) / f"{PREFIX_CHECKPOINT_DIR}-{self.state.global_step}"
        if self.args.should_save:
            ckpt.unmark(folder)
        # Older checkpoints may go only after this one is complete, so the parent must not delete any.
        limit, self.args.save_total_limit = self.args.save_total_limit, None
        try:
            super()._save_checkpoint(model, trial)
        finally:
            self.args.save_total_limit = limit
        buffer = folder / ckpt.buffer_file(self.accelerator.process_index)
        if self.at_step_end:
            buffer.unlink(missing_ok=True)
        else:
            torch.save(self._buffered_inputs, buffer)
        if self.args.should_save:
            ckpt.write_state(folder, self._state_dict())
        self.accelerator.wait_for_everyone()
        if self.args.should_save:
            ckpt.mark_complete(folder)
            ckpt.rotate(folder, limit, self.state.best_model_checkpoint)

    def _state_dict(self) -> dict[str, Any]:
        return {
            **self._must_match(),
            "micro_step": self._step,
            "generation_step": self.generation_step,
            "ledger": self.ledger.state_dict(),
            "hint_weight": None if self.hint_weight is None else self.hint_weight.state_dict(),
            "record": self.recorder.state_dict(),
        }

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with loadable_device(self.args):
            super()._load_optimizer_and_scheduler(checkpoint)
        if checkpoint is not None:
            self._load_own_state(Path(checkpoint))

    def _load_own_state(self, folder: Path) -> None:
        state = ckpt.read_state(folder, ckpt.RESTORED)
        self._step = state["micro_step"]
        self.generation_step = state["generation_step"]
        with ckpt.damage_named(folder):
            self.ledger.load_state_dict(state["ledger"])
            if self.hint_weight is not None and state["hint_weight"] is not None:
                self.hint_weight.load_state_dict(state["hint_weight"])
        buffer = folder / ckpt.buffer_file(self.accelerator.process_index)
        if buffer.exists():
            location = load_location(self.accelerator.device)
            self._buffered_inputs = torch.load(buffer, map_location=location, weights_only=True)
        if not self._branches_off(folder):
            with ckpt.damage_named(folder):
                self.recorder.load_state_dict(state["record"])

    def _inner_training_loop(self, *args: Any, resume_from_checkpoint: str | None = None, **kwargs: Any) -> Any:
        """Makes no update where the checkpoint is that of the last one: transformers would make one more."""
        if resume_from_checkpoint is not None:
            folder = Path(resume_from_checkpoint)
            saved = TrainerState.load_from_json(str(folder / TRAINER_STATE_NAME))
            if 0 < self.args.max_steps <= saved.global_step:
                self._load_weights_left_out(folder)
                self.state = saved
                self._load_own_state(folder)
                self.recorder.close()
                return TrainOutput(saved.global_step, 0.0, {})
        return super()._inner_training_loop(*args, resume_from_checkpoint=resume_from_checkpoint, **kwargs)

    def _load_weights_left_out(self, folder: Path) -> None:
        """DeepSpeed and FSDP load a checkpoint's weights in a preparation for training that no update needs.

        Raises:
            InputError: they are spread over the processes, which only that preparation puts together.
        """
        if self.weights_are_spread:
            raise InputError(f"{folder}: the run is finished, with all its steps; its weights are in that checkpoint")
        if self.is_deepspeed_enabled:
            self._load_from_checkpoint(str(folder))

    @property
    def at_step_end(self) -> bool:
        """The last update on the current completions is done."""
        return self._step % (self.args.steps_per_generation * self.num_iterations) == 0  # type: ignore[no-any-return]
