"""Our state beside verl's in a checkpoint folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.engines.durable import write_durably

STATE_FILE = "selfhint_state.json"
FIELDS = {"scheduler", "hint_source", "group_size", "ledger", "hint_weight", "record"}


def write_state(folder: Path, state: dict[str, Any]) -> None:
    """Writes our state. verl names the checkpoint as its latest only after this."""
    folder.mkdir(parents=True, exist_ok=True)
    write_durably(folder / STATE_FILE, json.dumps(state).encode())


def read_state(folder: Path) -> dict[str, Any] | None:
    """Our state of a checkpoint; None where plain verl wrote it.

    Raises:
        InputError: the file is damaged.
    """
    try:
        state = json.loads((folder / STATE_FILE).read_bytes())
        if not (isinstance(state, dict) and state.keys() >= FIELDS):
            raise ValueError("no state of ours")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{folder}: its {STATE_FILE} is damaged; resume from an earlier checkpoint with "
            "trainer.resume_mode=resume_path trainer.resume_from_path=.../global_step_N"
        ) from error
    return state
