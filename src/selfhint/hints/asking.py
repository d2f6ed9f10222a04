"""What the sources that ask a model share: attempts, texts worth keeping, and requests that are too long."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Hint
from selfhint.core.ledger import StoredHint
from selfhint.core.ports import Purpose, Reply, Request, Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints.cut import cut_middle
from selfhint.hints.formats import HintFormat, TextFormat
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.reasons import Refused
from selfhint.hints.session import RecordingSession
from selfhint.hints.source_reasons import USELESS_TO_REPEAT

_TEXT_FORMAT = TextFormat()


@dataclass(frozen=True, slots=True)
class Refresh:
    """How long an accepted text is used again before a new one is asked for.

    Args:
        steps: generation steps; None: no limit in steps.
        epochs: passes over the data; None: no limit in epochs. One of the two is given.
    """

    steps: int | None = None
    epochs: int | None = None

    def is_fresh(self, stored: StoredHint, context: VisitContext) -> bool:
        """Whether a stored text is young enough."""
        if self.steps is not None:
            return context.step - stored.step < self.steps
        return self.epochs is not None and context.epoch - stored.epoch < self.epochs


class AskingHints:
    """Asks a model, by sampling.

    A refused level is asked again with fresh sampling, up to `tries` times in all. After that the last text accepted
    for the same problem and level at an earlier visit is offered, if the checks still let it pass; its source reads
    `NAME:stored`. Then there is no hint. A text that is used again because it is fresh reads `NAME:cached`.

    Args:
        format: how to ask and to read the answer.
        tries: attempts for each level of a visit.
        guard: refuses bad hints.
        refresh: how long a text is used again; None: every visit asks.
        count_leaks: leaks that the guard finds are counted, and the hints used.

    Raises:
        InputError: `tries` is below 1.
    """

    name: str
    purpose: Purpose
    keeps_to_budget: bool
    """Requests keep to the token budget of this run's model."""

    def __init__(
        self,
        format: HintFormat = _TEXT_FORMAT,
        tries: int = 3,
        guard: Guard = refusal,
        refresh: Refresh | None = None,
        count_leaks: bool = False,
    ) -> None:
        if tries < 1:
            raise InputError(f"hint source {self.name}: tries is {tries}; set hints.tries to 1 or more")
        self.format = format
        self.tries = tries
        self.guard = guard
        self.refresh = refresh
        self.count_leaks = count_leaks

    def session(self, problem: Problem, context: VisitContext) -> AskingSession:
        """A session for one visit."""
        return AskingSession(self, problem, context)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request as it was sent.

    Args:
        prompt: with the solution cut where it had to be.
        whole: with the whole solution; what the guard compares a hint with.
        cut: characters of the solution that were left out.
    """

    prompt: Prompt
    whole: Prompt
    cut: int


class AskingSession(RecordingSession):
    """One visit. An answer that serves several levels is asked for once; refused levels of it when they are wanted."""

    def __init__(self, source: AskingHints, problem: Problem, context: VisitContext) -> None:
        super().__init__(problem, context, source.guard, source.count_leaks)
        self._source = source
        self._accepted: dict[int, Hint] = {}
        self._tried: dict[int, int] = {}
        self._given: dict[int, Hint | None] = {}
        self._asked_in_vain: str | None = None

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
            self._use_again(level, request)
        if level not in self._accepted:
            yield from self._ask(level, request)
        return self._accepted.get(level) or self._offer_stored(level, "stored", request)

    def _use_again(self, level: int, request: Prompt) -> None:
        stored, refresh = self.context.stored.get(level), self._source.refresh
        if stored is None or refresh is None or not refresh.is_fresh(stored, self.context):
            return
        if hint := self._offer_stored(level, "cached", request):
            self._accepted[level] = hint

    def _ask(self, level: int, request: Prompt) -> Generator[Request, Reply, None]:
        asked = self._within_budget(level, request)
        if asked is None:
            self.refuse(level, self._tried.get(level, 0), "request_over_budget", self._source.name)
            return
        if self._asked_in_vain is not None:
            self.refuse(level, self._tried.get(level, 0), self._asked_in_vain, self._source.name)
            return
        while level not in self._accepted and self._tried.get(level, 0) < self._source.tries:
            (completion,) = yield Sample(
                key=self.problem.key,
                visit=self.context.visit,
                level=level,
                purpose=self._source.purpose,
                prompt=asked.prompt,
                num=1,
                attempt=self._tried.get(level, 0),
            )
            self.trail.num_tokens += completion.num_tokens
            self._take(completion, level, asked)
            if completion.missing in USELESS_TO_REPEAT:
                self._asked_in_vain = completion.missing
                return

    def _within_budget(self, level: int, request: Prompt) -> _Asked | None:
        """The request, with as much of the solution as its budget allows; None where it is too long without any."""
        fits = self.context.fits_request or self.context.fits
        if not self._source.keeps_to_budget or fits(request):
            return _Asked(request, request, 0)
        solution = self.solution or ""

        def with_part(num_kept: int) -> Prompt:
            part = cut_middle(solution, num_kept)
            prompt = self._source.format.request(replace(self.problem, solution=part), level)
            assert prompt is not None  # a format asks for a level or does not, whatever the solution
            return prompt

        if not fits(with_part(0)):
            return None
        kept, too_many = 0, len(solution)
        while too_many - kept > 1:
            middle = (kept + too_many) // 2
            if fits(with_part(middle)):
                kept = middle
            else:
                too_many = middle
        return _Asked(with_part(kept), request, len(solution) - kept)

    def _take(self, answer: Completion, level: int, asked: _Asked) -> None:
        """Checks each level that the answer serves and that has no accepted hint yet."""
        name = self._source.name
        parsed = {} if answer.missing else self._source.format.parse(answer.text, self.problem, level)
        for served in self._source.format.levels_asked(level):
            if served in self._accepted:
                continue
            attempt = self._tried.get(served, 0)
            self._tried[served] = attempt + 1
            text = parsed.get(served, Refused(answer.missing or "missing_level"))
            if isinstance(text, Refused):
                self.refuse(served, attempt, text.reason, name, answer.text, asked.cut)
            elif hint := self.offer(served, attempt, text, name, asked.whole, keep=True, solution_cut=asked.cut):
                self._accepted[served] = hint

    def _offer_stored(self, level: int, why: str, request: Prompt) -> Hint | None:
        stored = self.context.stored.get(level)
        if stored is None:
            return None
        return self.offer(level, why, stored.text, f"{self._source.name}:{why}", request)
