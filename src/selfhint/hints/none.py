"""No hints at all: plain GRPO."""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.group import Hint, HintTrail
from selfhint.core.ports import Reply, Request, VisitContext
from selfhint.core.problem import Problem


class NoHintSource:
    """Never gives a hint."""

    name = "none"

    def session(self, problem: Problem, context: VisitContext) -> NoHintSession:
        """A session for one visit."""
        return NoHintSession()


class NoHintSession:
    """One visit."""

    def __init__(self) -> None:
        self.trail = HintTrail()

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """None."""
        yield from ()
        return None
