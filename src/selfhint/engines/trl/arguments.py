"""A recipe as TRL's own configuration."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, get_type_hints

from peft import LoraConfig
from pydantic import TypeAdapter, ValidationError
from trl import GRPOConfig

from selfhint.config import Recipe
from selfhint.core.errors import InputError

ALL_LINEAR = "all-linear"
"""PEFT's word for every linear layer but the output."""


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


def grpo_config(recipe: Recipe, checkpoints: Path) -> GRPOConfig:
    """TRL's configuration of a run.

    Args:
        checkpoints: folder of the checkpoints.

    Raises:
        InputError: an unknown field under `trl`, a value TRL refuses, or completions that do not split evenly.
    """
    _check_fields(recipe.trl)
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
        return GRPOConfig(**{**values, **recipe.trl})
    except (TypeError, ValueError, ImportError) as error:
        raise InputError(f"trl: {' '.join(str(error).split())}; correct the group trl") from error


def _check_fields(trl: dict[str, Any]) -> None:
    """Dataclasses take any value; a wrong one would end the run in the middle of its first step."""
    types = get_type_hints(GRPOConfig)
    for name, value in trl.items():
        if name not in types:
            near = difflib.get_close_matches(str(name), types, n=1)
            mend = f"did you mean trl.{near[0]}?" if near else "remove it"
            raise InputError(f"trl.{name}: GRPOConfig has no such field; {mend}")
        try:
            TypeAdapter(types[name]).validate_python(value, strict=True)
        except ValidationError as error:
            wanted = " or ".join(dict.fromkeys(part["msg"] for part in error.errors(include_url=False)))
            raise InputError(
                f"trl.{name}: {value!r} is not allowed; {wanted.replace('Input should', 'it should')}"
            ) from None


def lora_config(recipe: Recipe) -> LoraConfig | None:
    """The adapters to train, or None for all weights."""
    lora = recipe.lora
    if lora is None:
        return None
    names = lora.target_modules
    modules = [names] if isinstance(names, str) and names != ALL_LINEAR else names
    return LoraConfig(
        r=lora.r,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=modules if isinstance(modules, str) else list(modules),
        task_type="CAUSAL_LM",
    )


def check_adapted(recipe: Recipe, model: Any) -> None:
    """PEFT is content when one of several modules is found; a mistyped one would go without an adapter in silence.

    Raises:
        InputError: a module of `lora.target_modules` is not in the model.
    """
    modules = recipe.lora.target_modules if recipe.lora is not None else ALL_LINEAR
    adapted = getattr(model, "targeted_module_names", [])
    for wanted in [modules] if isinstance(modules, str) else modules:
        if wanted != ALL_LINEAR and not any(f".{name}".endswith(f".{wanted}") for name in adapted):
            raise InputError(f"lora.target_modules: the model has no module {wanted!r}; use all-linear or correct it")
