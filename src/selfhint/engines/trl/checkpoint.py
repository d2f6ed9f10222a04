"""Our state beside TRL's in a checkpoint folder, and the marker that says the folder is complete."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

from selfhint.core.errors import InputError
from selfhint.engines.durable import write_durably

STATE_FILE = "selfhint_state.json"
MARKER_FILE = "selfhint_complete"
"""Written last: a folder without it does not count."""


def buffer_file(rank: int) -> str:
    """Where a rank keeps the completions that later updates of the same generation still need."""
    return f"selfhint_buffer_{rank}.pt"


def write_state(folder: Path, state: dict[str, Any]) -> None:
    """Writes our state; the checkpoint is not complete yet."""
    write_durably(folder / STATE_FILE, json.dumps(state).encode())


def mark_complete(folder: Path) -> None:
    """From here on the checkpoint counts."""
    write_durably(folder / MARKER_FILE, b"")


def unmark(folder: Path) -> None:
    """A folder that is about to be written again does not count meanwhile."""
    (folder / MARKER_FILE).unlink(missing_ok=True)


def is_complete(folder: Path) -> bool:
    """Whether everything of this checkpoint was written."""
    return (folder / MARKER_FILE).exists()


def read_state(folder: Path) -> dict[str, Any]:
    """Our state of a complete checkpoint.

    Raises:
        InputError: the folder is not a complete checkpoint.
    """
    if not is_complete(folder):
        raise InputError(
            f"{folder}: not a complete checkpoint of this trainer (no {MARKER_FILE}); resume from an earlier one"
        )
    try:
        state: dict[str, Any] = json.loads((folder / STATE_FILE).read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(
            f"{folder}: its {STATE_FILE} is damaged; remove the folder and resume from an earlier checkpoint"
        ) from error
    return state


def last_complete(folder: Path) -> Path | None:
    """The complete checkpoint with the highest step, if there is one."""
    found = [(step, path) for step, path in _checkpoints(folder) if is_complete(path)]
    return max(found)[1] if found else None


def rotate(newest: Path, limit: int | None, best: str | None) -> None:
    """Deletes checkpoints beside `newest` until `limit` are left: incomplete ones first, then those of low steps.

    transformers goes by modification times, for which what a crash left behind can be the newest.

    Args:
        newest: the complete checkpoint that was just written; it stays.
        limit: None or 0 deletes nothing.
        best: the best checkpoint, which stays too.
    """
    staying = {newest, Path(best)} if best else {newest}
    others = [(is_complete(path), step, path) for step, path in _checkpoints(newest.parent) if path not in staying]
    surplus = len(others) - max(limit - len(staying), 0) if limit else 0
    for _, _, path in sorted(others)[: max(surplus, 0)]:
        shutil.rmtree(path, ignore_errors=True)


def _checkpoints(folder: Path) -> Iterator[tuple[int, Path]]:
    for path in folder.glob(f"{PREFIX_CHECKPOINT_DIR}-*"):
        step = path.name.removeprefix(f"{PREFIX_CHECKPOINT_DIR}-")
        if step.isdecimal():
            yield int(step), path
