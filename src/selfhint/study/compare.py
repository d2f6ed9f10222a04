"""The methods of a study beside each other on one data set: as text for tables, as numbers for every pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations

from selfhint.report.quantities import DASH, Quantity
from selfhint.report.summary import HELD_OUT_MARK, NUM_EDGE_STEPS
from selfhint.study.results import Equal, Result, Table
from selfhint.study.statistics import (
    Bounds,
    Interval,
    Median,
    mean_interval,
    median_of,
    paired_difference,
    paired_median_ratio,
    paired_ratio,
)
from selfhint.study.visits import Event

READING = (
    "Mean over seeds [95 % interval, Student's t, shares cut at 0 and 1]; differences and ratios are taken seed by "
    "seed (paired). Medians have the interval of the sign test, which needs six seeds. > marks what the runs did not "
    "reach before they ended; they count as later than that, and no run is left out. (2 of 3): the other runs have no "
    f"such value, for example no measurement that early. {DASH} means not measured, not tried, or not known from these "
    "runs. Intervals are pointwise, not corrected for the number of comparisons. Solved lately: the last two groups "
    "without a hint each had a correct completion."
)
"""What a reader of the rows must know."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """The finished runs on one data set.

    Args:
        name: of the data set.
        results: method → seed → run; methods in the order of the specification, those without a finished run left out.
        baseline: the method that the others are compared with; it may have no finished run.
    """

    name: str
    results: Mapping[str, Mapping[int, Result]]
    baseline: str

    @property
    def equal(self) -> Equal:
        """Where all runs can be compared."""
        return Equal.of([result for runs in self.results.values() for result in runs.values()])

    def values(self, method: str, of: Callable[[Result], float | None]) -> dict[int, float]:
        """Seed → value, for the seeds that have one."""
        found = {seed: of(result) for seed, result in self.results.get(method, {}).items()}
        return {seed: value for seed, value in found.items() if value is not None}

    def tokens_to_mark(self, method: str) -> dict[int, Bounds]:
        """Seed → tokens until the mark, for runs whose held-out success was measured."""
        runs = self.results.get(method, {})
        return {seed: result.tokens_to_mark for seed, result in runs.items() if result.summary.held_out}


def by_data(results: Sequence[Result], methods: Sequence[str], baseline: str) -> list[DataSet]:
    """The results sorted by data set, in the order in which those first occur."""
    sets = []
    for name in dict.fromkeys(result.run.data for result in results):
        here = [result for result in results if result.run.data == name]
        sorted_ = {
            method: {result.run.seed: result for result in here if result.run.method == method} for method in methods
        }
        sets.append(DataSet(name, {method: runs for method, runs in sorted_.items() if runs}, baseline))
    return sets


Of = Callable[[Result], float | None]


def success_at_step(step: int) -> Of:
    """Held-out success at the last measurement up to a step."""
    return lambda result: None if (m := result.at_step(step)) is None else m.success


def success_at_tokens(tokens: int) -> Of:
    """Held-out success at the last measurement up to a number of sampled tokens."""
    return lambda result: None if (m := result.summary.at_tokens(tokens)) is None else m.success


def tokens_a_step(until: int) -> Of:
    """Sampled tokens of a step, on average up to a step."""
    return lambda result: result.mean_until(result.summary.curves.tokens, until)


def seconds_a_step(until: int) -> Of:
    """Wall time of a step without held-out measurements, on average up to a step."""
    return lambda result: result.mean_until(list(accumulate(result.summary.curves.seconds)), until)


def share_without(event: Event, until: int) -> Of:
    """Share of the problems seen up to a step that had no such event up to then."""
    return lambda result: result.visits.share_without(event, until)


def _hinted_first(result: Result) -> float:
    part, whole = result.summary.hinted_first
    return part / whole


def _hinted_last(result: Result) -> float:
    part, whole = result.summary.hinted_last
    return part / whole


def _hinted_though_solved(result: Result) -> float | None:
    visits = result.visits
    return visits.hinted_though_solved / visits.solved_lately if visits.solved_lately else None


Pair = Callable[[Mapping[int, float], Mapping[int, float]], Interval]
Show = Callable[[float], str]


def headline(data: DataSet) -> tuple[Quantity, ...]:
    """What each method achieved: at equal steps, at equal tokens, and until the mark."""
    methods, base, equal = list(data.results), data.baseline, data.equal
    marks = {method: data.tokens_to_mark(method) for method in methods}
    relative = {method: paired_median_ratio(marks[method], data.tokens_to_mark(base)) for method in methods}
    return (
        _means(data, f"held-out success at step {equal.step:,}", success_at_step(equal.step), _plain),
        _means(data, f"held-out success by {equal.tokens:,} tokens", success_at_tokens(equal.tokens), _plain),
        Quantity(f"runs that reached {HELD_OUT_MARK}", tuple(_reached(marks[method]) for method in methods)),
        Quantity(
            f"million tokens until {HELD_OUT_MARK}, median",
            tuple(_median(median_of([*marks[method].values()]), _millions) for method in methods),
        ),
        Quantity(
            f"the same relative to {base}, median",
            tuple(DASH if method == base else _median(relative[method], _ratio) for method in methods),
        ),
    )


def quantities(data: DataSet) -> tuple[Quantity, ...]:
    """Everything that the page's table shows of each method."""
    base, equal = data.baseline, data.equal
    step = equal.step
    at_step, at_tokens = success_at_step(equal.step), success_at_tokens(equal.tokens)
    return (
        Quantity("runs", tuple(str(len(runs)) for runs in data.results.values())),
        *headline(data),
        _against(data, f"success at step {equal.step:,} less that of {base}", at_step, paired_difference, _signed),
        _against(
            data, f"success by {equal.tokens:,} tokens less that of {base}", at_tokens, paired_difference, _signed
        ),
        _against(data, f"tokens a step, relative to {base}", tokens_a_step(step), paired_ratio, _ratio),
        _against(data, f"time a step, relative to {base}", seconds_a_step(step), paired_ratio, _ratio),
        _means(data, f"% of problems without a signal until step {step:,}", share_without("signal", step), _percent),
        _means(data, f"% never solved until step {step:,}, even with hints", share_without("solved", step), _percent),
        _means(
            data, f"% never solved without a hint until step {step:,}", share_without("solved_bare", step), _percent
        ),
        _means(data, f"% of visits hinted, first {NUM_EDGE_STEPS} steps", _hinted_first, _percent),
        _means(data, f"% of visits hinted, last {NUM_EDGE_STEPS} steps", _hinted_last, _percent),
        _means(data, "% of visits to problems solved lately that were hinted", _hinted_though_solved, _percent),
    )


