"""What a checkpoint and the run that resumes from it must have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError


def check_same(folder: Path, state: Mapping[str, Any], have: Mapping[str, Any]) -> None:
    """Compares a checkpoint's state with the settings of this run.

    Args:
        folder: the checkpoint, for the message.
        state: what was saved; holds every key of `have`.
        have: this run's values.

    Raises:
        InputError: one differs.
    """
    for what, value in have.items():
        if state[what] != value:
            raise InputError(f"{folder}: was written with {what}={state[what]}, this run has {value}; use the same")
