"""What happened to each problem across its visits. One bounded record per problem, never a history that grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from selfhint.core.errors import InputError
from selfhint.core.group import Group, Visit
from selfhint.core.levels import NO_HINT

STATE_VERSION = 4
KEPT_OUTCOMES = 4
"""Groups that a problem's record keeps of each level."""
KEPT_STEPS = 64
"""Steps whose tallies are kept."""
KEPT_FLAGS = 64
"""Visits of which the ledger remembers in order whether they failed."""


@dataclass(frozen=True, slots=True)
class StoredHint:
    """An accepted text that a model wrote, with the generation step and the epoch in which it did."""

    text: str
    step: int
    epoch: int


class Outcome(NamedTuple):
    """What one group of a problem came to.

    Args:
        visit: number of the visit in which it was drawn, counted from 0.
        right, size: correct completions, and all of them. A level without a usable hint counts as none correct.
        tokens: sampled in it; 0 where no group was drawn.
    """

    visit: int
    right: int
    size: int
    tokens: int


@dataclass(slots=True)
class Tally:
    """What all groups of one step came to at one level.

    Args:
        groups: as many as were drawn, or would have been with a usable hint.
        drawn: of these, the ones drawn.
        right, size: correct completions, and all of them, over `groups`.
        right_squared: sum over `groups` of the squared number of correct completions.
        tokens: sampled to solve.
        hint_tokens: sampled to write hints; a visit's are shared equally by its hinted levels.
    """

    groups: int = 0
    drawn: int = 0
    right: int = 0
    size: int = 0
    right_squared: int = 0
    tokens: int = 0
    hint_tokens: float = 0.0

    def add(self, outcome: Outcome, hint_tokens: float) -> None:
        """Takes in one group and its share of the tokens of its visit's hints."""
        self.groups += 1
        self.drawn += outcome.tokens > 0
        self.right += outcome.right
        self.size += outcome.size
        self.right_squared += outcome.right * outcome.right
        self.tokens += outcome.tokens
        self.hint_tokens += hint_tokens


@dataclass(slots=True)
class ProblemRecord:
    """A problem's history.

    Args:
        visits: visits so far (copies of a problem in one step count each).
        level: the level scheduled at the last visit.
        rate: success rate of the last visit's kept group (copies pooled); None before the first visit and where
            that visit says nothing (its hint was missing, or it could not be scored).
        solved: some completion was correct, with or without a hint.
        solved_without_hint: some completion drawn without a hint was correct.
        hints: by level, the last accepted text that a model wrote.
        outcomes: by level, the last `KEPT_OUTCOMES` groups that could be scored, oldest first.
    """

    visits: int = 0
    level: int = NO_HINT
    rate: float | None = None
    solved: bool = False
    solved_without_hint: bool = False
    hints: dict[int, StoredHint] = field(default_factory=dict)
    outcomes: dict[int, list[Outcome]] = field(default_factory=dict)