def _means(data: DataSet, label: str, of: Of, show: Show) -> Quantity:
    """Means of shares."""

    def shown(method: str) -> str:
        found = mean_interval([*data.values(method, of).values()])
        return _mean(found, lambda value: show(_share(value)), len(data.results[method]))

    return Quantity(label, tuple(shown(method) for method in data.results))


def _against(data: DataSet, label: str, of: Of, pair: Pair, show: Show) -> Quantity:
    base, seeds = data.values(data.baseline, of), data.results.get(data.baseline, {}).keys()

    def shown(method: str) -> str:
        return _mean(pair(data.values(method, of), base), show, len(data.results[method].keys() & seeds))

    return Quantity(label, tuple(DASH if method == data.baseline else shown(method) for method in data.results))


def matrix(data: DataSet) -> tuple[Quantity, ...]:
    """Tokens until the mark of each method (a row) relative to each other one (a column)."""
    marks = {method: data.tokens_to_mark(method) for method in data.results}
    return tuple(
        Quantity(
            row,
            tuple(
                DASH if row == column else _median(paired_median_ratio(marks[row], marks[column]), _ratio)
                for column in marks
            ),
        )
        for row in marks
    )


def pair_rows(data: DataSet) -> Table:
    """One row for each ordered pair of methods and each quantity that is compared.

    `value_from` and `value_to` differ where runs that never reached the mark leave the value open in between.
    """
    equal = data.equal
    compared: dict[str, tuple[Of, Pair]] = {
        "success_at_equal_step, difference": (success_at_step(equal.step), paired_difference),
        "success_at_equal_tokens, difference": (success_at_tokens(equal.tokens), paired_difference),
        "tokens a step, ratio": (tokens_a_step(equal.step), paired_ratio),
        "seconds a step, ratio": (seconds_a_step(equal.step), paired_ratio),
    }
    rows: Table = []
    for method, other in permutations(data.results, 2):
        head = {"data": data.name, "method": method, "relative_to": other}
        for name, (of, pair) in compared.items():
            found = pair(data.values(method, of), data.values(other, of))
            ends = {"value_from": found.value, "value_to": found.value, "low": found.low, "high": found.high}
            rows.append({**head, "quantity": name, "seeds": found.num, **ends})
        ratio = paired_median_ratio(data.tokens_to_mark(method), data.tokens_to_mark(other))
        rows.append({**head, "quantity": "tokens_to_mark, median ratio", **_median_ends(ratio)})
    return rows


def _median_ends(found: Median | None) -> dict[str, float | int | None]:
    if found is None:
        return {"seeds": 0, "value_from": None, "value_to": None, "low": None, "high": None}
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return {"seeds": found.num, "value_from": found.low, "value_to": found.high, "low": low, "high": high}


# Text -----------------------------------------------------------------------------------------------------------------


def _mean(found: Interval, show: Show, num_runs: int) -> str:
    """With the number of runs or pairs that have a value, where some have none: those may differ from the others."""
    if found.value is None:
        return DASH
    some = f" ({found.num} of {num_runs})" if found.num < num_runs else ""
    if found.low is None or found.high is None:
        return f"{show(found.value)}{some}"
    return f"{show(found.value)} [{show(found.low)}, {show(found.high)}]{some}"


def _median(found: Median | None, show: Show) -> str:
    if found is None or (found.low == 0 and math.isinf(found.high)):
        return DASH
    if found.low == found.high:
        value = show(found.low)
    elif math.isinf(found.high):
        value = f"> {show(found.low)}"
    else:
        value = f"< {show(found.high)}" if found.low == 0 else f"{show(found.low)} to {show(found.high)}"
    if found.interval is None:
        return value
    ends = ("∞" if math.isinf(end) else show(end) if end else "0" for end in (found.interval.low, found.interval.high))
    return f"{value} [{', '.join(ends)}]"


def _reached(marks: Mapping[int, Bounds]) -> str:
    return f"{sum(not math.isinf(mark.high) for mark in marks.values())} of {len(marks)}" if marks else DASH


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _plain(value: float) -> str:
    return f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _millions(value: float) -> str:
    return f"{value / 1e6:#.3g}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"
