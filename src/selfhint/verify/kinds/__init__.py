"""Kinds of answers, each small and pure: what can be said at once, and what a worker is asked. See `base.Kind`."""

from __future__ import annotations

from collections.abc import Callable

from selfhint.verify.kinds.base import Kind, Reply, Request, verdict_of
from selfhint.verify.kinds.choice import ChoiceKind
from selfhint.verify.kinds.exact import ExactKind
from selfhint.verify.kinds.function import FunctionKind
from selfhint.verify.kinds.math import MathKind
from selfhint.verify.kinds.numeric import NumericKind
from selfhint.verify.kinds.reasoning_gym import ReasoningGymKind
from selfhint.verify.kinds.values import ValuesKind

KINDS: dict[str, Callable[..., Kind]] = {
    "math": MathKind,
    "numeric": NumericKind,
    "values": ValuesKind,
    "choice": ChoiceKind,
    "exact": ExactKind,
    "reasoning_gym": ReasoningGymKind,
    "function": FunctionKind,
}
"""Recipe name → class; keyword arguments are the kind's options."""

__all__ = ["KINDS", "Kind", "Reply", "Request", "verdict_of"]
