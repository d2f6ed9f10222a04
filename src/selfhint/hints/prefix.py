"""The beginning of the reference solution as a hint: no request, no tokens sampled."""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.group import Hint
from selfhint.core.levels import PREFIX_SHARE
from selfhint.core.ports import Reply, Request, VisitContext
from selfhint.core.problem import Problem
from selfhint.hints.cut import solution_prefix
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.session import RecordingSession


class PrefixHints:
    """Shows the first 25, 50 or 75 % of τ*, guarded like any other hint.

    Args:
        guard: refuses bad hints.
        count_leaks: leaks that the guard finds are counted, and the hints used.
    """

    name = "prefix"

    def __init__(self, guard: Guard = refusal, count_leaks: bool = False) -> None:
        self.guard = guard
        self.count_leaks = count_leaks

    def session(self, problem: Problem, context: VisitContext) -> PrefixSession:
        """A session for one visit."""
        return PrefixSession(problem, context, self.guard, self.count_leaks)


class PrefixSession(RecordingSession):
    """One visit."""

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """The prefix of a level if it may be shown."""
        yield from ()
        if self.solution is None:
            self.refuse(level, 0, "no_solution", PrefixHints.name)
            return None
        return self.offer(level, 0, solution_prefix(self.solution, PREFIX_SHARE[level]), PrefixHints.name)
