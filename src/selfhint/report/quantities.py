"""The rows of a comparison as text, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from selfhint.core.errors import InputError
from selfhint.report.summary import HELD_OUT_MARK, NUM_EDGE_STEPS, Measurement, RunSummary

DASH = "–"
READING = (
    "Held-out success is measured without hints, after the step in brackets; the best is chosen in hindsight. "
    f"{DASH} means not measured or never reached."
)
"""What a reader of the rows must know."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One row: what it is, and its value in each run."""

    label: str
    values: tuple[str, ...]


def comparable(summaries: Sequence[RunSummary]) -> tuple[RunSummary, ...]:
    """The runs under names that tell them apart: as many parts of the path, from its end, as that takes.

    Raises:
        InputError: there is no run, or one is given twice.
    """
    if not summaries:
        raise InputError("no run to show; name at least one run directory")
    folders = [summary.folder for summary in summaries]
    for folder in folders:
        if folders.count(folder) > 1:
            raise InputError(f"{folder}: given twice; name each run once")
    depth = 1
    while len(names := ["/".join(folder.parts[-depth:]) for folder in folders]) > len(set(names)):
        depth += 1
    return tuple(replace(s, name=_printable(name)) for s, name in zip(summaries, names, strict=True))


def _printable(name: str) -> str:
    """Bytes of a file name that are not UTF-8 show as escapes; a terminal or a page cannot take them as they are."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def equal_budget(summaries: Sequence[RunSummary]) -> int:
    """The most sampled tokens that every run reached."""
    return min(summary.tokens for summary in summaries)


def quantities(summaries: Sequence[RunSummary]) -> tuple[Quantity, ...]:
    """What a comparison shows of each run, in the order of `summaries`."""
    budget = equal_budget(summaries)

    def row(label: str, values: Sequence[str]) -> Quantity:
        return Quantity(label, tuple(values))

    return (
        row("steps", [f"{s.last_step:,}" for s in summaries]),
        row("held-out success, last", [_success(s.final) for s in summaries]),
        row("held-out success, best", [_success(s.best) for s in summaries]),
        row(f"held-out success by {budget:,} tokens", [_success(s.at_tokens(budget)) for s in summaries]),
        row(f"step when it reached {HELD_OUT_MARK}", [_step(s.first_passed) for s in summaries]),
        row(f"tokens when it reached {HELD_OUT_MARK}", [_tokens(s.first_passed) for s in summaries]),
        row("tokens sampled in all", [f"{s.tokens:,}" for s in summaries]),
        row("problems seen", [f"{s.problems_seen:,}" for s in summaries]),
        row("problems that never gave a signal", [_or_dash(s.never_signal) for s in summaries]),
        row("problems never solved, even with hints", [f"{s.never_solved:,}" for s in summaries]),
        row("problems never solved without a hint", [f"{s.never_solved_without_hint:,}" for s in summaries]),
        row(f"hinted visits, first {NUM_EDGE_STEPS} steps", [_of(*s.hinted_first) for s in summaries]),
        row(f"hinted visits, last {NUM_EDGE_STEPS} steps", [_of(*s.hinted_last) for s in summaries]),
        row("seconds in all", [_seconds(s.seconds) for s in summaries]),
        row("seconds per step", [_seconds(s.seconds_per_step) for s in summaries]),
    )


def _success(measured: Measurement | None) -> str:
    return DASH if measured is None else f"{measured.success:.3f} ({measured.step:,})"


def _step(measured: Measurement | None) -> str:
    return DASH if measured is None else f"{measured.step:,}"


def _tokens(measured: Measurement | None) -> str:
    return DASH if measured is None else f"{measured.tokens:,}"


def _or_dash(count: int | None) -> str:
    return DASH if count is None else f"{count:,}"


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f}" if seconds >= 10 else f"{seconds:#.3g}"