@dataclass(slots=True)
class Ledger:
    """The only memory that schedulers have: records by problem key, and what the last steps came to.

    Args:
        records: by problem key.
        num_steps: steps taken in.
        steps: by level, the tallies of the last `KEPT_STEPS` of them, oldest first.
        failed: of the last `KEPT_FLAGS` visits whose kept group could be scored, whether it failed; oldest first.
    """

    records: dict[str, ProblemRecord] = field(default_factory=dict)
    num_steps: int = 0
    steps: list[dict[int, Tally]] = field(default_factory=list)
    failed: list[bool] = field(default_factory=list)

    def record(self, key: str) -> ProblemRecord:
        """The record of a problem; an empty one before its first visit. Not a copy: read it, do not change it."""
        return self.records.get(key) or ProblemRecord()

    def visit_numbers(self, keys: Iterable[str]) -> list[int]:
        """How many visits the problem had before, for each key of one step; copies of a problem count on."""
        copies: dict[str, int] = {}
        numbers = []
        for key in keys:
            numbers.append(self.record(key).visits + copies.get(key, 0))
            copies[key] = copies.get(key, 0) + 1
        return numbers

    def add_step(self, visits: Iterable[Visit]) -> None:
        """Takes in all visits of one step. Copies of a problem pool their rewards."""
        by_key: dict[str, list[Visit]] = {}
        tallies: dict[int, Tally] = {}
        self.num_steps += 1
        for visit in visits:
            by_key.setdefault(visit.problem.key, []).append(visit)
            _count(tallies, visit)
            if not visit.kept.unscored:
                self.failed = [*self.failed, visit.kept.failed][-KEPT_FLAGS:]
        for key, copies in by_key.items():
            self._add(key, copies)
        self.steps = [*self.steps, tallies][-KEPT_STEPS:]

    def _add(self, key: str, copies: list[Visit]) -> None:
        record = self.records.setdefault(key, ProblemRecord())
        record.visits += len(copies)
        record.level = copies[-1].scheduled_level
        telling = [v.kept for v in copies if not v.hint_missing and not v.kept.unscored]
        if telling:
            record.rate = sum(g.num_correct for g in telling) / sum(g.size for g in telling)
        else:
            record.rate = None
        for visit in copies:
            kept = {h.level: StoredHint(h.text, visit.step, visit.epoch) for h in visit.hints if h.keep}
            record.hints |= kept
        for visit in copies:
            for level, outcome in _outcomes(visit):
                record.outcomes[level] = [*record.outcomes.get(level, []), outcome][-KEPT_OUTCOMES:]
        for group in (g for v in copies for g in v.groups):
            if group.num_correct:
                record.solved = True
                if group.level == NO_HINT:
                    record.solved_without_hint = True

    @property
    def num_seen(self) -> int:
        """Problems visited at least once."""
        return len(self.records)

    @property
    def num_never_solved(self) -> int:
        """Problems seen that never had a correct completion, hinted ones included."""
        return sum(not r.solved for r in self.records.values())

    @property
    def num_never_solved_without_hint(self) -> int:
        """Problems seen that never had a correct completion drawn without a hint."""
        return sum(not r.solved_without_hint for r in self.records.values())

    def state_dict(self) -> dict[str, Any]:
        """JSON-ready state; its size depends on the number of problems, not of visits."""
        return {
            "version": STATE_VERSION,
            "records": {key: asdict(record) for key, record in self.records.items()},
            "num_steps": self.num_steps,
            "steps": [{level: asdict(tally) for level, tally in step.items()} for step in self.steps],
            "failed": list(self.failed),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Replaces everything.

        Raises:
            InputError: the state is from another version.
        """
        if state.get("version") != STATE_VERSION:
            raise InputError(
                f"ledger state has version {state.get('version')}, this release reads {STATE_VERSION}: "
                "resume with the release that wrote the checkpoint"
            )
        self.records = {key: _record_of(values) for key, values in state["records"].items()}
        self.num_steps = state["num_steps"]
        self.steps = [{int(level): Tally(**tally) for level, tally in step.items()} for step in state["steps"]]
        self.failed = list(state["failed"])


def stored_hints_of(values: Mapping[Any, Mapping[str, Any]]) -> dict[int, StoredHint]:
    """Stored hints from what `dataclasses.asdict` made of them, also after a way through JSON."""
    return {int(level): StoredHint(**stored) for level, stored in values.items()}


def _record_of(values: Mapping[str, Any]) -> ProblemRecord:
    outcomes = {int(level): [Outcome(*kept) for kept in of_level] for level, of_level in values["outcomes"].items()}
    return ProblemRecord(**{**values, "hints": stored_hints_of(values["hints"]), "outcomes": outcomes})


def _scored(visit: Visit) -> list[Group]:
    return [group for group in visit.groups if not group.unscored]


def _outcomes(visit: Visit) -> list[tuple[int, Outcome]]:
    """The outcome of each group with its level; a level without a usable hint is a failed group."""
    missing = [(level, Outcome(visit.number, 0, visit.kept.size, 0)) for level in visit.missing]
    return missing + [(g.level, Outcome(visit.number, g.num_correct, g.size, g.num_tokens)) for g in _scored(visit)]


def _count(tallies: dict[int, Tally], visit: Visit) -> None:
    outcomes = _outcomes(visit)
    num_hinted = sum(level > NO_HINT for level, _ in outcomes)
    for level, outcome in outcomes:
        hint_tokens = visit.hint_tokens / num_hinted if level > NO_HINT else 0.0
        tallies.setdefault(level, Tally()).add(outcome, hint_tokens)
