"""The TRL internals this engine stands on, checked when it is imported instead of failing in the middle of a run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

import torch
from trl import GRPOTrainer

from selfhint.core.errors import InputError

SUPPORTED_MINOR = "1.16"

EXPECTED_PARAMETERS: dict[str, tuple[str, ...]] = {
    "_generate_and_score_completions": ("self", "inputs"),
    "_generate": ("self", "prompts"),
    "_calculate_rewards": ("self", "inputs", "prompts", "completions", "completion_ids_list"),
    "_compute_loss": ("self", "model", "inputs"),
    "_tokenize_prompts": ("self", "prompts"),
    "_generate_single_turn": (
        "self",
        "prompt_ids",
        "images",
        "multimodal_fields",
        "num_generations",
        "has_tool_images",
    ),
    "_get_per_token_logps_and_entropies": (
        "self",
        "model",
        "input_ids",
        "attention_mask",
        "logits_to_keep",
        "batch_size",
        "compute_entropy",
        "compute_aux_loss",
        "pixel_values",
        "image_grid_thw",
        "num_images",
        "pixel_attention_mask",
        "spatial_shapes",
        "num_tiles",
        "image_sizes",
        "token_type_ids",
        "mm_token_type_ids",
        "image_position_ids",
    ),
    "_get_train_sampler": ("self", "dataset"),
    "_save_checkpoint": ("self", "model", "trial"),
    "_load_optimizer_and_scheduler": ("self", "checkpoint"),
    "_inner_training_loop": (
        "self",
        "batch_size",
        "args",
        "resume_from_checkpoint",
        "trial",
        "ignore_keys_for_eval",
    ),
    "_log_completion_extra": ("self", "column", "values"),
}


def check_trl(installed: str | None = None) -> None:
    """Compares the installed TRL with the one this engine was written for.

    Raises:
        InputError: another minor version, or a method with other parameters.
    """
    found = installed or version("trl")
    if ".".join(found.split(".")[:2]) != SUPPORTED_MINOR:
        raise InputError(
            f"trl {found} is installed, selfhint needs {SUPPORTED_MINOR}: pip install 'trl~={SUPPORTED_MINOR}.0'"
        )
    for name, expected in EXPECTED_PARAMETERS.items():
        method = getattr(GRPOTrainer, name, None)
        parameters = tuple(inspect.signature(method).parameters) if method else ()
        if parameters != expected:
            raise InputError(
                f"trl {found}: GRPOTrainer.{name} takes {parameters}, selfhint was written for {expected}: "
                f"pip install 'trl~={SUPPORTED_MINOR}.0'"
            )


def load_location(device: torch.device) -> torch.device:
    """Where `torch.load` shall put tensors of this device: it knows `cpu` but not `cpu:0`."""
    return torch.device("cpu") if device.type == "cpu" else device


@contextmanager
def loadable_device(args: Any) -> Iterator[None]:
    """Lets transformers load optimizer states with several CPU processes, whose device accelerate calls `cpu:0`."""
    usual = args.device
    args.__dict__["_setup_devices"] = load_location(usual)
    try:
        yield
    finally:
        args.__dict__["_setup_devices"] = usual
