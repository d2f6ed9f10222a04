"""What a run's groups say beyond its summary: when problems first gave something, and hints that came too late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from selfhint.core.levels import NO_HINT
from selfhint.report.lines import Line, lines_of

Event = Literal["seen", "bare", "signal", "solved", "solved_bare"]
"""A first visit, group drawn without a hint, kept group whose rewards differ, correct completion, correct completion
drawn without a hint."""


@dataclass(frozen=True, slots=True)
class Visits:
    """All visits of a run.

    Args:
        first: event → problem's key → the step in which it came first.
        solved_lately: visits to problems whose last two groups without a hint each had a correct completion.
        hinted_though_solved: of these, the ones whose group in the update was drawn with a hint.
    """

    first: Mapping[Event, Mapping[str, int]]
    solved_lately: int
    hinted_though_solved: int

    def share_without(self, event: Event, until: int) -> float | None:
        """Of the problems seen until a step, the share that had no such event until then.

        None where it was never tried: no problem seen, or for `solved_bare` no group drawn without a hint.
        """
        seen = self._count("seen", until)
        if not seen or (event == "solved_bare" and not self._count("bare", until)):
            return None
        return 1.0 - self._count(event, until) / seen

    def _count(self, event: Event, until: int) -> int:
        return sum(step <= until for step in self.first[event].values())


def read_visits(path: Path) -> Visits:
    """Reads groups.jsonl.

    Raises:
        InputError: the file is missing or damaged.
    """
    first: dict[Event, dict[str, int]] = {event: {} for event in get_args(Event)}
    bare: dict[str, list[bool]] = {}
    solved_lately = hinted_though_solved = 0
    for line in lines_of(path):
        key, step = line.text("key"), line.count("step")
        for event in _events(line):
            first[event].setdefault(key, step)
        earlier = bare.setdefault(key, [])
        if len(earlier) == 2 and all(earlier):
            solved_lately += 1
            hinted_though_solved += line.count("level") > NO_HINT
        earlier += [_has_right(group) for group in line.lines("drawn") if group.count("level") == NO_HINT]
        del earlier[:-2]
    return Visits(first, solved_lately, hinted_though_solved)


def _events(line: Line) -> Iterator[Event]:
    yield "seen"
    if len({reward for reward in line.rewards() if reward is not None}) > 1:
        yield "signal"
    for group in line.lines("drawn"):
        bare = group.count("level") == NO_HINT
        if bare:
            yield "bare"
        if _has_right(group):
            yield "solved"
            if bare:
                yield "solved_bare"


def _has_right(group: Line) -> bool:
    return any(reward is not None and reward >= 1 for reward in group.rewards())
