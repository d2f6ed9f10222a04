"""Whatever a Python function says."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.kinds.base import Request
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class FunctionKind:
    """`function(gold, prediction)` in a worker process, under its time limit.

    It returns True or False, a number as the reward, of which 1 or more is correct, or None where the gold cannot be
    read. It gets the gold as the data have it, and the whole prediction. An exception is the verdict "crashed". A
    worker is no sandbox: a function that runs a model's code must do so elsewhere.

    Args:
        function: `module:name`; the module is looked for in the working directory and where Python looks.

    Raises:
        InputError: the function is not of that form.
    """

    function: str

    name = "function"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.function):
            raise InputError(f"verifier function: {self.function!r} is not of the form module:name; set verifier.kind")

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """What to ask the function."""
        plain = as_json(gold)
        if plain is None:
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        return {
            "kind": self.name,
            "function": self.function,
            "gold": plain[0],
            "prediction": prediction,
            "extracted": None,
        }

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """That the function can be loaded; what it should say is not known."""
        return (({"kind": self.name, "function": self.function, "load": True, "extracted": None}, MATCH),)


def as_json(value: object) -> tuple[Any] | None:
    """The value as JSON has it, other objects as their text; None where that cannot be."""
    try:
        return (json.loads(json.dumps(value, default=str)),)
    except (ValueError, TypeError, RecursionError):
        return None
