"""The comparison as one HTML file that opens offline."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from plotly.offline import get_plotlyjs

from selfhint.core.errors import InputError
from selfhint.report import figures
from selfhint.report.quantities import READING, comparable, quantities
from selfhint.report.summary import HELD_OUT_MARK, RunSummary

CHART_CONFIG = {
    "responsive": True,
    "displaylogo": False,
    "modeBarButtons": [["toImage", "zoom2d", "pan2d", "resetScale2d"]],  # plotly's own choice offers an upload
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure and what stands around it. `caption` says how to read it."""

    title: str
    caption: str
    figure: Any


def write_page(path: Path, title: str, note: str, summaries: Sequence[RunSummary]) -> None:
    """Writes the page whole or not at all.

    Args:
        path: the HTML file; its folder is made if it is missing.
        title: heading of the page.
        note: what the runs show and what they do not; plain text, line breaks are kept.
        summaries: the runs, in the order in which they are to stand.

    Raises:
        InputError: there is no run, one is given twice, or the file cannot be written.
    """
    write_html(path, render_page(title, note, summaries))


def write_html(path: Path, text: str) -> None:
    """Writes a page whole or not at all; see `write_page`."""
    partial = path.parent / f"{path.name}.partial"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(text.encode("utf-8", "backslashreplace"))
        os.replace(partial, path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputError(f"{path}: cannot write the page ({error.strerror}); choose another file") from error


def render_page(title: str, note: str, summaries: Sequence[RunSummary]) -> str:
    """The page's HTML; see `write_page`."""
    summaries = comparable(summaries)
    return render(
        "selfhint.report",
        "page.html",
        title=title,
        note=note,
        names=[summary.name for summary in summaries],
        quantities=quantities(summaries),
        reading=READING,
        charts=with_html(charts(summaries), "chart"),
    )


def render(package: str, template: str, **values: Any) -> str:
    """A page's HTML.

    Args:
        package: whose folder `templates` has the template; it may extend those of this package.
        values: what the template names.
    """
    templates = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("selfhint.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template(template).render(plotly_js=get_plotlyjs(), **values)


def with_html(charts: Sequence[Chart], prefix: str) -> list[tuple[Chart, str]]:
    """Each chart with its HTML.

    Args:
        prefix: of the ids of their elements.
    """
    return [(chart, _html(chart, f"{prefix}-{i}")) for i, chart in enumerate(charts)]


def charts(summaries: Sequence[RunSummary]) -> list[Chart]:
    """The page's charts, in order."""
    unmeasured = [summary.name for summary in summaries if not summary.held_out]
    gap = f" No measurements: {', '.join(unmeasured)}." if unmeasured else ""
    last_step = max(summary.last_step for summary in summaries)
    most_visits = max(max(summary.curves.visits) for summary in summaries)
    return [
        Chart(
            "Held-out success by step",
            f"Problems never trained on, asked without hints. Dotted: {HELD_OUT_MARK}, the mark of the table.{gap}",
            figures.held_out_by_step(summaries),
        ),
        Chart(
            "Held-out success by sampled tokens",
            f"Against its price: all tokens sampled in training, discarded groups and hints included.{gap}",
            figures.held_out_by_tokens(summaries),
        ),
        *(
            Chart(
                f"Hints by level: {summary.name}",
                "Problems whose group in the update was drawn with a hint; a higher level reveals more.",
                figures.hint_levels(summary, last_step, most_visits),
            )
            for summary in summaries
        ),
        Chart(
            "Groups without signal",
            "All rewards of such a group are equal, so it teaches nothing: "
            f"all wrong, or all correct (shaded in the run's colour). Mean of the last {figures.WINDOW} steps.",
            figures.no_signal_share(summaries),
        ),
        Chart(
            "Training reward",
            "Groups that entered the update, hinted ones included, so no measure of success without hints. "
            f"Mean of the last {figures.WINDOW} steps.",
            figures.training_reward(summaries),
        ),
    ]


def _html(chart: Chart, div_id: str) -> str:
    html: str = chart.figure.to_html(
        full_html=False, include_plotlyjs=False, div_id=div_id, config=CHART_CONFIG, default_height="100%"
    )
    return html
