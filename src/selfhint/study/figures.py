"""The charts of a study's page: mean curves over seeds with bands or the runs themselves, and one dot a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfhint.report.figures import (
    RUN_MARKERS,
    STEP,
    TOKENS,
    add_notice,
    held_out_figure,
    label,
    line_mode,
    new_figure,
    run_colour,
    run_line,
    running_mean,
    running_share,
)
from selfhint.report.summary import Measurement, RunSummary
from selfhint.study.compare import DataSet, share_without
from selfhint.study.statistics import Band, band_of, interpolated, mean_interval, median_of

NUM_GRID = 60
"""Points of a curve against tokens, where every run was measured somewhere else."""
BAND_OPACITY = 0.15

FEW = 4
"""Up to so many runs each has a thin line of its own: a band over them shows little but its own width."""

Curve = Callable[[RunSummary], Sequence[float | None]]
Line = tuple[Sequence[float], Sequence[float]]
"""One run's x and y."""


def held_out_by_step(data: DataSet) -> Any:
    """Held-out success without hints against steps."""
    return _drawn(held_out_figure(STEP), _held_out(data, lambda measured: measured.step), _where_all_are, _share)


def held_out_by_tokens(data: DataSet) -> Any:
    """Held-out success without hints against sampled tokens, as far as all runs of a method go."""
    return _drawn(held_out_figure(TOKENS), _held_out(data, lambda measured: measured.tokens), _on_a_grid, _share)


def hinted_by_step(data: DataSet) -> Any:
    """Share of a step's problems whose group in the update was drawn with a hint; running means."""

    def hinted(summary: RunSummary) -> Sequence[float | None]:
        of_step = [sum(levels) for levels in zip(*summary.curves.hinted, strict=True)]
        return running_share(of_step, summary.curves.visits)

    return _by_step(data, new_figure(STEP, "hinted problems (share, 0 to 1)", is_share=True), hinted, _share)


def entropy_by_step(data: DataSet) -> Any:
    """Mean entropy of the policy's next token; running means."""
    figure = new_figure(STEP, "entropy of the next token (nats)")
    return _by_step(data, figure, lambda summary: running_mean(summary.curves.entropies), _above_zero)


def length_by_step(data: DataSet) -> Any:
    """Mean tokens of a completion in the update; running means."""
    figure = new_figure(STEP, "tokens of a completion")
    return _by_step(data, figure, lambda summary: running_mean(summary.curves.lengths), _above_zero)


def reward_by_step(data: DataSet) -> Any:
    """Mean reward of the groups in the update; running means."""
    figure = new_figure(STEP, "mean reward (0 to 1)", is_share=True)
    return _by_step(data, figure, lambda summary: running_mean(summary.curves.rewards), _share)


def tokens_to_mark(data: DataSet) -> Any:
    """Tokens until the mark: a dot a run, an open triangle at the end of one that never got there, a bar the median."""
    figure = new_figure(TOKENS, "")
    for i, method in enumerate(data.results):
        marks = list(data.tokens_to_mark(method).values())
        reached = [mark.low for mark in marks if not math.isinf(mark.high)]
        _dots(figure, i, method, reached, RUN_MARKERS[i % len(RUN_MARKERS)])
        _dots(figure, i, method, [mark.low for mark in marks if math.isinf(mark.high)], "triangle-right-open")
        middle = median_of(marks)
        if middle is not None and middle.low == middle.high:
            _bar(figure, i, method, middle.low)
    return _rows(figure)


def never_signal(data: DataSet) -> Any:
    """Share of problems without a signal until the step that all runs reached: a dot a run, a bar the mean."""
    figure = new_figure("share of the problems seen (0 to 1)", "")
    for i, method in enumerate(data.results):
        shares = list(data.values(method, share_without("signal", data.equal.step)).values())
        _dots(figure, i, method, shares, RUN_MARKERS[i % len(RUN_MARKERS)])
        mean = mean_interval(shares)
        if mean.value is not None:
            half = None if mean.high is None else [mean.high - mean.value]
            _bar(figure, i, method, mean.value, half)
    figure.update_xaxes(range=[-0.03, 1.03])
    return _rows(figure)


def _held_out(data: DataSet, place: Callable[[Measurement], float]) -> dict[str, list[Line]]:
    return {
        method: [
            ([place(m) for m in result.summary.held_out], [m.success for m in result.summary.held_out])
            for result in runs.values()
            if result.summary.held_out
        ]
        for method, runs in data.results.items()
    }


