"""One run directory becomes one summary."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.report.lines import Line, lines_of, metrics_of
from selfhint.runlog import GROUPS, METRICS

HELD_OUT_MARK = 0.95
"""Held-out success at which a run counts as having learned the task."""

NUM_EDGE_STEPS = 10
"""Steps at the beginning and at the end over which hinted problems are counted."""

LEVELS = range(NO_HINT + 1, NUM_LEVELS + 1)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Held-out success without hints at one moment.

    Args:
        step: the generation step after which it was measured.
        tokens: tokens sampled in training until then.
        success: share of held-out problems solved, 0 to 1.
    """

    step: int
    tokens: int
    success: float


@dataclass(frozen=True, slots=True)
class Curves:
    """What happened step by step. Fields have shape (steps,), `hinted` has (L, steps).

    Args:
        steps: generation steps.
        tokens: tokens sampled until the end of the step: kept, discarded, hints and padding.
        rewards: mean reward of the groups that entered the update; None where none could be scored.
        visits: problems in the step, copies counted.
        no_signal: visits whose kept group had equal rewards.
        all_correct: visits whose kept group was correct throughout.
        hinted: visits whose kept group was drawn with a hint, level 1 first.
        entropies: mean entropy of the policy's next token on the completions of the update, in nats; None where an
            engine logs none.
        lengths: mean tokens of these completions.
        seconds: wall time of the step, without measuring held-out success.
    """

    steps: tuple[int, ...]
    tokens: tuple[int, ...]
    rewards: tuple[float | None, ...]
    visits: tuple[int, ...]
    no_signal: tuple[int, ...]
    all_correct: tuple[int, ...]
    hinted: tuple[tuple[int, ...], ...]
    entropies: tuple[float | None, ...]
    lengths: tuple[float | None, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to.

    Args:
        name: the directory's name.
        folder: the run directory, absolute.
        last_step: the last finished step.
        held_out: measurements of held-out success without hints, in order; empty where none was made.
        problems_seen: different problems visited.
        never_signal: of these, the ones none of whose kept groups had differing rewards; None without groups.jsonl.
        never_solved: of these, the ones without any correct completion, hinted ones included.
        never_solved_without_hint: of these, the ones without a correct completion drawn without a hint.
        curves: the run step by step.
    """

    name: str
    folder: Path
    last_step: int
    held_out: tuple[Measurement, ...]
    problems_seen: int
    never_signal: int | None
    never_solved: int
    never_solved_without_hint: int
    curves: Curves

    @property
    def tokens(self) -> int:
        """Tokens sampled in all: kept, discarded, hints and padding."""
        return self.curves.tokens[-1]

    @property
    def seconds(self) -> float:
        """Wall time of all steps, without measuring held-out success."""
        return sum(self.curves.seconds)

    @property
    def seconds_per_step(self) -> float:
        """Mean of them."""
        return self.seconds / len(self.curves.steps)

    @property
    def final(self) -> Measurement | None:
        """The last measurement."""
        return self.held_out[-1] if self.held_out else None

    @property
    def best(self) -> Measurement | None:
        """The measurement with the highest success, the earliest of equals."""
        return max(self.held_out, key=lambda m: m.success, default=None)

    @property
    def first_passed(self) -> Measurement | None:
        """The first measurement at or above `HELD_OUT_MARK`."""
        return next((m for m in self.held_out if m.success >= HELD_OUT_MARK), None)

    def at_tokens(self, budget: int) -> Measurement | None:
        """The last measurement made with at most `budget` sampled tokens."""
        return next((m for m in reversed(self.held_out) if m.tokens <= budget), None)

    @property
    def hinted_first(self) -> tuple[int, int]:
        """Hinted visits and all visits in the first `NUM_EDGE_STEPS` steps."""
        return self._hinted(slice(NUM_EDGE_STEPS))

    @property
    def hinted_last(self) -> tuple[int, int]:
        """Hinted visits and all visits in the last `NUM_EDGE_STEPS` steps."""
        return self._hinted(slice(-NUM_EDGE_STEPS, None))

    def _hinted(self, steps: slice) -> tuple[int, int]:
        return sum(sum(visits[steps]) for visits in self.curves.hinted), sum(self.curves.visits[steps])


def summarise(run_dir: Path) -> RunSummary:
    """Reads the log files of a run, finished or not.

    Steps are counted as far as metrics.jsonl goes: a crash can leave groups of one step more.

    Raises:
        InputError: a file is missing or damaged; the message names it and the mend.
    """
    metrics = metrics_of(run_dir)
    curves = _curves(metrics)
    last = metrics[-1]
    return RunSummary(
        name=Path(os.path.abspath(run_dir)).name,
        folder=Path(os.path.abspath(run_dir)),
        last_step=curves.steps[-1],
        held_out=tuple(
            Measurement(step, tokens, line.real("heldout/success"))
            for line, step, tokens in zip(metrics, curves.steps, curves.tokens, strict=True)
            if line.has("heldout/success")
        ),
        problems_seen=last.count("problems/seen"),
        never_signal=_num_never_signal(run_dir / GROUPS, curves),
        never_solved=last.count("problems/never_solved"),
        never_solved_without_hint=last.count("problems/never_solved_without_hint"),
        curves=curves,
    )


def _curves(metrics: Sequence[Line]) -> Curves:
    return Curves(
        steps=_counts(metrics, "step"),
        tokens=tuple(accumulate(_sampled_tokens(line) for line in metrics)),
        rewards=_reals(metrics, "reward/mean"),
        visits=_counts(metrics, "groups/total"),
        no_signal=_counts(metrics, "groups/no_signal"),
        all_correct=_counts(metrics, "groups/all_correct"),
        hinted=tuple(_counts(metrics, f"hints/level_{level}") for level in LEVELS),
        entropies=_reals(metrics, "entropy"),
        lengths=_reals(metrics, "completions/mean_length"),
        seconds=tuple(line.real("time/step") - _seconds_held_out(line) for line in metrics),
    )


def _reals(metrics: Sequence[Line], name: str) -> tuple[float | None, ...]:
    return tuple(line.real(name) if line.has(name) else None for line in metrics)


def _counts(metrics: Sequence[Line], name: str) -> tuple[int, ...]:
    return tuple(line.count(name) for line in metrics)


def _sampled_tokens(line: Line) -> int:
    """Padding rows exist only where an engine cuts its work into equal shares."""
    padding = line.count("tokens/padding") if line.has("tokens/padding") else 0
    return line.count("tokens/kept") + line.count("tokens/discarded") + line.count("tokens/hints") + padding


def _seconds_held_out(line: Line) -> float:
    return line.real("time/heldout") if line.has("time/heldout") else 0.0


def _num_never_signal(path: Path, curves: Curves) -> int | None:
    if not path.exists():
        return None
    had_signal: dict[str, bool] = {}
    num_visits = 0
    for line in lines_of(path):
        if line.count("step") <= curves.steps[-1]:
            num_visits += 1
            key = line.text("key")
            rewards = {reward for reward in line.rewards() if reward is not None}
            had_signal[key] = had_signal.get(key, False) or len(rewards) > 1
    if num_visits != sum(curves.visits):
        raise InputError(
            f"{path}: {num_visits} visits until step {curves.steps[-1]} where {METRICS} counts "
            f"{sum(curves.visits)}; restore the file, or go on with the run by --resume"
        )
    return sum(not signal for signal in had_signal.values())
