"""The user's own function."""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from selfhint.verify.kinds.base import Request
from selfhint.verify.reasons import CORRECT, CRASHED, GOLD_UNREADABLE, MATCH, MISMATCH


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `FunctionKind`."""
    try:
        function = _loaded(request["function"])
        if request.get("load"):
            return {"reason": MATCH, "extracted": None}
        return scored(function(request["gold"], request["prediction"]), request["extracted"])
    except Exception as error:  # whatever the user's code raises is this pair's verdict, not the run's end
        return crashed(error, request["extracted"])


def scored(score: Any, extracted: str | None) -> dict[str, Any]:
    """The reply that a score stands for: None says that the gold is unreadable, 1 or more that the answer is correct.

    Raises:
        TypeError: the score is no number.
    """
    if score is None:
        return {"reason": GOLD_UNREADABLE, "extracted": extracted}
    reward = float(score)
    if math.isnan(reward) or math.isinf(reward):
        raise ValueError(f"the score {reward} is no finite number")
    return {"reason": MATCH if reward >= 1 - 1e-9 else MISMATCH, "extracted": extracted, "reward": reward}


def crashed(error: Exception, extracted: str | None) -> dict[str, Any]:
    """The reply where an exception ended the judging."""
    return {
        "reason": CRASHED,
        "extracted": extracted,
        "reward": float(CORRECT[CRASHED] or 0),
        "error": f"{type(error).__name__}: {error}"[:500],
    }


@cache
def _loaded(name: str) -> Callable[[Any, str], Any]:
    module, _, attributes = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    function: Any = importlib.import_module(module)
    for attribute in attributes.split("."):
        function = getattr(function, attribute)
    if not callable(function):
        raise TypeError(f"{name} is no function")
    found: Callable[[Any, str], Any] = function
    return found
