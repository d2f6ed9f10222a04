"""The riddles as verl's data, the policy that reads bytes, and the script that a rollout server plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datasets import Dataset

from support import riddle_set
from verl_support import reward

SCRIPT = "verl_support.riddle_run:play"
"""For `ServerOptions.script`."""


def build(folder: Path, num: int = 8) -> list[str]:
    """Writes model and data under `folder`; returns the overrides that name them."""
    model, tokenizer = riddle_set.policy()
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    rows = [
        {
            "data_source": "riddles",
            "prompt": row["prompt"],
            "ability": "riddles",
            "reward_model": {"style": "rule", "ground_truth": row["answer"]},
            "extra_info": {"index": i, "problem": row["problem"], "solution": row["solution"]},
        }
        for i, row in enumerate(riddle_set.rows(num))
    ]
    Dataset.from_list(rows).to_parquet(str(folder / "riddles.parquet"))
    return [
        f"actor_rollout_ref.model.path={folder / 'model'}",
        f"data.train_files={folder / 'riddles.parquet'}",
        f"data.val_files={folder / 'riddles.parquet'}",
        f"data.train_batch_size={riddle_set.PROBLEMS_A_STEP}",
        f"actor_rollout_ref.rollout.n={riddle_set.GROUP_SIZE}",
        "data.max_prompt_length=1024",
        "data.max_response_length=8",
        "actor_rollout_ref.rollout.max_model_len=2048",
        f"reward.custom_reward_function.path={reward.__file__}",
        "reward.custom_reward_function.name=compute_score",
    ]


def play(prompt: str, sampling_params: Mapping[str, Any]) -> str:
    """What the policy answers."""
    return riddle_set.seeded(prompt, sampling_params["seed"])
