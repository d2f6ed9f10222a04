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
        state: what was saved.
        have: this run's values.

    Raises:
        InputError: one differs, or an older release did not save it.
    """
    for what, value in have.items():
        if what not in state:
            raise InputError(f"{folder}: does not say its {what}; resume with the release that wrote the checkpoint")
        if state[what] != value:
            raise InputError(f"{folder}: was written with {what}={state[what]}, this run has {value}; use the same")
