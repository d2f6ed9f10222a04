"""The page's charts. Colour never stands alone: runs differ in dash and marker too, levels in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

from selfhint.report.summary import HELD_OUT_MARK, LEVELS, Measurement, RunSummary

RUN_COLOURS = ("#0072B2", "#D55E00", "#007F5C", "#AA3377", "#555555")
"""Told apart with the common kinds of colour blindness; at least 3.5 : 1 against white."""
RUN_DASHES = ("solid", "dash", "dot", "dashdot")
RUN_MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star")
LEVEL_COLOURS = {1: "#9ECAE1", 2: "#4292C6", 3: "#08306B"}
"""Darker reveals more."""

WINDOW = 10
"""Steps averaged in the curves that jump from step to step."""

STEP = "generation step"
TOKENS = "sampled tokens"


def held_out_by_step(summaries: Sequence[RunSummary]) -> Any:
    """Held-out success without hints against steps."""
    return _held_out(summaries, STEP, lambda measured: measured.step)


def held_out_by_tokens(summaries: Sequence[RunSummary]) -> Any:
    """Held-out success without hints against sampled tokens."""
    return _held_out(summaries, TOKENS, lambda measured: measured.tokens)


def hint_levels(summary: RunSummary, last_step: int, most_visits: int) -> Any:
    """Hinted visits of one run, a layer for each level.

    Args:
        summary: the run.
        last_step, most_visits: ends of the axes, the same for all runs of a page.
    """
    curves = summary.curves
    figure = new_figure(STEP, "hinted problems in the step")
    figure.update_xaxes(range=[0, last_step])
    figure.update_yaxes(range=[0, most_visits * 1.03])
    for level in LEVELS:
        figure.add_scatter(
            x=curves.steps,
            y=curves.hinted[level - 1],
            name=f"level {level}",
            mode=line_mode(len(curves.steps)),
            stackgroup="levels",
            line={"width": 0.5, "color": LEVEL_COLOURS[level]},
            fillcolor=LEVEL_COLOURS[level],
        )
    if not any(map(any, curves.hinted)):
        add_notice(figure, "no hinted problems")
    return figure


def no_signal_share(summaries: Sequence[RunSummary]) -> Any:
    """Share of groups whose rewards are all equal, and of those that are all correct; running means."""
    figure = new_figure(STEP, "share of groups (0 to 1)", is_share=True)
    for i, summary in enumerate(summaries):
        curves, name = summary.curves, label(summary.name)
        figure.add_scatter(
            x=curves.steps,
            y=running_share(curves.no_signal, curves.visits),
            name=name,
            mode=line_mode(len(curves.steps)),
            line=run_line(i),
        )
        figure.add_scatter(
            x=curves.steps,
            y=running_share(curves.all_correct, curves.visits),
            name=f"{name}: all correct",
            mode="lines",
            line={"width": 0, "color": run_colour(i)},
            fill="tozeroy",
            opacity=0.3,
            showlegend=False,
        )
    return figure


def training_reward(summaries: Sequence[RunSummary]) -> Any:
    """Mean reward of the groups that entered the update; running means."""
    figure = new_figure(STEP, "mean reward")
    for i, summary in enumerate(summaries):
        curves = summary.curves
        figure.add_scatter(
            x=curves.steps,
            y=running_mean(curves.rewards),
            name=label(summary.name),
            mode=line_mode(len(curves.steps)),
            line=run_line(i),
        )
    return figure


def new_figure(x_title: str, y_title: str, *, is_share: bool = False) -> Any:
    """An empty figure in the page's style.

    Args:
        is_share: y goes from 0 to 1.
    """
    figure = go.Figure()
    figure.update_layout(
        template="plotly_white",
        font={"family": "system-ui, sans-serif", "size": 14, "color": "#222222"},
        margin={"l": 10, "r": 40, "t": 10, "b": 10},
        modebar={"orientation": "v"},  # beside the plot, clear of the legend
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        showlegend=True,
        hovermode="x unified",
        dragmode=False,  # a finger that scrolls the page must not zoom a chart
    )
    figure.update_xaxes(title={"text": x_title, "font": {"size": 14}}, rangemode="tozero", automargin=True)
    figure.update_yaxes(
        title={"text": y_title, "font": {"size": 14}}, rangemode="tozero", automargin=True, ticklabelstandoff=4
    )
    if is_share:
        figure.update_yaxes(range=[-0.03, 1.03])
    return figure


def held_out_figure(x_title: str) -> Any:
    """An empty figure for held-out success, with its mark."""
    figure = new_figure(x_title, "held-out success (share, 0 to 1)", is_share=True)
    figure.add_hline(y=HELD_OUT_MARK, line={"width": 1, "dash": "dot", "color": "#777777"})
    return figure


def _held_out(summaries: Sequence[RunSummary], x_title: str, x: Callable[[Measurement], int]) -> Any:
    figure = held_out_figure(x_title)
    for i, summary in enumerate(summaries):
        if summary.held_out:
            figure.add_scatter(
                x=[x(measured) for measured in summary.held_out],
                y=[measured.success for measured in summary.held_out],
                name=label(summary.name),
                mode="lines+markers",
                line=run_line(i),
                marker={"symbol": RUN_MARKERS[i % len(RUN_MARKERS)], "size": 7},
            )
    if not figure.data:
        add_notice(figure, "no measurements")
    return figure


def add_notice(figure: Any, text: str) -> None:
    """Words where there is nothing to draw."""
    figure.add_annotation(text=text, showarrow=False, xref="paper", yref="paper", x=0.5, y=0.5)


def label(name: str) -> str:
    """A name as plotly's text wants it, which takes tags for markup but leaves `&quot;` as it is."""
    return escape(name, quote=False)


def run_colour(i: int) -> str:
    """Colour of the i-th run."""
    return RUN_COLOURS[i % len(RUN_COLOURS)]


def run_line(i: int) -> dict[str, Any]:
    """Line of the i-th run; 20 of them differ."""
    return {"width": 2, "color": run_colour(i), "dash": RUN_DASHES[i % len(RUN_DASHES)]}


def line_mode(num_points: int) -> str:
    """Plotly's mode: a line through one point shows nothing."""
    return "lines" if num_points > 1 else "markers"


def running_share(parts: Sequence[int], wholes: Sequence[int]) -> list[float | None]:
    """Parts over wholes of the last `WINDOW` steps; None where there is no whole."""
    sums = [(sum(parts[w]), sum(wholes[w])) for w in _windows(len(parts))]
    return [part / whole if whole else None for part, whole in sums]


def running_mean(values: Sequence[float | None]) -> list[float | None]:
    """Mean of the last `WINDOW` steps' values; None where there is none."""
    known = [[v for v in values[w] if v is not None] for w in _windows(len(values))]
    return [sum(window) / len(window) if window else None for window in known]


def _windows(num_steps: int) -> list[slice]:
    """For each step, the last `WINDOW` steps until it; fewer at the beginning."""
    return [slice(max(0, end - WINDOW), end) for end in range(1, num_steps + 1)]
