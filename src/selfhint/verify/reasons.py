"""Why a verdict is what it is: the values of `Verdict.reason`."""

from __future__ import annotations

from typing import Final

MATCH: Final = "match"
MISMATCH: Final = "mismatch"
NO_ANSWER: Final = "no answer found"
GOLD_UNREADABLE: Final = "gold unreadable"
TIMED_OUT: Final = "timed out"
CRASHED: Final = "crashed"

CORRECT: Final[dict[str, bool | None]] = {
    MATCH: True,
    MISMATCH: False,
    NO_ANSWER: False,
    GOLD_UNREADABLE: None,
    TIMED_OUT: False,
    CRASHED: False,
}
"""Reason → `Verdict.correct`."""
