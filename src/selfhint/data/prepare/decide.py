"""Second pass of `prepare`: what the rows are to each other. The data's own order decides nothing here."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from selfhint.core.problem import comparable
from selfhint.data.overlap.near import Compared, is_near
from selfhint.data.overlap.near_index import NO_KEY, Keys, NearIndex
from selfhint.data.prepare.difficulty import Solved
from selfhint.data.prepare.settings import ALWAYS, NEVER, PrepareSettings
from selfhint.data.prepare.spool import Spool, hash64

KEPT = ""
TWO_ANSWERS = "that give one problem different answers"
DUPLICATE = "whose problem is there already"
NEAR_DUPLICATE = "whose problem is there already, nearly the same"
SOLVED_REASON = {NEVER: "that the diagnosed policy never solved", ALWAYS: "that the diagnosed policy always solved"}
NOT_DRAWN = "not drawn"
REASONS = (KEPT, TWO_ANSWERS, DUPLICATE, NEAR_DUPLICATE, *SOLVED_REASON.values(), NOT_DRAWN)

MAX_LEADERS = 32
"""Problems of one bucket that a further one is compared with. Only problems with the same numbers, the same answer and
like words share a bucket, so a fuller one is a template whose words alone change."""
CACHED = 4096

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What becomes of each entry of the spool.

    Args:
        reasons: index into `REASONS`. Shape (entries,).
        others: the entry that caused it, or -1. Shape (entries,).
        validation: kept entries that go to the validation file. Shape (entries,).
        crowded: entries that were compared with the first `MAX_LEADERS` of their bucket only.
        diagnosed: entries whose difficulty is known.
    """

    reasons: npt.NDArray[np.uint8]
    others: Numbers
    validation: npt.NDArray[np.bool_]
    crowded: int
    diagnosed: int


def decide(
    spool: Spool,
    near: NearIndex | None,
    settings: PrepareSettings,
    solved: Mapping[str, Solved],
    same_answer: Callable[[str, str], bool],
) -> Decisions:
    """Drops what is there twice or has two answers, then by difficulty, then draws and splits.

    Of several rows that are one problem the one with the smallest hash of its content stays.

    Args:
        same_answer: whether two answers that are written differently are one.
    """
    decider = _Decider(spool, np.zeros(len(spool), np.uint8), np.full(len(spool), -1, np.int64))
    decider.exact(same_answer)
    if near is not None:
        for band in near.bands():
            decider.near(band)
    keys = [entry.key for entry in spool]
    if settings.drop:
        decider.difficulty(keys, solved, settings.drop)
    if settings.num is not None:
        decider.draw(keys, settings.num, settings.seed)
    validation = np.array([_share(f"validation {key}") < settings.validation for key in keys], np.bool_)
    return Decisions(
        decider.reasons, decider.others, validation, int(decider.crowded.sum()), sum(key in solved for key in keys)
    )


def _share(text: str) -> float:
    """A number in [0, 1) that only the text decides."""
    return hash64(text.encode()) / 2**64


@dataclass(slots=True)
class _Decider:
    spool: Spool
    reasons: npt.NDArray[np.uint8]
    others: Numbers
    by_rank: Numbers = field(init=False)
    crowded: npt.NDArray[np.bool_] = field(init=False)
    compared: Callable[[int], Compared] = field(init=False)

    def __post_init__(self) -> None:
        self.by_rank = np.argsort(np.frombuffer(self.spool.ranks, np.uint64), kind="stable")
        self.crowded = np.zeros(len(self.spool), np.bool_)
        self.compared = functools.lru_cache(CACHED)(lambda number: self.spool[number].compared)

    def drop(self, number: int, reason: str, because_of: int = -1) -> None:
        self.reasons[number] = REASONS.index(reason)
        self.others[number] = because_of

    def is_kept(self, number: int) -> bool:
        return not self.reasons[number]

    def exact(self, same_answer: Callable[[str, str], bool]) -> None:
        """Texts that are the same: one of them stays if they have one answer, none if they have several."""
        for bucket in self._buckets(np.frombuffer(self.spool.texts, np.uint64)):
            by_text: dict[str, list[int]] = {}
            for number in bucket:
                by_text.setdefault(self.compared(number).reading.text, []).append(number)
            for numbers in by_text.values():
                self._one_text(numbers, same_answer)

    def _one_text(self, numbers: list[int], same_answer: Callable[[str, str], bool]) -> None:
        first, *rest = numbers
        answer = self.spool[first].answer
        answers = {number: self.spool[number].answer for number in rest}
        differ = [
            number
            for number, other in answers.items()
            if comparable(other) != comparable(answer) and not same_answer(answer, other)
        ]
        if differ:
            self.drop(first, TWO_ANSWERS, differ[0])
        for number in rest:
            self.drop(number, TWO_ANSWERS if differ else DUPLICATE, first)

    def near(self, keys: Keys) -> None:
        """Of the problems that share a key, each is dropped that nearly is an earlier one."""
        for bucket in self._buckets(keys):
            leaders: list[int] = []
            for number in bucket:
                problem = self.compared(number)
                leader = next((i for i in leaders[:MAX_LEADERS] if is_near(self.compared(i), problem)), None)
                if leader is not None:
                    self.drop(number, NEAR_DUPLICATE, leader)
                    continue
                self.crowded[number] |= len(leaders) > MAX_LEADERS
                leaders.append(number)

    def _buckets(self, keys: Keys) -> Iterator[list[int]]:
        """Kept entries with equal keys, those of a bucket by rank."""
        alive = self.by_rank[(self.reasons[self.by_rank] == 0) & (keys[self.by_rank] != NO_KEY)]
        in_order = alive[np.argsort(keys[alive], kind="stable")]
        starts = np.flatnonzero(np.diff(keys[in_order], prepend=keys[in_order][:1] ^ np.uint64(1)))
        ends = [*starts.tolist(), len(in_order)]
        for begin, end in pairwise(ends):
            if end - begin > 1:
                yield in_order[begin:end].tolist()

    def difficulty(self, keys: list[str], solved: Mapping[str, Solved], drop: frozenset[str]) -> None:
        for number, key in enumerate(keys):
            known = solved.get(key)
            if known is None or not self.is_kept(number):
                continue
            extreme = {0: NEVER, known.drawn: ALWAYS}.get(known.correct)
            if extreme in drop:
                self.drop(number, SOLVED_REASON[extreme])

    def draw(self, keys: list[str], num: int, seed: int) -> None:
        """Those with the smallest hashes of seed and key, so that a smaller draw is part of a larger one."""
        kept = [number for number in range(len(keys)) if self.is_kept(number)]
        for number in sorted(kept, key=lambda number: hash64(f"draw {seed} {keys[number]}".encode()))[num:]:
            self.drop(number, NOT_DRAWN)
