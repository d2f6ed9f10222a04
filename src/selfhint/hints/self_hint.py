"""The current policy writes the hints, at every visit (METHOD: "self, online"; Algorithm 1 of arXiv 2602.03143)."""

from __future__ import annotations

from collections.abc import Generator

from selfhint.core.errors import InputError
from selfhint.core.group import Hint
from selfhint.core.ports import Reply, Request, Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints.formats import HintFormat, TextFormat
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.reasons import Refused
from selfhint.hints.session import RecordingSession

_TEXT_FORMAT = TextFormat()


class SelfHints:
    """Asks the policy that is being trained.

    A refused level is asked again with fresh sampling, up to `tries` times in all. After that the last text accepted
    for the same problem and level at an earlier visit is offered, if the checks still let it pass; its source reads
    `self:stored`. Then there is no hint.

    Args:
        format: how to ask and to read the answer.
        tries: attempts for each level of a visit.
        guard: refuses bad hints.

    Raises:
        InputError: `tries` is below 1.
    """

    name = "self"

    def __init__(self, format: HintFormat = _TEXT_FORMAT, tries: int = 3, guard: Guard = refusal) -> None:
        if tries < 1:
            raise InputError(f"hint source self: tries is {tries}; set hints.tries to 1 or more")
        self.format = format
        self.tries = tries
        self.guard = guard

    def session(self, problem: Problem, context: VisitContext) -> SelfHintSession:
        """A session for one visit."""
        return SelfHintSession(self, problem, context)


class SelfHintSession(RecordingSession):
    """One visit. An answer that serves several levels is asked for once; refused levels of it when they are wanted."""

    def __init__(self, source: SelfHints, problem: Problem, context: VisitContext) -> None:
        super().__init__(problem, context, source.guard)
        self._source = source
        self._accepted: dict[int, Hint] = {}
        self._tried: dict[int, int] = {}
        self._given: dict[int, Hint | None] = {}

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """The accepted hint of a level, or None. Asking twice for a level gives the same."""
        if level not in self._given:
            self._given[level] = yield from self._make(level)
        return self._given[level]

    def _make(self, level: int) -> Generator[Request, Reply, Hint | None]:
        if self.solution is None:
            self.refuse(level, 0, "no_solution", self._source.name)
            return None
        request = self._source.format.request(self.problem, level)
        if request is None:
            text = self._source.format.without_request(self.problem, level)
            return self.offer(level, 0, text or "", self._source.name)
        if level not in self._accepted:
            yield from self._ask(level, request)
        return self._accepted.get(level) or self._offer_stored(level, request)

    def _ask(self, level: int, request: Prompt) -> Generator[Request, Reply, None]:
        if not self.context.fits(request):
            self.refuse(level, self._tried.get(level, 0), "request_over_budget", self._source.name)
            return
        while level not in self._accepted and self._tried.get(level, 0) < self._source.tries:
            (completion,) = yield Sample(
                key=self.problem.key,
                visit=self.context.visit,
                level=level,
                purpose="hint",
                prompt=request,
                num=1,
                attempt=self._tried.get(level, 0),
            )
            self.trail.num_tokens += completion.num_tokens
            self._take(completion.text, level, request)

    def _take(self, answer: str, level: int, request: Prompt) -> None:
        """Checks each level that the answer serves and that has no accepted hint yet."""
        parsed = self._source.format.parse(answer, self.problem, level)
        for served in self._source.format.levels_asked(level):
            if served in self._accepted:
                continue
            attempt = self._tried.get(served, 0)
            self._tried[served] = attempt + 1
            text = parsed.get(served, Refused("missing_level"))
            if isinstance(text, Refused):
                self.refuse(served, attempt, text.reason, self._source.name, text=answer)
            elif hint := self.offer(served, attempt, text, self._source.name, request, keep=True):
                self._accepted[served] = hint

    def _offer_stored(self, level: int, request: Prompt) -> Hint | None:
        text = self.context.stored.get(level)
        if text is None:
            return None
        return self.offer(level, "stored", text, f"{self._source.name}:stored", request)
