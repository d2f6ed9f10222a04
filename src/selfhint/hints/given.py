"""Hints that came with the data: no request, no tokens sampled."""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.group import Hint
from selfhint.core.ports import Reply, Request, VisitContext
from selfhint.core.problem import Problem
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.session import RecordingSession
from selfhint.hints.source_reasons import NOT_GIVEN


class GivenHints:
    """Shows the texts of `Problem.hints`, guarded like any other hint; several of a level in turn, one a visit.

    Args:
        guard: refuses bad hints.
        name: what the logs call the source.
        count_leaks: leaks that the guard finds are counted, and the hints used.
    """

    def __init__(self, guard: Guard = refusal, name: str = "given", count_leaks: bool = False) -> None:
        self.guard = guard
        self.name = name
        self.count_leaks = count_leaks

    def session(self, problem: Problem, context: VisitContext) -> GivenSession:
        """A session for one visit."""
        return GivenSession(self, problem, context)


class GivenSession(RecordingSession):
    """One visit."""

    def __init__(self, source: GivenHints, problem: Problem, context: VisitContext) -> None:
        super().__init__(problem, context, source.guard, source.count_leaks)
        self._name = source.name

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """The text whose turn it is (visit number mod K) if it may be shown."""
        yield from ()
        texts = self.problem.hints.get(level)
        if not texts:
            self.refuse(level, 0, NOT_GIVEN, self._name)
            return None
        turn = self.context.visit % len(texts)
        return self.offer(level, turn, texts[turn], self._name)
