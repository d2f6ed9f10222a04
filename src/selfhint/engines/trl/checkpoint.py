"""Our state beside TRL's in a checkpoint folder, and the marker that says the folder is complete and what is in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

from selfhint.core.errors import InputError
from selfhint.engines.durable import write_durably

STATE_FILE = "selfhint_state.json"
MARKER_FILE = "selfhint_complete"
"""Written last: a folder without it does not count. Holds the folder's other files with their sizes."""
COUNTED: Mapping[str, type] = {"generation_step": int}
"""Fields of our state that say how far a run is, each with its type."""
RESTORED: Mapping[str, type] = {**COUNTED, "micro_step": int, "ledger": dict, "record": dict}
"""Fields that a run goes on with."""


def buffer_file(rank: int) -> str:
    """Where a rank keeps the completions that later updates of the same generation still need."""
    return f"selfhint_buffer_{rank}.pt"


def write_state(folder: Path, state: dict[str, Any]) -> None:
    """Writes our state; the checkpoint is not complete yet."""
    write_durably(folder / STATE_FILE, json.dumps(state).encode())


def mark_complete(folder: Path) -> None:
    """From here on the checkpoint counts. Every process has written its files before this."""
    sizes = {name: size for name, size in _sizes(folder).items() if not name.startswith(MARKER_FILE)}
    write_durably(folder / MARKER_FILE, json.dumps({"files": sizes}).encode())


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of each file in a folder and in those under it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def unmark(folder: Path) -> None:
    """A folder that is about to be written again does not count meanwhile."""
    (folder / MARKER_FILE).unlink(missing_ok=True)


def is_complete(folder: Path) -> bool:
    """Whether everything of this checkpoint was written."""
    return (folder / MARKER_FILE).exists()


def read_state(folder: Path, needed: Mapping[str, type] = COUNTED) -> dict[str, Any]:
    """Our state of a complete checkpoint.

    Args:
        needed: fields that it must have, each with its type.

    Raises:
        InputError: the folder is not a complete checkpoint, or a file of it was lost, cut or damaged since.
    """
    if not is_complete(folder):
        raise InputError(
            f"{folder}: not a complete checkpoint of this trainer (no {MARKER_FILE}); resume from an earlier one"
        )
    _check_files(folder)
    state = _json(folder, STATE_FILE)
    if not all(isinstance(state.get(name), kind) for name, kind in needed.items()):
        raise _damaged(folder)
    return state


def _check_files(folder: Path) -> None:
    """Looks for what transformers goes on without, with another result.

    Raises:
        InputError: a file that was there when the checkpoint was completed is missing or has another size.
    """
    if (folder / MARKER_FILE).stat().st_size == 0:  # an earlier release completed it
        return
    sizes = _json(folder, MARKER_FILE).get("files")
    if not isinstance(sizes, dict):
        raise _damaged(folder, MARKER_FILE)
    have = _sizes(folder)
    for name, size in sizes.items():
        if have.get(name) != size:
            raise _damaged(folder, name, "has another size" if name in have else "is missing")


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        content = json.loads((folder / name).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(folder, name) from error
    if not isinstance(content, dict):
        raise _damaged(folder, name)
    return content


@contextmanager
def damage_named(folder: Path) -> Iterator[None]:
    """Inside, what cannot be made from our state is told as the state's damage.

    Raises:
        InputError: a part of the state lacks a field or has something else in it.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _damaged(folder) from error


def _damaged(folder: Path, name: str = STATE_FILE, what: str = "is damaged") -> InputError:
    return InputError(f"{folder}: its {name} {what}; remove the folder and resume from an earlier checkpoint")


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
