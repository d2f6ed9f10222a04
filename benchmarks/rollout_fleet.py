"""A fleet of decoding slots, and the three designs that use it: plain GRPO, barriers between levels, a ladder each."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rollout_traces import Traces
from virtual_time import run_in_virtual_time

from selfhint.core.episode import Episode, run_visit
from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict, Visit
from selfhint.core.ledger import Ledger
from selfhint.core.ports import HintSource, Judge, Sample, Scheduler, VisitContext
from selfhint.core.prompt import append_to_prompt
from selfhint.engines.drive import drive_all_async, drive_lockstep
from selfhint.hints.formats import HintFormat, JsonFormat
from selfhint.hints.none import NoHintSource
from selfhint.hints.self_hint import SelfHints
from selfhint.schedulers import Ladder, NoHints

_JSON = JsonFormat()


class Fleet:
    """Slots that decode one completion each, behind one first-in-first-out queue.

    A slot's speed does not depend on how many others are busy, and any slot takes any completion.

    Args:
        slots: replicas × slots of a replica.

    Raises:
        InputError: fewer than one slot.
    """

    def __init__(self, slots: int) -> None:
        if slots < 1:
            raise InputError(f"the fleet has {slots} slots; give at least 1")
        self.slots = slots
        self.busy_seconds = 0.0
        self._free_at = [0.0] * slots

    def finish(self, now: float, seconds: Iterable[float]) -> float:
        """Queues completions at `now`, which never goes back; returns when the last of them is done."""
        done = now
        for needed in seconds:
            end = max(now, self._free_at[0]) + needed
            heapq.heapreplace(self._free_at, end)
            self.busy_seconds += needed
            done = max(done, end)
        return done


class AsyncFleetEngine:
    """An `AsyncEngine`: a request is answered when its own completions are done. Verdicts take no time."""

    def __init__(self, traces: Traces, fleet: Fleet) -> None:
        self._traces = traces
        self._fleet = fleet

    async def sample(self, request: Sample) -> list[Completion]:
        """Sleeps until the request is done."""
        completions = self._traces.completions(request)
        now = asyncio.get_running_loop().time()
        done = self._fleet.finish(now, (self._traces.load.seconds(c.num_tokens) for c in completions))
        await asyncio.sleep(done - now)
        return completions

    async def judge(self, request: Judge) -> list[Verdict]:
        """At once."""
        return self._traces.verdicts(request)


class BarrierFleetEngine:
    """A `BatchEngine`: a call lasts until the last completion of all its requests is done. Verdicts take no time."""

    def __init__(self, traces: Traces, fleet: Fleet) -> None:
        self.now = 0.0
        self._traces = traces
        self._fleet = fleet

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Moves the clock to the end of the call."""
        drawn = [self._traces.completions(request) for request in requests]
        self.now = self._fleet.finish(self.now, (self._traces.load.seconds(c.num_tokens) for cs in drawn for c in cs))
        return drawn

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """At once."""
        return [self._traces.verdicts(request) for request in requests]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one design made of a step.

    Args:
        seconds: from the first request to the last verdict.
        slot_use: busy slot seconds over slots × seconds.
        visits: in the order of the problems.
    """

    seconds: float
    slot_use: float
    visits: tuple[Visit, ...]

    @property
    def completions(self) -> int:
        """Completions of all groups drawn, hint answers left out."""
        return sum(group.size for visit in self.visits for group in visit.groups)


def plain(traces: Traces, slots: int) -> Outcome:
    """Plain GRPO: one group a problem."""
    return _each_for_itself(traces, slots, NoHints(), NoHintSource())


def ladder(traces: Traces, slots: int, hint_format: HintFormat) -> Outcome:
    """Each problem climbs while others generate."""
    return _each_for_itself(traces, slots, Ladder(), SelfHints(hint_format))


def barrier(traces: Traces, slots: int, hint_format: HintFormat) -> Outcome:
    """Draws all, then the hints of all, then level 1 for all, and so on."""
    fleet = Fleet(slots)
    engine = BarrierFleetEngine(traces, fleet)
    visits = drive_lockstep(_episodes(traces, Ladder(), SelfHints(hint_format)), engine)
    return _outcome(engine.now, fleet, visits)


def compare(traces: Traces, slots: int, hint_format: HintFormat = _JSON) -> dict[str, Outcome]:
    """All three designs on the same traces.

    Raises:
        RuntimeError: barrier and ladder did not draw the same groups and hints, token for token.
    """
    outcomes = {
        "plain": plain(traces, slots),
        "barrier": barrier(traces, slots, hint_format),
        "ladder": ladder(traces, slots, hint_format),
    }
    if outcomes["barrier"].visits != outcomes["ladder"].visits:
        raise RuntimeError("barrier and ladder drew different groups; their times cannot be compared")
    return outcomes


def _each_for_itself(traces: Traces, slots: int, scheduler: Scheduler, hints: HintSource) -> Outcome:
    fleet = Fleet(slots)
    engine = AsyncFleetEngine(traces, fleet)
    visits, seconds = run_in_virtual_time(drive_all_async(_episodes(traces, scheduler, hints), engine))
    return _outcome(seconds, fleet, visits)


def _episodes(traces: Traces, scheduler: Scheduler, hints: HintSource) -> list[Episode]:
    context = VisitContext(step=0, visit=0, hinted=append_to_prompt, fits=lambda prompt: True)
    plans = scheduler.plans(Ledger(), [(problem.key, context.visit) for problem in traces.problems])
    return [
        run_visit(problem, plan, hints, traces.load.group_size, context)
        for problem, plan in zip(traces.problems, plans, strict=True)
    ]


def _outcome(seconds: float, fleet: Fleet, visits: Sequence[Visit]) -> Outcome:
    return Outcome(seconds, fleet.busy_seconds / (fleet.slots * seconds), tuple(visits))
