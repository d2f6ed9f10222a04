"""A study as one HTML file that opens offline, made as the pages of `selfhint.report` are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from selfhint.report.figures import WINDOW
from selfhint.report.page import Chart, render, with_html, write_html
from selfhint.report.quantities import Quantity
from selfhint.report.summary import HELD_OUT_MARK
from selfhint.study import figures
from selfhint.study.compare import READING, DataSet, matrix, quantities
from selfhint.study.settings import settings

BANDS = (
    "Lines: means over seeds. Bands: 95 % intervals of the mean at each point (Student's t); up to "
    f"{figures.FEW} runs are thin lines instead."
)


@dataclass(frozen=True, slots=True)
class Part:
    """What the page shows of one data set."""

    name: str
    methods: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    matrix: tuple[Quantity, ...]
    settings: tuple[Quantity, ...]
    charts: tuple[Chart, ...]


def write_study_page(path: Path, title: str, note: str, missing: Sequence[str], data: Sequence[DataSet]) -> None:
    """Writes the page whole or not at all.

    Args:
        path: the HTML file.
        title: heading of the page.
        note: what the study shows and what it does not; plain text, line breaks are kept.
        missing: labels of the runs that the page lacks.
        data: the data sets, in order; at least one.

    Raises:
        InputError: the file cannot be written.
    """
    parts = [
        Part(one.name, tuple(one.results), quantities(one), matrix(one), settings(one), tuple(charts(one)))
        for one in data
    ]
    shown = [(part, with_html(part.charts, f"chart-{i}")) for i, part in enumerate(parts)]
    write_html(
        path,
        render(
            "selfhint.study",
            "study.html",
            title=title,
            note=note,
            missing=", ".join(missing),
            parts=shown,
            reading=READING,
            mark=HELD_OUT_MARK,
        ),
    )


def charts(data: DataSet) -> list[Chart]:
    """The charts of a data set, in order."""
    smooth = f"Mean of the last {WINDOW} steps. {BANDS}"
    where = f" ({data.name})"
    return [
        Chart(
            "Held-out success by step" + where,
            f"Problems never trained on, asked without hints. Dotted: {HELD_OUT_MARK}. {BANDS}",
            figures.held_out_by_step(data),
        ),
        Chart(
            "Held-out success by sampled tokens" + where,
            "Against its price: all tokens sampled in training, discarded groups and hints included. Each run is read "
            f"straight between its measurements; a line ends where the shortest of its runs does. {BANDS}",
            figures.held_out_by_tokens(data),
        ),
        Chart(
            f"Tokens until {HELD_OUT_MARK}" + where,
            "A mark for each run. Open triangle: the run ended there without reaching it. Bar: the median, where "
            "the runs that never reached it leave it settled.",
            figures.tokens_to_mark(data),
        ),
        Chart(
            "Problems without a signal" + where,
            "Problems none of whose groups in an update had differing rewards until the step that all runs reached. "
            "A mark for each run; "
            "bar: mean with its 95 % interval.",
            figures.never_signal(data),
        ),
        Chart(
            "Hinted problems by step" + where,
            f"Problems whose group in the update was drawn with a hint. {smooth}",
            figures.hinted_by_step(data),
        ),
        Chart(
            "Training reward" + where,
            f"Groups in the update, hinted ones included, so no measure of success without hints. {smooth}",
            figures.reward_by_step(data),
        ),
        Chart(
            "Entropy" + where,
            f"Of the policy's next token, on the completions in the update. {smooth}",
            figures.entropy_by_step(data),
        ),
        Chart(
            "Response length" + where,
            f"Of the completions in the update, the end token included. {smooth}",
            figures.length_by_step(data),
        ),
    ]
