"""A recipe as TRL's own configuration."""

from __future__ import annotations

import dataclasses
import difflib
import os
from pathlib import Path
from typing import Any

from peft import LoraConfig
from trl import GRPOConfig

from selfhint.config import Recipe
from selfhint.core.errors import InputError


def num_processes() -> int:
    """Processes that torchrun or accelerate started."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def process_index() -> int:
    """This process's rank."""
    return int(os.environ.get("RANK", "0"))


def updates_per_step(recipe: Recipe) -> int:
    """Optimiser steps on the completions of one generation step."""
    settings = recipe.trl
    total: int = settings["steps_per_generation"] * settings.get("num_iterations", 1)
    return total // int(settings["gradient_accumulation_steps"])


def grpo_config(recipe: Recipe, checkpoints: Path, **ours: Any) -> GRPOConfig:
    """TRL's configuration of a run.

    Args:
        checkpoints: folder of the checkpoints.
        ours: fields that the command decides, over the recipe's `trl` group.

    Raises:
        InputError: an unknown field under `trl`, a value TRL refuses, or completions that do not split evenly.
    """
    fields = [field.name for field in dataclasses.fields(GRPOConfig)]
    for name in recipe.trl:
        if name not in fields:
            near = difflib.get_close_matches(name, fields, n=1)
            raise InputError(
                f"trl.{name}: GRPOConfig has no such field" + (f"; did you mean {near[0]}?" if near else "")
            )
    completions = recipe.batch_problems * recipe.group_size
    parts = recipe.trl["steps_per_generation"] * num_processes()
    if completions % parts:
        raise InputError(
            f"batch_problems x group_size = {completions} completions do not split over {num_processes()} processes in "
            f"trl.steps_per_generation = {recipe.trl['steps_per_generation']} equal parts; change one of the three"
        )
    per_step = updates_per_step(recipe)
    values = {
        "output_dir": str(checkpoints),
        "seed": recipe.seed,
        "learning_rate": recipe.lr,
        "num_generations": recipe.group_size,
        "max_completion_length": recipe.max_completion_tokens,
        "per_device_train_batch_size": completions // parts,
        "max_steps": recipe.steps * per_step,
        "save_strategy": "steps",
        "save_steps": recipe.save_every * per_step,
        "save_total_limit": 2,
        "report_to": "none",
        "logging_strategy": "no",
        "disable_tqdm": True,
    }
    try:
        return GRPOConfig(**{**values, **recipe.trl, **ours})
    except (TypeError, ValueError) as error:
        raise InputError(f"trl: {' '.join(str(error).split())}") from error


def lora_config(recipe: Recipe) -> LoraConfig | None:
    """The adapters to train, or None for all weights."""
    lora = recipe.lora
    if lora is None:
        return None
    modules = lora.target_modules if isinstance(lora.target_modules, str) else list(lora.target_modules)
    return LoraConfig(
        r=lora.r, lora_alpha=lora.alpha, lora_dropout=lora.dropout, target_modules=modules, task_type="CAUSAL_LM"
    )
