"""What SelfHintTrainer asks of its arguments, before TRL loads models or starts vLLM."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

import torch
from datasets import Dataset, IterableDataset
from transformers import PreTrainedTokenizerBase
from trl import GRPOTrainer

from selfhint.core.errors import InputError
from selfhint.core.ports import HintedUpdates
from selfhint.engines.trl.rows import RowColumns
from selfhint.verify.reward import judges_form

_UNSUPPORTED = {
    "tools": "tools",
    "environment_factory": "environments",
    "rollout_func": "an own rollout_func",
}


def check_given(
    args: Sequence[Any], kwargs: Mapping[str, Any], columns: RowColumns, uses_hints: bool, needs_solution: bool
) -> None:
    """Checks GRPOTrainer's arguments; what only TRL can judge is left to it.

    Raises:
        InputError: a feature is not supported, or the data set lacks a needed column.
    """
    given = inspect.signature(GRPOTrainer).bind_partial(*args, **kwargs).arguments
    for name, what in _UNSUPPORTED.items():
        if given.get(name):
            raise InputError(f"SelfHintTrainer does not support {what}: leave {name} out, or train with GRPOTrainer")
    if uses_hints and getattr(given.get("args"), "remove_unused_columns", False):
        raise InputError("args.remove_unused_columns takes away the columns hints are made from: set it to False")
    if given.get("processing_class") is not None:
        check_tokenizer(given["processing_class"])
    data = given.get("train_dataset")
    if isinstance(data, IterableDataset):
        raise InputError("SelfHintTrainer needs a map-style Dataset as train_dataset, not an IterableDataset")
    if not isinstance(data, Dataset):
        return
    if {"image", "images"} & set(data.column_names):
        raise InputError("SelfHintTrainer does not support images: remove the column image/images")
    columns.check(data.column_names, needs_solution=needs_solution)
    functions = given.get("reward_funcs") or ()
    for function in functions if isinstance(functions, list | tuple) else (functions,):
        _check_parameters(function, data.column_names)


_ALWAYS_PASSED = ("prompts", "completions", "completion_ids", "trainer_state", "log_extra", "log_metric")
"""What TRL hands to every reward function, besides the columns."""
_NEVER_PASSED = ("prompt", "completion")
"""Columns that it keeps to itself."""


def _check_parameters(function: Any, column_names: Sequence[str]) -> None:
    """Raises InputError where a reward function needs a column that is not there; TRL would fail after generation."""
    if not callable(function) or isinstance(function, torch.nn.Module):
        return
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a callable that shows no signature
        return
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    needed = [p.name for p in parameters if p.kind in named and p.default is inspect.Parameter.empty]
    passed = {*_ALWAYS_PASSED, *column_names} - {*_NEVER_PASSED}
    missing = [name for name in needed if name not in passed]
    if missing:
        name = getattr(function, "__name__", type(function).__name__)
        raise InputError(
            f"the reward function {name} needs {missing[0]!r}, and train_dataset has no such column "
            f"(found: {', '.join(column_names)}): rename the column or the parameter"
        )


def check_hinted_updates(args: Sequence[Any], kwargs: Mapping[str, Any], hinted_updates: str, uses_hints: bool) -> None:
    """Checks how hinted groups shall enter the update.

    Raises:
        InputError: no such way, no hints, or vLLM's correction, which would take the hint's effect for vLLM's error.
    """
    known = get_args(HintedUpdates)
    if hinted_updates not in known:
        raise InputError(f"hinted_updates={hinted_updates!r}: use one of {', '.join(known)}")
    if hinted_updates == "on-policy":
        return
    if not uses_hints:
        raise InputError(
            f"hinted_updates={hinted_updates!r} needs a scheduler that uses hints: pass one, or leave it out"
        )
    config = inspect.signature(GRPOTrainer).bind_partial(*args, **kwargs).arguments.get("args")
    if config is not None and config.use_vllm and config.vllm_importance_sampling_correction:
        raise InputError(
            f"hinted_updates={hinted_updates!r} does not go with vLLM's importance sampling correction: "
            "set vllm_importance_sampling_correction=False"
        )


def check_tokenizer(processing_class: Any) -> None:
    """Refuses a processor of images or sound.

    Raises:
        InputError: it is no tokenizer.
    """
    if not isinstance(processing_class, PreTrainedTokenizerBase):
        raise InputError("SelfHintTrainer trains text models: pass a tokenizer as processing_class, not a processor")


def find_correct(
    correct: str | Callable[..., Any] | None, functions: Sequence[Any], function_names: Sequence[str]
) -> int:
    """Index of the reward function that says whether a completion is correct; never one of form.

    Args:
        correct: its name or itself; None where only one can be meant.

    Raises:
        InputError: none or several can be meant.
    """
    named = zip(functions, function_names, strict=True)
    candidates = {i: both for i, both in enumerate(named) if not judges_form(both[0])}
    found = [i for i, both in candidates.items() if correct is None or correct in both]
    if len(found) != 1:
        names = ", ".join(name for _, name in candidates.values())
        raise InputError(
            f"correct={correct!r}: name the one reward function that says whether a completion is correct "
            f"({f'one of {names}' if names else 'there is none: every one judges the form'}), "
            "or pass the function itself"
        )
    return found[0]
