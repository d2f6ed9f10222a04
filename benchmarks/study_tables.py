"""The tables of docs/results.md from the rows that a study left.

    python benchmarks/study_tables.py studies/results/lab-schedulers ladder     # folder, what others are compared with

Reads runs_table.csv alone. Means have Student's t intervals, medians those of the sign test; a run that ended before it
reached 0.95 counts as later than its last token (docs/study.md).
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from selfhint.study.statistics import Bounds, Interval, Median, mean_interval, median_of, paired_median_ratio

Row = Mapping[str, str]
Runs = Mapping[int, Row]
"""Seed → the run's row."""


def main() -> None:
    """Prints a table for each data set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("base")
    given = parser.parse_args()
    table = given.folder / "runs_table.csv"
    if not table.exists():
        parser.error(f"{table}: no such file; name the folder of a study")
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    if given.base not in {row["method"] for row in rows}:
        parser.error(f"{given.base}: none of its methods, {', '.join(dict.fromkeys(row['method'] for row in rows))}")
    for data in dict.fromkeys(row["data"] for row in rows):
        methods: dict[str, dict[int, Row]] = {}
        for row in rows:
            if row["data"] == data:
                methods.setdefault(row["method"], {})[int(row["seed"])] = row
        print(f"\n{data}, {len(next(iter(methods.values())))} seeds\n")
        print_table(methods, given.base)


def print_table(methods: Mapping[str, Runs], base: str) -> None:
    """One row a method."""
    any_row = next(iter(methods[base].values()))
    step, tokens = int(any_row["equal_step"]), int(any_row["equal_tokens"])
    titles = [
        "method",
        f"success at step {step}",
        f"success by {tokens / 1e6:.3f} M tokens",
        "reached 0.95",
        "M tokens until then",
        f"× {base}",
        "steps until then",
        "hinted, last 10 steps",
        "without a signal",
        "hinted though solved",
    ]
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles))
    marks = {method: {seed: mark(row) for seed, row in runs.items()} for method, runs in methods.items()}
    for method, runs in methods.items():
        steps = [Bounds.seen(number(r, "step_to_mark")) if reached(r) else later(r) for r in runs.values()]
        hinted, late = (
            sum(number(r, name) for r in runs.values()) for name in ("hinted_though_solved", "solved_lately")
        )
        cells = [
            method,
            mean(runs, "success_at_equal_step"),
            mean(runs, "success_at_equal_tokens"),
            f"{sum(map(reached, runs.values()))} of {len(runs)}",
            shown_median(median_of([*marks[method].values()]), lambda value: f"{value / 1e6:.3f}"),
            "–" if method == base else shown_median(paired_median_ratio(marks[method], marks[base]), two_digits),
            shown_median(median_of(steps), lambda value: f"{value:.0f}"),
            mean(runs, "hinted_last_steps", lambda value: f"{value:.1f}"),
            mean(runs, "never_signal_at_equal_step", lambda value: f"{100 * value:.1f} %"),
            f"{hinted:.0f} of {late:.0f}",
        ]
        print("| " + " | ".join(cells) + " |")


def number(row: Row, name: str) -> float:
    """A cell as a number."""
    return float(row[name])


def reached(row: Row) -> bool:
    """Whether the run passed the mark."""
    return row["reached_mark"] == "true"


def mark(row: Row) -> Bounds:
    """Tokens until the mark."""
    return Bounds.seen(number(row, "tokens_to_mark")) if reached(row) else Bounds.beyond(number(row, "tokens"))


def later(row: Row) -> Bounds:
    """Steps until the mark, of a run that never passed it."""
    return Bounds.beyond(number(row, "steps"))


def two_digits(value: float) -> str:
    """A ratio."""
    return f"{value:.2f}"


def mean(runs: Runs, name: str, show: Callable[[float], str] = lambda value: f"{value:.3f}") -> str:
    """Mean and interval of a column over seeds; shares keep to 0 and 1."""
    values: Sequence[float] = [number(row, name) for row in runs.values() if row[name] != ""]
    found: Interval = mean_interval(values)
    if found.value is None:
        return "–"
    some = f", {found.num} of {len(runs)}" if found.num < len(runs) else ""
    if found.low is None or found.high is None:
        return show(found.value) + some
    highest = 1.0 if max(values) <= 1.0 else math.inf
    return f"{show(found.value)} ({show(max(found.low, 0.0))}–{show(min(found.high, highest))})" + some


def shown_median(found: Median | None, show: Callable[[float], str]) -> str:
    """Median and interval; ∞ where runs never arrived."""
    if found is None:
        return "–"
    if found.low == found.high:
        value = show(found.low)
    elif found.low:
        value = f"> {show(found.low)}"
    else:
        value = "–" if math.isinf(found.high) else f"< {show(found.high)}"
    if found.interval is None:
        return value
    low, high = found.interval.low, found.interval.high
    return f"{value} ({show(low) if low else '0'}–{'∞' if math.isinf(high) else show(high)})"


if __name__ == "__main__":
    main()
