"""What the sessions of all sources share: every hint is checked the same way and recorded, accepted or not."""

from __future__ import annotations

from selfhint.core.group import Hint, HintTrail
from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints.leak import Guard
from selfhint.hints.reasons import LEAKS


class RecordingSession:
    """Checks and records the hints of one visit.

    Args:
        problem: whose visit it is.
        context: the visit's number and budget.
        guard: the leak guard.
        count_leaks: a hint in which it finds a leak is used all the same, flagged with the reason.
    """

    def __init__(self, problem: Problem, context: VisitContext, guard: Guard, count_leaks: bool) -> None:
        self.problem = problem
        self.context = context
        self.guard = guard
        self.count_leaks = count_leaks
        self.trail = HintTrail()

    @property
    def solution(self) -> str | None:
        """τ*; None where there is none or only white space, so that nothing is written from the answer alone."""
        return (self.problem.solution or "").strip() or None

    def offer(
        self,
        level: int,
        attempt: int | str,
        text: str,
        source: str,
        request: Prompt | None = None,
        *,
        keep: bool = False,
        solution_cut: int = 0,
    ) -> Hint | None:
        """Records `text` and returns it as a hint if the guard and the prompt budget let it pass.

        Args:
            keep: once accepted, the problem's record keeps the text.
            solution_cut: characters of τ* that the request left out.
        """
        text = text.strip()
        found = self.guard(self.problem, text, request)
        flagged = found if self.count_leaks and found in LEAKS else None
        refused = found if flagged is None else None
        if refused is None and not self.context.fits(self.context.hinted(self.problem.prompt, text)):
            refused, flagged = "over_budget", None
        hint = self._record(level, attempt, text, source, refused, keep and refused is None, solution_cut, flagged)
        return hint if refused is None else None

    def refuse(
        self, level: int, attempt: int | str, reason: str, source: str, text: str = "", solution_cut: int = 0
    ) -> None:
        """Records that there is no text for a level, or none that could be read."""
        self._record(level, attempt, text, source, reason, False, solution_cut)

    def _record(
        self,
        level: int,
        attempt: int | str,
        text: str,
        source: str,
        refused: str | None,
        keep: bool,
        solution_cut: int,
        flagged: str | None = None,
    ) -> Hint:
        key = self.problem.key
        id = f"{key}-{self.context.visit}-{level}-{attempt}"
        hint = Hint(id, key, level, text, source, refused, keep, solution_cut, flagged)
        self.trail.hints.append(hint)
        return hint
