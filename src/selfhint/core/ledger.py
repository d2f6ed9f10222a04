"""What happened to each problem across its visits. One bounded record per problem, never a history that grows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Visit
from selfhint.core.levels import NO_HINT

STATE_VERSION = 3


@dataclass(frozen=True, slots=True)
class StoredHint:
    """An accepted text that a model wrote, with the generation step and the epoch in which it did."""

    text: str
    step: int
    epoch: int


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
    """

    visits: int = 0
    level: int = NO_HINT
    rate: float | None = None
    solved: bool = False
    solved_without_hint: bool = False
    hints: dict[int, StoredHint] = field(default_factory=dict)


@dataclass(slots=True)
class Ledger:
    """Records by problem key. The only memory that schedulers have."""

    records: dict[str, ProblemRecord] = field(default_factory=dict)

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
        for visit in visits:
            by_key.setdefault(visit.problem.key, []).append(visit)
        for key, copies in by_key.items():
            self._add(key, copies)

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
        return {"version": STATE_VERSION, "records": {key: asdict(r) for key, r in self.records.items()}}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Replaces the records.

        Raises:
            InputError: the state is from another version.
        """
        if state.get("version") != STATE_VERSION:
            raise InputError(
                f"ledger state has version {state.get('version')}, this release reads {STATE_VERSION}: "
                "resume with the release that wrote the checkpoint"
            )
        self.records = {key: record_of(values) for key, values in state["records"].items()}


def record_of(values: Mapping[str, Any]) -> ProblemRecord:
    """A record from the dictionary that `dataclasses.asdict` made of it, also after a way through JSON."""
    hints = {int(level): StoredHint(**stored) for level, stored in values["hints"].items()}
    return ProblemRecord(**{**values, "hints": hints})
