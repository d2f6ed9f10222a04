"""The page of a study: its charts' data, and a file that is whole and self-contained."""

from __future__ import annotations

import pytest

from selfhint.report import page as report_page
from selfhint.study import figures
from selfhint.study.compare import by_data, quantities
from selfhint.study.page import charts, write_study_page


@pytest.fixture
def data(results):
    (found,) = by_data(results, ["grpo", "ladder"], "grpo")
    return found


def lines(figure):
    """Name → (x, y) of the traces that the legend shows."""
    return {trace.name: (list(trace.x), list(trace.y)) for trace in figure.data if trace.name}


def test_few_runs_are_shown_one_by_one(data):
    figure = figures.held_out_by_step(data)
    assert not [trace for trace in figure.data if trace.fill == "toself"]
    runs = [trace for trace in figure.data if trace.legendgroup == "ladder" and not trace.name]
    assert [(list(run.x), list(run.y)) for run in runs] == [([2, 4], [0.5, 1.0])] * 2 + [([2, 4], [0.0, 0.25])]
    assert lines(figure)["ladder"] == ([2, 4], [0.33333, 0.75])


def test_means_and_bands_by_step(data, monkeypatch):
    monkeypatch.setattr(figures, "FEW", 2)
    figure = figures.held_out_by_step(data)
    assert lines(figure) == {"grpo": ([2, 4], [0.0, 0.25]), "ladder": ([2, 4], [0.33333, 0.75])}
    (band,) = [trace for trace in figure.data if trace.fill == "toself" and trace.legendgroup == "ladder"]
    assert list(band.x) == [2, 4, 4, 2]
    assert list(band.y) == [1.0, 1.0, 0.0, 0.0]


def test_by_tokens_a_line_ends_where_its_shortest_run_does(data):
    xs, ys = lines(figures.held_out_by_tokens(data))["ladder"]
    assert (xs[0], xs[-1], len(xs)) == (20, 32, figures.NUM_GRID)
    assert (ys[0], ys[-1]) == (0.33333, 0.75)
    assert sorted(ys) == ys


def test_runs_that_never_arrived_are_open_triangles(data):
    dots = [trace for trace in figures.tokens_to_mark(data).data if trace.marker.symbol != "line-ns-open"]
    shown = {(trace.y[0], trace.marker.symbol): list(trace.x) for trace in dots}
    assert shown == {
        ("grpo", "triangle-right-open"): [32, 32, 32],
        ("ladder", "square"): [32, 32],
        ("ladder", "triangle-right-open"): [32],
    }


def test_a_curve_without_values_says_so(data):
    figure = figures.entropy_by_step(data)
    assert not figure.data
    assert figure.layout.annotations[0].text == "no measurements"
    assert lines(figures.length_by_step(data))["grpo"] == ([1, 2, 3, 4], [1.0] * 4)
    assert lines(figures.hinted_by_step(data))["ladder"][1][0] == 1.0


def test_the_page(data, tmp_path, monkeypatch):
    monkeypatch.setattr(report_page, "get_plotlyjs", lambda: "/* plotly */")
    path = tmp_path / "new" / "study.html"
    write_study_page(path, "A <study>", "It shows.", ["hard/grpo/4"], [data, data])
    html = path.read_text("utf-8")
    assert "A &lt;study&gt;" in html
    assert "hard/grpo/4" in html
    for quantity in quantities(data):
        assert quantity.label in html
    for i in range(len(charts(data))):
        assert html.count(f'id="chart-0-{i}"') == html.count(f'id="chart-1-{i}"') == 1
    assert "src=" not in html
    assert "https://" not in html
    assert [one.name for one in path.parent.iterdir()] == ["study.html"]