def _by_step(data: DataSet, figure: Any, curve: Curve, keep: Callable[[float], float]) -> Any:
    lines: dict[str, list[Line]] = {}
    for method, runs in data.results.items():
        for result in runs.values():
            values = zip(result.summary.curves.steps, curve(result.summary), strict=True)
            known = [(step, value) for step, value in values if value is not None]
            if known:
                lines.setdefault(method, []).append(([step for step, _ in known], [value for _, value in known]))
    return _drawn(figure, {method: lines.get(method, []) for method in data.results}, _where_all_are, keep)


def _where_all_are(lines: Sequence[Line]) -> dict[float, list[float]]:
    """Only where every run has a value, so that a curve never changes because a run drops out."""
    points: dict[float, list[float]] = {}
    for xs, ys in lines:
        for x, y in zip(xs, ys, strict=True):
            points.setdefault(x, []).append(y)
    most = max(map(len, points.values()), default=0)
    return {x: values for x, values in points.items() if len(values) == most}


def _on_a_grid(lines: Sequence[Line]) -> dict[float, list[float]]:
    """Each line's values at the same places, from where the last one begins to where the first one ends."""
    if not lines:
        return {}
    first, last = max(xs[0] for xs, _ in lines), min(xs[-1] for xs, _ in lines)
    places = [first + (last - first) * i / (NUM_GRID - 1) for i in range(NUM_GRID)] if last > first else []
    values = {x: [interpolated(xs, ys, x) for xs, ys in lines] for x in places}
    return {x: [y for y in ys if y is not None] for x, ys in values.items()}


def _drawn(
    figure: Any,
    lines: Mapping[str, Sequence[Line]],
    at: Callable[[Sequence[Line]], Mapping[float, Sequence[float]]],
    keep: Callable[[float], float],
) -> Any:
    """Means over a method's runs, before bands, or before the runs themselves where they are few."""
    bands = {name: band_of(at(of_runs), keep) for name, of_runs in lines.items()}
    for i, (name, band) in enumerate(bands.items()):
        if len(lines[name]) > FEW and band.xs:
            _fill(figure, i, name, band)
        for xs, ys in lines[name] if 1 < len(lines[name]) <= FEW else ():
            figure.add_scatter(
                x=list(xs),
                y=_rounded(ys),
                mode=line_mode(len(xs)),
                line=run_line(i) | {"width": 1},
                opacity=0.5,
                hoverinfo="skip",
                legendgroup=name,
                showlegend=False,
            )
    for i, (name, band) in enumerate(bands.items()):
        if band.xs:
            figure.add_scatter(
                x=band.xs,
                y=_rounded(band.mean),
                name=label(name),
                mode=line_mode(len(band.xs)),
                line=run_line(i),
                legendgroup=name,
            )
    if not figure.data:
        add_notice(figure, "no measurements")
    return figure


def _fill(figure: Any, i: int, name: str, band: Band) -> None:
    figure.add_scatter(
        x=[*band.xs, *reversed(band.xs)],
        y=[*_rounded(band.high), *reversed(_rounded(band.low))],
        fill="toself",
        fillcolor=_pale(run_colour(i)),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        legendgroup=name,
        showlegend=False,
    )


def _dots(figure: Any, i: int, method: str, values: Sequence[float], symbol: str) -> None:
    if values:
        marker = {"symbol": symbol, "size": 8, "color": run_colour(i), "opacity": 0.7}
        figure.add_scatter(x=values, y=[label(method)] * len(values), mode="markers", marker=marker, showlegend=False)


def _bar(figure: Any, i: int, method: str, value: float, half: Sequence[float] | None = None) -> None:
    figure.add_scatter(
        x=[value],
        y=[label(method)],
        error_x=None if half is None else {"type": "data", "array": half, "color": run_colour(i)},
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 22, "color": run_colour(i), "line": {"width": 3}},
        showlegend=False,
    )


def _rows(figure: Any) -> Any:
    """One row a method, the first one on top."""
    if not figure.data:
        add_notice(figure, "no measurements")
    figure.update_yaxes(autorange="reversed", type="category")
    figure.update_layout(hovermode="closest")
    return figure


def _pale(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {BAND_OPACITY})"


def _rounded(values: Sequence[float]) -> list[float]:
    """Five digits are more than a screen shows, and a third of the file."""
    return [float(f"{value:.5g}") for value in values]


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def _above_zero(value: float) -> float:
    return max(0.0, value)
