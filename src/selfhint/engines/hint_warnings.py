"""What keeps problems from getting hints, told where a person sees it: each cause once, all with counts at the end."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from selfhint.core.group import Visit
from selfhint.hints import REASONS, SOURCE_REASONS

logger = logging.getLogger(__name__)

IN_VAIN = 16
"""So many visits in a row that wanted hints and got none are no chance."""

BEFORE_ASKING = ("no_solution", "request_over_budget", "not_given")
"""Reasons in the data, not in what a model wrote: they come back at every visit, so the first one is told."""

LOOK = "see with `selfhint hints preview` what is written"
MENDS: Mapping[str, str] = {
    "no_solution": "give these problems a worked solution",
    "request_over_budget": "allow longer prompts, or shorten these problems",
    "over_budget": "allow longer prompts, or shorter hints",
    "not_given": "add them, or choose another hint source",
    "unparsable": f"{LOOK}; hints.format=text suits small models",
    "missing_level": f"{LOOK}; hints.format=text suits small models",
    "not_a_string": f"{LOOK}; hints.format=text suits small models",
    **{reason: "look after the teacher" for reason in SOURCE_REASONS if reason.startswith("teacher_")},
}
"""Reason → what to do; `LOOK` for the others."""


class HintWarnings:
    """Counts what becomes of a run's hints and logs warnings; the run goes on whatever it finds.

    A cause is told once: one that lies in the data when it is first met, any other when no hint could be used in
    `IN_VAIN` visits in a row and it is the most frequent reason among theirs.

    Args:
        is_main: whether this process tells; every process counts, for the checkpoint's sake.
    """

    def __init__(self, is_main: bool) -> None:
        self._is_main = is_main
        self._used = 0
        self._refused: Counter[str] = Counter()
        self._flagged: Counter[str] = Counter()
        self._told: set[str] = set()
        self._in_vain: Counter[str] = Counter()
        self._visits_in_vain = 0

    def take(self, visits: Sequence[Visit], step: int) -> None:
        """Counts the hints of a step's visits and tells what is new."""
        refused: Counter[str] = Counter()
        for visit in visits:
            self._take_visit(visit, step)
            refused.update(visit.refused)
        self._refused += refused
        for reason in BEFORE_ASKING:
            if refused[reason]:
                self._tell(reason, f"step {step}: {refused[reason]} hints could not be asked for")

    def _take_visit(self, visit: Visit, step: int) -> None:
        if not visit.hints:
            return
        self._used += len(visit.used)
        self._flagged.update(visit.flagged)
        if visit.used:
            self._in_vain.clear()
            self._visits_in_vain = 0
            return
        self._visits_in_vain += 1
        self._in_vain.update(visit.refused)
        if self._visits_in_vain >= IN_VAIN:
            ((reason, _),) = self._in_vain.most_common(1)
            self._tell(
                reason,
                f"step {step}: no hint could be used in the last {self._visits_in_vain} visits that wanted one "
                f"({counted(self._in_vain)})",
            )

    def _tell(self, reason: str, what: str) -> None:
        if reason in self._told:
            return
        self._told.add(reason)
        if self._is_main:
            meaning = {**REASONS, **SOURCE_REASONS}.get(reason, "")
            mend = MENDS.get(reason, LOOK)
            logger.warning("%s; %s: %s. The run goes on without these hints; %s", what, reason, meaning, mend)

    def summarise(self) -> None:
        """Tells at the end what became of all hints, where any was refused or flagged."""
        if not self._is_main or not (self._refused or self._flagged):
            return
        flagged = f", of these flagged: {counted(self._flagged)}" if self._flagged else ""
        refused = f"; refused or missing: {counted(self._refused)}" if self._refused else ""
        logger.warning("hints of this run: %d used%s%s", self._used, flagged, refused)

    def state_dict(self) -> dict[str, Any]:
        """JSON-ready state."""
        return {
            "used": self._used,
            "refused": dict(self._refused),
            "flagged": dict(self._flagged),
            "told": sorted(self._told),
            "in_vain": dict(self._in_vain),
            "visits_in_vain": self._visits_in_vain,
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a checkpoint; what was told before it is not told again."""
        self._used = state["used"]
        self._refused = Counter(state["refused"])
        self._flagged = Counter(state["flagged"])
        self._told = set(state["told"])
        self._in_vain = Counter(state["in_vain"])
        self._visits_in_vain = state["visits_in_vain"]


def counted(reasons: Counter[str]) -> str:
    """Reasons with their counts, most frequent first."""
    return ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
