"""No hints at all: plain GRPO."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from selfhint.core.group import Hint, HintTrail
from selfhint.core.ports import Reply, Request, VisitContext
from selfhint.core.problem import Problem
from selfhint.hints.session import require_no_state


class NoHintSource:
    """Never gives a hint."""

    name = "none"

    def session(self, problem: Problem, context: VisitContext) -> NoHintSession:
        """A session for one visit."""
        return NoHintSession()

    def state_dict(self) -> dict[str, Any]:
        """Nothing is kept."""
        return {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes back an empty state; raises InputError for any other."""
        require_no_state(self.name, state)


class NoHintSession:
    """One visit."""

    def __init__(self) -> None:
        self.trail = HintTrail()

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """None."""
        yield from ()
        return None
