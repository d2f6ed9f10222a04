"""The trainer's own model writes hints before training, with the trainer's own generation, on every rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast_object_list

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import Judge, Sample
from selfhint.core.problem import Problem
from selfhint.engines.seeds import completion_seed
from selfhint.engines.trl.engine import TrlEngine
from selfhint.engines.trl.trainer import SelfHintTrainer
from selfhint.engines.write_hints import BATCH, Place, hint_rows
from selfhint.engines.written_hints import ALL_LEVELS, WriteReport, append_rows, take_up
from selfhint.hints import HintFormat, SelfHints


class _SeededEngine:
    """Draws each batch from a seed that follows from its first request, so that a stop changes nothing."""

    def __init__(self, trainer: SelfHintTrainer) -> None:
        self._engine = TrlEngine(trainer, {}, _never_scored)
        self._seed = trainer.args.seed
        self._rank = trainer.accelerator.process_index

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        torch.manual_seed(completion_seed(self._seed, requests[0], self._rank))
        return self._engine.sample(requests)

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        return self._engine.judge(requests)


def _never_scored(*args: Any) -> Any:
    raise AssertionError("hints are written, not scored")


def write_offline_hints(
    trainer: SelfHintTrainer,
    problems: Sequence[Problem],
    source_format: HintFormat,
    path: Path,
    *,
    per_level: int,
    tries: int,
    count_leaks: bool = False,
    batch: int = BATCH,
    on_batch: Callable[[WriteReport], None] | None = None,
) -> WriteReport:
    """`write_hints` with the trainer's model, which must not have been trained yet. All ranks call it.

    Every random state is afterwards what it was before, whether or not something had to be written.

    Raises:
        InputError: the file cannot be read or written; on every rank.
    """
    report = WriteReport()
    there = _on_main(trainer, lambda: sorted(take_up(path, report)))
    place = Place(trainer.hinted, trainer.fits, trainer.fits_request)
    trained = trainer.model.training
    trainer.model.eval()
    try:
        with torch.random.fork_rng():
            engine = _SeededEngine(trainer)
            source = SelfHints(source_format, tries, count_leaks=count_leaks)
            batches = hint_rows(problems, engine, source, set(there), ALL_LEVELS, per_level, batch, place)
            for rows in batches:
                _on_main(trainer, lambda rows=rows: append_rows(path, rows))  # type: ignore[misc]
                for row in rows:
                    report.add(row)
                if on_batch is not None:
                    on_batch(report)
    finally:
        trainer.model.train(trained)
    return report


def _on_main(trainer: SelfHintTrainer, do: Callable[[], Any]) -> Any:
    """What the first rank gets, or its error, on every rank."""
    result: list[Any] = [None]
    if trainer.accelerator.is_main_process:
        try:
            result = [do()]
        except InputError as error:
            result = [error]
    if trainer.accelerator.num_processes > 1:
        broadcast_object_list(result)
    if isinstance(result[0], InputError):
        raise result[0]
    return result[0]
