"""What tests ask of the rollout server, carried in environment variables, which every Ray process inherits."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FREEZE, REQUESTS, SCRIPT, DELAY = (f"VERL_SUPPORT_{name}" for name in ("FREEZE", "REQUESTS", "SCRIPT", "DELAY"))

Script = Callable[[str, Mapping[str, Any]], str]
"""(prompt as the policy reads it, sampling parameters, always with a seed) → completion."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How a rollout server departs from plain generation.

    Args:
        freeze: ignore every weight update but the first.
        requests: append one JSON line for each answered request to this file.
        script: `module:function` (a `Script`) that answers instead of the model. The module must be importable in the
            run, so put its folder on PYTHONPATH. Log-probabilities are still the model's.
        delay: seconds that every request waits before it is looked at.
    """

    freeze: bool = False
    requests: Path | None = None
    script: str | None = None
    delay: float = 0.0

    def to_env(self) -> dict[str, str]:
        """The variables that carry these options into a run."""
        env = {FREEZE: "1" if self.freeze else "", DELAY: str(self.delay)}
        if self.requests:
            env[REQUESTS] = str(self.requests)
        if self.script:
            env[SCRIPT] = self.script
        return env

    @classmethod
    def from_env(cls) -> ServerOptions:
        """The options of this process."""
        requests = os.environ.get(REQUESTS)
        return cls(
            freeze=bool(os.environ.get(FREEZE)),
            requests=Path(requests) if requests else None,
            script=os.environ.get(SCRIPT) or None,
            delay=float(os.environ.get(DELAY) or 0.0),
        )

    def load_script(self) -> Script | None:
        """The script's function, or None when the model itself answers."""
        if not self.script:
            return None
        module, _, name = self.script.partition(":")
        function: Script = getattr(importlib.import_module(module), name)
        return function
