"""Hints of random strength while most of the last groups failed, weaker as training goes on.

A public sketch of SAGE, completed by us: the sketch names the window and the random strength, not what happens at its
edges.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from selfhint.core.ledger import KEPT_FLAGS, Ledger
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId


class Window:
    """Decides once a step, from one list of the last groups, whether its visits are hinted.

    Hints are on while fewer than `groups` groups were seen, or while more than `share` of the last `groups` failed. A
    hinted visit draws a level l from 1 … L at random and takes ⌊l·(1 − t/T) + ½⌋, t steps done of T: so strengths fade
    linearly, and the last ones to no hint. One group a visit.

    Args:
        groups: N, the window's length; at most `KEPT_FLAGS`.
        share: of failed groups in the window, above which hints are on.
        seed: of the draws; a draw depends on it, the problem and the visit's number alone.
        steps: T, the run's steps; None: strengths do not fade.
    """

    name = "window"

    def __init__(self, groups: int = 5, share: float = 0.5, seed: int = 0, steps: int | None = None) -> None:
        if not 1 <= groups <= KEPT_FLAGS:
            raise ValueError(f"the window has {groups} groups; it can have 1 to {KEPT_FLAGS}")
        self._groups = groups
        self._share = share
        self._seed = seed
        self._steps = steps

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """Level 0 for all visits of the step, or a level drawn for each."""
        last = ledger.failed[-self._groups :]
        hinting = len(last) < self._groups or sum(last) > self._share * self._groups
        left = 1.0 if self._steps is None else max(0.0, 1.0 - ledger.num_steps / self._steps)
        why = {"failed": sum(last), "seen": len(last), "left": round(left, 4)}
        if not hinting:
            return [Plan((NO_HINT,), why)] * len(visits)
        return [Plan((self._faded(key, number, left),), why) for key, number in visits]

    def _faded(self, key: str, number: int, left: float) -> int:
        drawn = random.Random(f"{self._seed}:{key}:{number}").randint(NO_HINT + 1, NUM_LEVELS)
        return math.floor(drawn * left + 0.5)
