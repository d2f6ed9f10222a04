"""verl's synchronous trainer with a ledger: it sends each row with its problem's record and hears of each visit."""

from __future__ import annotations

import functools
import logging
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import transfer_queue as tq
from datasets.exceptions import DatasetsError
from omegaconf import OmegaConf
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync
from verl.utils import tensordict_utils as tu

from selfhint.config import VerlSettings
from selfhint.core.errors import InputError, RunError
from selfhint.core.group import Visit
from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import Scheduler
from selfhint.core.problem import GivenTexts, Problem
from selfhint.data import read_hints_file
from selfhint.engines.build import make_hint_weight, make_scheduler, make_teacher
from selfhint.engines.recorder import StepRecorder
from selfhint.engines.resume import check_same
from selfhint.engines.verl.batch import in_order, parts_of, scale_advantages
from selfhint.engines.verl.checkpoint import read_state, write_state
from selfhint.engines.verl.report import ASSIGNMENT, account_in, assignment, first_line
from selfhint.engines.verl.rows import check_row, problem_of, rows_of
from selfhint.runlog import HINT_WEIGHT, LOG_FILES, RunLog, step_metrics, steps_logged

logger = logging.getLogger(__name__)


class HintedTrainer(PPOTrainerSync):  # type: ignore[misc]
    """Keeps what must outlive a step: the ledger, the run's logs, and both in checkpoints."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.settings = VerlSettings.model_validate(OmegaConf.to_container(config.selfhint))
        self.ledger = Ledger()
        self.hint_weight = make_hint_weight(self.settings)
        self.run_log = RunLog(Path(config.trainer.default_local_dir))
        self.recorder = StepRecorder(self.run_log, is_main=True)
        file = self.settings.hints.file
        self._hints_file = None if file is None else read_hints_file(file)
        self._dispatched: dict[str, str] = {}
        self._validating_since = 0.0

    def _init_dataloader(self) -> None:
        try:
            super()._init_dataloader()
            first = self.train_dataset[0]
        except (DatasetsError, KeyError, IndexError, OSError, ValueError) as error:
            logger.warning("reading the data failed", exc_info=True)
            raise InputError(
                f"data.train_files={self.config.data.train_files}, data.val_files={self.config.data.val_files}: they "
                f"cannot be read as data.prompt_key={self.config.data.prompt_key} says ({first_line(error)}); mend "
                "these overrides or the files"
            ) from error
        if len(self.train_dataset) < self.config.data.train_batch_size:
            raise InputError(
                f"data.train_files: {len(self.train_dataset)} rows are no step of data.train_batch_size="
                f"{self.config.data.train_batch_size}; lower it"
            )
        needs_solution = self.settings.hint_source not in ("none", "given")
        check_row(first, self.settings.columns, needs_solution)
        self._check_given()
        teacher = make_teacher(self.settings, self.run_log.folder)  # what it lacks is told before models are loaded
        if teacher is not None:
            teacher.close()

    def _check_given(self) -> None:
        """Keys of another run's problems would leave a run without a hint.

        Raises:
            InputError: the hints file speaks of none of the data's problems.
        """
        if self._hints_file is None:
            return
        for i in range(len(self.train_dataset)):
            row = self.train_dataset[i]
            if self._given(problem_of(row, row["raw_prompt"], self.settings.columns)):
                return
        raise InputError(
            f"selfhint.hints.file={self.settings.hints.file}: none of its keys is that of a problem in "
            "data.train_files; name the column that it was written from with selfhint.columns.problem=..., or write "
            "the hints from these files"
        )

    def _given(self, problem: Problem) -> GivenTexts | None:
        """What the hints file holds for a problem; None where there is no file."""
        return None if self._hints_file is None else self._hints_file.of(problem)

    @functools.cached_property
    def _scheduler(self) -> Scheduler:
        """Made when the data are there: they decide how many steps the run has."""
        return make_scheduler(self.settings, seed=self.settings.seed or 0, steps=self.total_training_steps)

    @property
    def _epoch(self) -> int:
        """The current pass over the data, counted from 0."""
        return int((self.global_steps - 1) // self.steps_per_epoch)

    @property
    def _updates_per_step(self) -> int:
        actor = self.config.actor_rollout_ref.actor
        return int(self.config.data.train_batch_size // actor.ppo_mini_batch_size * actor.ppo_epochs)

    # A step ----------------------------------------------------------------------------------------------------------

    def on_step_begin(self) -> None:
        """Opens the step in the logs."""
        self._dispatched.clear()
        self.recorder.begin_step()

    def _submit_batch_to_rollout(self, batch: Any) -> int:
        problems = [problem_of(row, row["raw_prompt"], self.settings.columns) for row in rows_of(batch)]
        keys = [problem.key for problem in problems]
        earlier = list(self._dispatched.values())  # verl may send some more where visits failed
        numbers = self.ledger.visit_numbers([*earlier, *keys])[len(earlier) :]
        plans = self._scheduler.plans(self.ledger, list(zip(keys, numbers, strict=True)))
        sent = [
            assignment(plan, self.ledger.record(p.key).hints, number, self._epoch, self._given(p))
            for p, plan, number in zip(problems, plans, numbers, strict=True)
        ]
        tu.assign_non_tensor_stack(batch, ASSIGNMENT, sent)
        self._dispatched |= dict(zip(batch["uid"], keys, strict=True))
        return super()._submit_batch_to_rollout(batch)  # type: ignore[no-any-return]

    def _balance_batch(self, batch: Any, metrics: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        """Groups come as they end, so hinted ones last: mini-batches would be without hints first and with them after.

        In the order of the data each holds both, and none depends on how fast the cluster answered.
        """
        batch.reorder(in_order(batch.keys, list(self._dispatched)))
        return super()._balance_batch(batch, metrics, *args, **kwargs)

    def _step_once(self, metrics: dict[str, Any], timing_raw: dict[str, float], sample_batch_size: int) -> Any:
        try:
            return super()._step_once(metrics, timing_raw, sample_batch_size)
        except RuntimeError as error:
            failures = self.agent_loop_manager.failures()  # verl stops where no visit of a step left a group
            if failures.total() < len(self._dispatched):
                raise
            raise RunError(f"step {self.global_steps}: every visit failed ({_counted(failures)})") from error

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        batch = super()._compute_advantage(batch, metrics)
        visits_by_uid = self._visits_in(batch)
        visits = list(visits_by_uid.values())
        self.ledger.add_step(visits)
        ours = step_metrics(visits, self.ledger) | {"groups/lost": len(self._dispatched) - len(visits)}
        if self.hint_weight is not None:
            ours[HINT_WEIGHT] = self.hint_weight.after(visits)
            hinted = {uid for uid, visit in visits_by_uid.items() if visit.kept.level > NO_HINT}
            scale_advantages(batch, hinted, ours[HINT_WEIGHT])
        metrics.update({f"selfhint/{name}": value for name, value in ours.items() if value is not None})
        head = {
            "step": self.global_steps,
            "epoch": self._epoch,
            "update": (self.global_steps - 1) * self._updates_per_step,
        }
        self.recorder.record(head, ours, visits, {"time/solve": self.timing_raw["gen"]})
        return batch

    def _visits_in(self, batch: Any) -> dict[str, Visit]:
        """The accounts that came with the groups, by uid, in the order in which their rows were dispatched.

        Raises:
            SelfHintError: a visit met an error that no repetition mends.
        """
        for cause, number in self.agent_loop_manager.failures().items():
            logger.warning(
                "step %d: %d visits failed (%s); their problems come again", self.global_steps, number, cause
            )
        firsts = {}
        for key, tag in zip(batch.keys, batch.tags, strict=True):
            uid, session, index = parts_of(key)
            if session == 0 and not tag.get("is_padding", False):
                firsts[uid, index] = key
        last = {uid: key for (uid, _), key in sorted(firsts.items())}
        uids = [uid for uid in self._dispatched if uid in last]
        data = tq.kv_batch_get(
            keys=[last[uid] for uid in uids], partition_id=batch.partition_id, select_fields=["extra_fields"]
        )
        accounts = [account_in(getattr(fields, "data", fields)) for fields in data["extra_fields"]]
        return dict(zip(uids, accounts, strict=True))

    def on_validate_begin(self) -> None:
        """Starts the clock of a validation."""
        super().on_validate_begin()
        self._validating_since = time.perf_counter()

    def on_validate_end(self) -> None:
        """Notes how long it took, so that it is not taken for a part of the update."""
        super().on_validate_end()
        self.recorder.note("time/heldout", time.perf_counter() - self._validating_since)

    # Checkpoints -----------------------------------------------------------------------------------------------------

    def _must_match(self) -> dict[str, Any]:
        return {
            "scheduler": self.settings.scheduler_name,
            "hint_source": self.settings.hint_source,
            "group_size": self.config.actor_rollout_ref.rollout.n,
        }

    def _save_checkpoint(self) -> None:
        folder = Path(self.config.trainer.default_local_dir) / f"global_step_{self.global_steps}"
        write_state(
            folder,
            {
                **self._must_match(),
                "ledger": self.ledger.state_dict(),
                "hint_weight": None if self.hint_weight is None else self.hint_weight.state_dict(),
                "record": self.recorder.state_dict(),
            },
        )
        super()._save_checkpoint()

    def _load_checkpoint(self) -> None:
        super()._load_checkpoint()
        if self.config.trainer.get("val_only"):
            return  # no step is logged, and what is there stays
        folder = self._resumed_folder()
        state = read_state(folder) if folder is not None else None
        if folder is not None and state is not None:
            self._resume(folder, state)
        elif self.config.trainer.resume_mode == "disable":
            self.run_log.start()
        else:
            self._start_over(folder)

    def _resumed_folder(self) -> Path | None:
        if not self.global_steps:
            return None
        if self.config.trainer.resume_mode == "resume_path":
            return Path(os.path.abspath(self.config.trainer.resume_from_path))
        return Path(os.path.abspath(self.config.trainer.default_local_dir)) / f"global_step_{self.global_steps}"

    def _resume(self, folder: Path, state: dict[str, Any]) -> None:
        check_same(folder, state, self._must_match())
        self.ledger.load_state_dict(state["ledger"])
        if self.hint_weight is not None and state["hint_weight"] is not None:
            self.hint_weight.load_state_dict(state["hint_weight"])
        if folder.parent == Path(os.path.abspath(self.config.trainer.default_local_dir)):
            self.recorder.load_state_dict(state["record"])
        else:  # a branch: the earlier steps' lines stay where they are
            self.run_log.start()

    def _start_over(self, folder: Path | None) -> None:
        """No checkpoint of ours: what a run that died before its first one logged is dropped.

        Raises:
            InputError: the checkpoint's logs are there, its state is not; or the logs are longer than a run's that had
                no checkpoint yet.
        """
        if folder is not None and any((self.run_log.folder / name).exists() for name in LOG_FILES):
            raise InputError(
                f"{folder}: its selfhint_state.json is missing though {self.run_log.folder} holds a run's logs; put it "
                "back, or move the logs away to go on with an empty record of the problems"
            )
        logged = steps_logged(self.run_log.folder)
        if logged > max(self.config.trainer.save_freq, 1):  # a step is logged before its checkpoint is written
            raise InputError(
                f"{self.run_log.folder}: holds the logs of {logged} steps and no checkpoint; choose another "
                "trainer.default_local_dir, or move the logs away"
            )
        self.run_log.resume(dict.fromkeys(LOG_FILES, 0))

    def close(self) -> None:
        """Writes the last step's line, tells what became of the hints and closes the logs."""
        self.recorder.close()
        self.run_log.close()


def _counted(failures: Counter[str]) -> str:
    return ", ".join(f"{number} x {cause}" for cause, number in failures.most_common())
