"""Success without hints on problems that are not trained on, with the trainer's own generation and rewards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import torch

from selfhint.core.group import Verdict
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import Judge, Sample
from selfhint.engines.seeds import completion_seed
from selfhint.engines.trl.engine import TrlEngine
from selfhint.engines.trl.rows import Row

if TYPE_CHECKING:
    from selfhint.engines.trl.trainer import SelfHintTrainer

NO_VISIT = 0
"""Problems that are not trained on have no visits; requests need a number."""


def held_out_success(trainer: SelfHintTrainer, rows: Sequence[Row], samples: int) -> float | None:
    """Share of correct completions of the policy as it is, sampled as in training. All ranks call it.

    Every measurement draws from the same seeds. Afterwards the model's mode and torch's random state are what they
    were; vLLM's own random state is not.

    Args:
        rows: problems in the form of the trainer's data set, distinct by key; never empty.
        samples: completions for each problem.

    Returns:
        The share among those that could be judged; None where none could.
    """
    trained = trainer.model.training
    trainer.model.eval()
    try:
        with torch.random.fork_rng():
            verdicts = [verdict.correct for verdict in _verdicts(trainer, rows, samples)]
    finally:
        trainer.model.train(trained)
    judged = [correct for correct in verdicts if correct is not None]
    return sum(judged) / len(judged) if judged else None


def _verdicts(trainer: SelfHintTrainer, rows: Sequence[Row], samples: int) -> Iterator[Verdict]:
    """In parts of at most as many completions as a training step draws, so that what fits there fits here."""
    problems = [trainer.columns.problem_of(row) for row in rows]
    identified = {(problem.key, NO_VISIT): row for problem, row in zip(problems, rows, strict=True)}
    engine = TrlEngine(trainer, identified, trainer._calculate_rewards)
    at_once = max(1, trainer.args.generation_batch_size // samples)
    for start in range(0, len(problems), at_once):
        part = problems[start : start + at_once]
        requests = [
            Sample(key=p.key, visit=NO_VISIT, level=NO_HINT, purpose="solve", prompt=p.prompt, num=samples)
            for p in part
        ]
        torch.manual_seed(completion_seed(trainer.args.seed, requests[0], trainer.accelerator.process_index))
        drawn = engine.sample(requests)
        judges = [
            Judge(problem=p, visit=NO_VISIT, prompt=p.prompt, completions=tuple(completions))
            for p, completions in zip(part, drawn, strict=True)
        ]
        for verdicts in engine.judge(judges):
            yield from verdicts
