"""The riddles as verl's data, the policy that reads bytes, and the script that a rollout server plays.

A completion is right or not by its request's seed, so every run of the same settings draws the same groups, whatever
dies in between; `support.riddle_visits.expected` says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datasets import Dataset

from selfhint.runlog import read_lines
from support import riddle_set
from support.riddle_visits import words
from verl_support import reward
from verl_support.options import ServerOptions
from verl_support.run import Finished, Run, start_verl

MODULE = "selfhint.engines.verl"
SCRIPT = "verl_support.riddle_run:play"
"""For `ServerOptions.script`."""
STEPS = 3
TIPS = {
    "level_1": [riddle_set.HINT_TEXT[1], f"{riddle_set.HINT_TEXT[1]} Twice."],
    "level_2": [riddle_set.HINT_TEXT[2]],
}
"""Given hints of every riddle, for the runs that ask for the column."""


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
            "extra_info": {"index": i, "problem": row["problem"], "solution": row["solution"], "tips": TIPS},
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


def start(folder: Path, method: str, *more: str, delay: float = 0.0, **options: Any) -> Run:
    """Starts `STEPS` steps of the riddles in `folder`; a checkpoint after each."""
    overrides = [*build(folder), f"trainer.total_training_steps={STEPS}", "trainer.save_freq=1", *words(method), *more]
    return start_verl(MODULE, folder, overrides, server=ServerOptions(script=SCRIPT, delay=delay), **options)


def run(folder: Path, method: str, *more: str, **options: Any) -> Path:
    """The same to its end, which must be good. Returns `folder`."""
    with start(folder, method, *more, **options) as started:
        done = started.finish()
    assert done.returncode == 0, done.output
    return folder


def message(done: Finished) -> str:
    """Our last line in a run's output; Ray may print others after it. Empty where there is none."""
    ours = [line for line in done.output.splitlines() if line.startswith("selfhint: ")]
    return ours[-1].removeprefix("selfhint: ") if ours else ""


def differences(done: Finished) -> list[float]:
    """Step by step how far the trainer's probabilities are from the rollout servers'."""
    return [done.metrics[step]["training/rollout_probs_diff_max"] for step in sorted(done.metrics)]


def lines(folder: Path, name: str = "groups.jsonl") -> list[dict[str, Any]]:
    """A log of a run, without its times."""
    found = read_lines(folder / "checkpoints" / name)
    return [{key: value for key, value in line.items() if not key.startswith("time/")} for line in found]
