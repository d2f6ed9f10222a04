"""What the recipe's group `trl` may hold: fields of TRL's GRPOConfig, except those that a top-level key decides."""

from __future__ import annotations

from typing import Any

TRL_DEFAULTS: dict[str, Any] = {
    "loss_type": "dapo",  # clipped, mean over the tokens of the whole batch
    "scale_rewards": "group",  # advantages are divided by the group's standard deviation
    "beta": 0.0,  # no KL term
    "epsilon": 0.2,
    "epsilon_high": 0.28,
    "temperature": 1.0,
    "lr_scheduler_type": "constant",  # so that a run can be given more steps
    "steps_per_generation": 2,  # a batch of 128 problems is used in mini-batches of 64
    "gradient_accumulation_steps": 1,
}
"""The paper's settings (arXiv 2602.03143) under TRL's names; the user's own values go over them."""

TRL_OWNED: dict[str, str] = {
    "output_dir": "out",
    "seed": "seed",
    "data_seed": "seed",
    "learning_rate": "lr",
    "max_steps": "steps",
    "num_train_epochs": "steps",
    "num_generations": "group_size",
    "generation_batch_size": "batch_problems",
    "per_device_train_batch_size": "batch_problems",
    "max_completion_length": "max_completion_tokens",
    "save_steps": "save_every",
    "save_strategy": "save_every",
    "resume_from_checkpoint": "--resume",
}
"""GRPOConfig field → the top-level key (or option) that decides it."""

TRL_INEXACT = ("save_only_model", "ignore_data_skip")
"""GRPOConfig fields with which a resumed run lacks the optimiser and the random states, or the order of the data."""
