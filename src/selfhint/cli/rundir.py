"""The run directory as a whole: its recipe, and its final model."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from selfhint.config import Recipe, changed_keys, dump_recipe, load_recipe
from selfhint.core.errors import InputError
from selfhint.runlog import LOG_FILES

RECIPE, CHECKPOINTS, FINAL = "recipe.yaml", "checkpoints", "final"
PROMPT = "selfhint.json"
"""In the folder of a final model: how it was asked in training."""


def check_fresh(out: Path) -> None:
    """Looks before anything is written.

    Raises:
        InputError: the directory has another run in it, or is no directory.
    """
    if out.exists() and not out.is_dir():
        raise InputError(f"out={out}: is a file; choose a directory")
    if (out / RECIPE).exists():
        raise InputError(f"out={out}: holds an earlier run; go on with it by --resume or choose another directory")


def write_recipe(out: Path, recipe: Recipe) -> None:
    """Keeps the resolved recipe of a fresh run.

    Raises:
        InputError: the directory cannot be written.
    """
    partial = out / f"{RECIPE}.partial"
    try:
        out.mkdir(parents=True, exist_ok=True)
        partial.write_text(dump_recipe(recipe), "utf-8")
        os.replace(partial, out / RECIPE)
    except OSError as error:
        raise InputError(f"out={out}: cannot write there ({error.strerror}); choose another directory") from error


def clear_logs(out: Path) -> None:
    """Empties the logs of a run that died before its first checkpoint."""
    for name in LOG_FILES:
        (out / name).unlink(missing_ok=True)


def check_resume(out: Path, recipe: Recipe, accept_changes: bool) -> None:
    """Compares the recipe with the one the run was started with.

    Raises:
        InputError: there is no run, or keys changed that a resumed run must keep.
    """
    if not (out / RECIPE).exists():
        raise InputError(f"out={out}: no run to resume (no {RECIPE}); start it without --resume")
    changed = changed_keys(load_recipe(out / RECIPE), recipe)
    if changed and not accept_changes:
        raise InputError(
            f"out={out}: {', '.join(changed)} changed since the run was started; "
            "undo it, or add --accept-changes to go on with the new values"
        )


def replace_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Makes a folder that is there whole or not at all."""
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    fill(partial)
    shutil.rmtree(target, ignore_errors=True)
    os.replace(partial, target)


def write_solver_template(folder: Path, template: str) -> None:
    """Keeps what the solver was asked beside its weights."""
    (folder / PROMPT).write_text(json.dumps({"solver_prompt": template}, ensure_ascii=False) + "\n", "utf-8")


def read_solver_template(folder: Path) -> str | None:
    """What the solver in this model folder was asked; None where the model was not trained by this package."""
    path = folder / PROMPT
    return json.loads(path.read_text("utf-8"))["solver_prompt"] if path.is_file() else None
