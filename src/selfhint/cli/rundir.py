"""The run directory as a whole: its recipe, and its final model."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from selfhint.config import Recipe, changed_keys, dump_recipe, load_recipe
from selfhint.core.errors import InputError
from selfhint.lock import take
from selfhint.runlog import LOG_FILES, METRICS

RECIPE, CHECKPOINTS, FINAL = "recipe.yaml", "checkpoints", "final"
OFFLINE_HINTS = "offline_hints.jsonl"
"""What hints.source offline wrote before training."""
PROMPT = "selfhint.json"
"""In the folder of a final model: how it was asked in training."""


def has_run(out: Path) -> bool:
    """A run was begun in this directory.

    Raises:
        InputError: it cannot be looked into.
    """
    with _reading(out):
        return (out / RECIPE).exists()


def check_fresh(out: Path) -> None:
    """Looks before anything is written.

    Raises:
        InputError: the directory has another run in it, or is no directory.
    """
    try:
        if out.exists() and not out.is_dir():
            raise InputError(f"out={out}: is a file; choose a directory")
        used = [
            name for name in (RECIPE, *LOG_FILES, OFFLINE_HINTS, CHECKPOINTS, FINAL) if _holds_something(out / name)
        ]
    except OSError as error:
        raise _cannot_write(out, error) from error
    if used[:1] == [RECIPE]:
        raise _used(out)
    if used:
        raise InputError(
            f"out={out}: holds {used[0]} of an earlier run, but no {RECIPE} to go on with; move the folder away or "
            "choose another directory"
        )


def _holds_something(path: Path) -> bool:
    """A process that is killed while it loads leaves an empty folder, which is nobody's run."""
    return any(path.iterdir()) if path.is_dir() else path.exists() and path.stat().st_size > 0


def _used(out: Path) -> InputError:
    return InputError(
        f"out={out}: holds an earlier run ({RECIPE}); go on with it by --resume or choose another directory"
    )


def _cannot_write(out: Path, error: OSError) -> InputError:
    return InputError(f"out={out}: cannot write there ({error.strerror}); choose another directory")


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Inside, a folder is looked into."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check its name and rights") from error


