"""What the runs of a study came to: their summaries, and the tables of one row a run and one row a step."""

from __future__ import annotations

import functools
import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.report import Measurement, RunSummary, summarise
from selfhint.report.lines import lines_of
from selfhint.runlog import GROUPS, METRICS
from selfhint.study.spec import PlannedRun
from selfhint.study.statistics import Bounds
from selfhint.study.visits import Visits, read_visits

Table = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run.

    Args:
        run: what was planned.
        summary: what its logs say.
        visits: what its groups say.
    """

    run: PlannedRun
    summary: RunSummary
    visits: Visits

    @property
    def tokens_to_mark(self) -> Bounds:
        """Tokens sampled until held-out success first passed the mark; censored at the run's end if it never did."""
        passed = self.summary.first_passed
        return Bounds.beyond(self.summary.tokens) if passed is None else Bounds.seen(passed.tokens)

    def at_step(self, step: int) -> Measurement | None:
        """The last measurement made up to a step."""
        return next((m for m in reversed(self.summary.held_out) if m.step <= step), None)

    def mean_until(self, totals: Sequence[float], step: int) -> float:
        """What a step added on average, up to a step that the run reached; `totals` are running sums over its steps."""
        steps = bisect_right(self.summary.curves.steps, step)
        return totals[steps - 1] / steps


def read_result(run: PlannedRun) -> Result:
    """Reads the logs of a finished run.

    Raises:
        InputError: a log is missing or damaged.
    """
    return Result(run, summarise(run.folder), read_visits(run.folder / GROUPS))


def check_whole(run: PlannedRun) -> None:
    """A log that was cut would pass for a shorter run, and move what all runs are compared at.

    Raises:
        InputError: the log of a finished run ends before its last step, or cannot be read.
    """
    path, last = run.folder / METRICS, 0
    for line in lines_of(path):
        last = line.count("step")
    if last < run.recipe.steps:
        raise InputError(
            f"{path}: ends at step {last} of {run.recipe.steps}; restore the file, or remove the run's folder to run "
            "it again"
        )


@dataclass(frozen=True, slots=True)
class Equal:
    """Where runs on one data set can be compared: the most steps and the most sampled tokens that all reached."""

    step: int
    tokens: int

    @classmethod
    def of(cls, results: Sequence[Result]) -> Equal:
        """The point of these runs; at least one."""
        return cls(min(r.summary.last_step for r in results), min(r.summary.tokens for r in results))


def rows_of_runs(results: Sequence[Result]) -> Table:
    """One row a run, in the order of `results`."""
    by_data: dict[str, list[Result]] = {}
    for result in results:
        by_data.setdefault(result.run.data, []).append(result)
    equal = {data: Equal.of(group) for data, group in by_data.items()}
    return [_run_row(result, equal[result.run.data]) for result in results]


def _run_row(result: Result, equal: Equal) -> dict[str, Any]:
    summary, curves = result.summary, result.summary.curves
    passed = summary.first_passed
    return {
        **_head(result),
        "steps": summary.last_step,
        "tokens": summary.tokens,
        "seconds": summary.seconds,
        "success_final": _success(summary.final),
        "success_best": _success(summary.best),
        "equal_step": equal.step,
        "success_at_equal_step": _success(result.at_step(equal.step)),
        "equal_tokens": equal.tokens,
        "success_at_equal_tokens": _success(summary.at_tokens(equal.tokens)),
        "reached_mark": passed is not None,
        "step_to_mark": None if passed is None else passed.step,
        "tokens_to_mark": None if passed is None else passed.tokens,
        "never_signal_at_equal_step": result.visits.share_without("signal", equal.step),
        "never_solved_at_equal_step": result.visits.share_without("solved", equal.step),
        "never_solved_without_hint_at_equal_step": result.visits.share_without("solved_bare", equal.step),
        "problems_seen": summary.problems_seen,
        "never_signal": summary.never_signal,
        "never_solved": summary.never_solved,
        "never_solved_without_hint": summary.never_solved_without_hint,
        "visits": sum(curves.visits),
        **{f"hinted_level_{level}": sum(visits) for level, visits in enumerate(curves.hinted, NO_HINT + 1)},
        "hinted_first_steps": summary.hinted_first[0],
        "hinted_last_steps": summary.hinted_last[0],
        "solved_lately": result.visits.solved_lately,
        "hinted_though_solved": result.visits.hinted_though_solved,
        "entropy_final": curves.entropies[-1],
        "length_final": curves.lengths[-1],
    }


def rows_of_steps(results: Sequence[Result]) -> Table:
    """One row a step of every run."""
    return [row for result in results for row in _step_rows(result)]


def _step_rows(result: Result) -> Table:
    curves = result.summary.curves
    measured = {m.step: m.success for m in result.summary.held_out}
    columns: Mapping[str, Sequence[Any]] = {
        "step": curves.steps,
        "tokens": curves.tokens,
        "seconds": curves.seconds,
        "success": [measured.get(step) for step in curves.steps],
        "reward": curves.rewards,
        "visits": curves.visits,
        "no_signal": curves.no_signal,
        "all_correct": curves.all_correct,
        **{f"hinted_level_{level}": curves.hinted[level - 1] for level in range(NO_HINT + 1, NUM_LEVELS + 1)},
        "entropy": curves.entropies,
        "length": curves.lengths,
    }
    return [
        {**_head(result), **dict(zip(columns, values, strict=True))} for values in zip(*columns.values(), strict=True)
    ]


def _head(result: Result) -> dict[str, Any]:
    return {"data": result.run.data, "method": result.run.method, "seed": result.run.seed}


def _success(measured: Measurement | None) -> float | None:
    return None if measured is None else measured.success


def write_table(rows: Table, path: Path) -> None:
    """Writes rows of the same keys as Parquet and, beside it, as CSV; each file whole or not at all.

    Args:
        path: without an ending.

    Raises:
        InputError: a file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    table = pa.Table.from_pylist(rows)
    parquet = functools.partial(pyarrow.parquet.write_table, compression="zstd")
    for ending, write in ((".parquet", parquet), (".csv", pyarrow.csv.write_csv)):
        target = path.with_suffix(ending)
        partial = target.with_name(f"{target.name}.partial")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write(table, partial)
            os.replace(partial, target)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise InputError(
                f"{target}: cannot be written ({error.strerror}); make room or choose another --out"
            ) from error
