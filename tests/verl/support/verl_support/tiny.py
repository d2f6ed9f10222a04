"""An untrained lab policy, lab problems as a verl data set, and the overrides that name them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from selfhint.core.problem import Problem
from selfhint.data import write_verl
from selfhint.lab.policy import PolicySize, build_model, build_tokenizer
from selfhint.lab.task import LabTask
from verl_support import reward

DATA_SOURCE = "selfhint_lab"


@dataclass(frozen=True, slots=True)
class TinySet:
    """Files of one tiny run, and the problems behind them."""

    model: Path
    train: Path
    val: Path
    problems: tuple[Problem, ...]

    def overrides(self, score: str = "compute_score") -> list[str]:
        """verl overrides for model, data and the reward named `score` (a function of `reward`)."""
        return [
            f"actor_rollout_ref.model.path={self.model}",
            f"data.train_files={self.train}",
            f"data.val_files={self.val}",
            "data.max_prompt_length=32",
            "data.max_response_length=8",
            f"reward.custom_reward_function.path={reward.__file__}",
            f"reward.custom_reward_function.name={score}",
        ]


def build(
    folder: Path, *, num_problems: int = 16, num_val: int = 4, seed: int = 0, size: PolicySize | None = None
) -> TinySet:
    """Writes model and data under `folder`; the same arguments give the same files."""
    task = LabTask()
    tokenizer = build_tokenizer(task)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = build_model(tokenizer, size or PolicySize())
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    problems = task.problems("mixed", seed=seed, num_train=num_problems, num_held_out=num_val)
    train, val = folder / "train.parquet", folder / "val.parquet"
    write_verl(problems.train, train, data_source=DATA_SOURCE)
    write_verl(problems.held_out, val, data_source=DATA_SOURCE)
    return TinySet(folder / "model", train, val, problems.train)