@contextmanager
def made(out: Path) -> Iterator[None]:
    """Makes the directory, so that one that cannot be made is known before any work; takes it away unless a run begins.

    Raises:
        InputError: it cannot be made or written.
    """
    folders = [out, *out.parents]
    try:
        missing = [folder for folder in folders if not folder.exists()]
        (out / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
        probe = out / f"{RECIPE}.{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise _cannot_write(out, error) from error
    try:
        yield
    finally:
        if not has_run(out):
            for folder in (out / CHECKPOINTS, *missing):
                with suppress(OSError):  # not empty: something else is in it
                    folder.rmdir()


def begin(out: Path, recipe: Recipe) -> None:
    """Keeps the resolved recipe of a fresh run. From here on the directory is this run's.

    Raises:
        InputError: another run was faster, or the directory cannot be written.
    """
    partial = out / f"{RECIPE}.{os.getpid()}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        partial.write_text(dump_recipe(recipe), "utf-8")
        _name_unless_taken(partial, out / RECIPE)
    except FileExistsError:
        raise _used(out) from None
    except OSError as error:
        raise _cannot_write(out, error) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _name_unless_taken(partial: Path, target: Path) -> None:
    """Unlike os.replace, this takes no name away from another run."""
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError from None
        os.replace(partial, target)


def write_recipe(out: Path, recipe: Recipe) -> None:
    """Replaces the recipe of a run that goes on with other values.

    Raises:
        InputError: the directory cannot be written.
    """
    partial = out / f"{RECIPE}.partial"
    try:
        partial.write_text(dump_recipe(recipe), "utf-8")
        os.replace(partial, out / RECIPE)
    except OSError as error:
        raise _cannot_write(out, error) from error


def clear_logs(out: Path) -> None:
    """Empties the logs of a run that died before its first checkpoint.

    Raises:
        InputError: another process is writing them.
    """
    with _alone(out):
        for name in LOG_FILES:
            with suppress(FileNotFoundError):
                os.truncate(out / name, 0)


def forget_unless_worth_keeping(out: Path) -> None:
    """Takes back a run that failed before it finished a step, so that the directory is free for a corrected recipe.

    Hints that were written before training took time, and belong to this recipe's model: such a run stays.
    """
    if has_run(out) and not any(_holds_something(out / name) for name in (METRICS, OFFLINE_HINTS)):
        shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)
        for name in (*LOG_FILES, RECIPE):
            (out / name).unlink(missing_ok=True)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Inside, no other process has the run log open, and none can open it."""
    try:
        with open(out / METRICS, "ab") as file:
            if not take(file):
                raise InputError(
                    f"out={out}: another process is writing in this run directory; wait for it or choose another"
                )
            yield
    except OSError as error:
        raise _cannot_write(out, error) from error


FIXED_ON_RESUME = (
    *("model", "lora", "lab.num_known", "lab.num_unknown", "lab.num_digits"),  # the weights
    *("lr", "trl.optim", "trl.weight_decay", "trl.adam_beta1", "trl.adam_beta2", "trl.adam_epsilon"),  # the optimiser
    *("method", "scheduler.name", "hints.source"),  # the ledger and the stored hints
    *("batch_problems", "group_size", "trl.steps_per_generation", "trl.gradient_accumulation_steps"),  # what a step is
    "trl.num_iterations",
)
"""Keys whose values are part of a checkpoint: a resumed run keeps the old ones, whatever the recipe says."""


FIXED_BY_HINTS = (
    *("model", "lora", "lab", "seed", "trl.temperature"),  # who writes
    *("method", "hints.source", "hints.format", "hints.per_level", "hints.tries", "hints.leaks", "hints.max_tokens"),
    *("hints.block", "prompt", "max_prompt_tokens"),  # where a hint must fit
)
"""Keys that decided the hints which the policy wrote before training."""


def check_resume(out: Path, recipe: Recipe, accept_changes: bool) -> None:
    """Compares the recipe with the one the run was started with.

    Raises:
        InputError: there is no run, it is running or cannot be read, or keys changed that a resumed run must keep.
    """
    if not has_run(out):
        raise InputError(f"out={out}: no run to resume (no {RECIPE}); start it without --resume")
    changed = changed_keys(load_recipe(out / RECIPE), recipe)
    for names, holder, where in (
        (FIXED_BY_HINTS, f"{OFFLINE_HINTS} was written", out / OFFLINE_HINTS),
        (FIXED_ON_RESUME, "its checkpoints, which hold the old value, were written", out / CHECKPOINTS),
    ):
        fixed = [key for key in changed if any(key == name or key.startswith(f"{name}.") for name in names)]
        with _reading(where):
            is_held = bool(fixed) and _holds_something(where)
        if is_held:
            raise InputError(
                f"out={out}: {', '.join(fixed)} changed since {holder}; undo it, or start a new run elsewhere"
            )
    if changed and not accept_changes:
        raise InputError(
            f"out={out}: {', '.join(changed)} changed since the run was started; "
            "undo it, or add --accept-changes to go on with the new values"
        )
    with _reading(out):
        is_logged = (out / METRICS).exists()
    if is_logged:
        with _alone(out):
            pass


def replace_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Makes a folder that is there whole or not at all."""
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    fill(partial)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(partial, target)


def write_asking(folder: Path, template: str, template_arguments: Mapping[str, Any]) -> None:
    """Keeps how the solver was asked beside its weights: the prompt, and what the chat template was given."""
    content = {"solver_prompt": template, "chat_template_kwargs": dict(template_arguments)}
    (folder / PROMPT).write_text(json.dumps(content, ensure_ascii=False) + "\n", "utf-8")


def read_asking(folder: Path) -> tuple[str, dict[str, Any]] | None:
    """How the solver in this model folder was asked; None where the model was not trained by this package.

    Raises:
        InputError: the file is there and damaged, or the folder cannot be looked into.
    """
    path = folder / PROMPT
    with _reading(folder):
        is_there = path.is_file()
    if not is_there:
        return None
    try:
        content = json.loads(path.read_text("utf-8"))
        template, arguments = content["solver_prompt"], content.get("chat_template_kwargs", {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); restore it from the run") from error
    if not (isinstance(template, str) and "{problem}" in template and isinstance(arguments, dict)):
        raise InputError(f"{path}: solver_prompt has no {{problem}}; restore it from the run")
    return template, arguments
