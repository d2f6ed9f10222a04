"""What the charts draw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.report import figures, summarise
from selfhint.report.figures import LEVEL_COLOURS, RUN_COLOURS, WINDOW
from selfhint.report.summary import LEVELS
from support.runs import ONE_STEP, write_run


@pytest.fixture
def both(starved, fading):
    return [summarise(starved), summarise(fading)]


def drawn(figure):
    """Points of each trace by its name."""
    return {trace.name: list(zip(trace.x, trace.y, strict=True)) for trace in figure.data}


def notices(figure):
    return [annotation.text for annotation in figure.layout.annotations]


def test_held_out_success(both):
    assert drawn(figures.held_out_by_step(both)) == {
        "grpo": [(2, 0.0), (4, 0.0)],
        "sage": [(2, 0.5), (3, 0.95), (4, 1.0)],
    }
    assert drawn(figures.held_out_by_tokens(both)) == {
        "grpo": [(16, 0.0), (32, 0.0)],
        "sage": [(40, 0.5), (48, 0.95), (56, 1.0)],
    }


def test_a_run_without_measurements_has_no_line(both, tmp_path):
    unmeasured = summarise(write_run(tmp_path / "light", ONE_STEP))
    figure = figures.held_out_by_step([unmeasured, *both])
    assert set(drawn(figure)) == {"grpo", "sage"}
    assert notices(figure) == []
    assert notices(figures.held_out_by_step([unmeasured])) == ["no measurements"]


def test_hint_levels_are_stacked(both):
    figure = figures.hint_levels(both[1], last_step=4, most_visits=2)
    assert drawn(figure) == {
        "level 1": [(1, 0), (2, 2), (3, 0), (4, 0)],
        "level 2": [(1, 2), (2, 0), (3, 0), (4, 0)],
        "level 3": [(1, 0), (2, 0), (3, 0), (4, 0)],
    }
    assert {trace.stackgroup for trace in figure.data} == {"levels"}
    assert notices(figure) == []


def test_a_run_without_hints_says_so(both):
    assert notices(figures.hint_levels(both[0], last_step=4, most_visits=2)) == ["no hinted problems"]


def test_groups_without_signal(both):
    assert drawn(figures.no_signal_share(both)) == {
        "grpo": [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)],
        "grpo: all correct": [(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0)],
        "sage": [(1, 0.0), (2, 1 / 4), (3, 1 / 6), (4, 3 / 8)],
        "sage: all correct": [(1, 0.0), (2, 1 / 4), (3, 1 / 6), (4, 3 / 8)],
    }


def test_training_reward_leaves_out_what_could_not_be_scored(tmp_path):
    steps = [{0: ["????"]}, {0: ["1000"]}, {0: ["????"]}, {0: ["1110"]}]
    figure = figures.training_reward([summarise(write_run(tmp_path / "run", steps))])
    assert drawn(figure) == {"run": [(1, None), (2, 0.25), (3, 0.25), (4, 0.5)]}


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=40))
def test_the_running_share_is_that_of_the_last_steps(steps):
    shares = figures.running_share([part for part, _ in steps], [part + rest for part, rest in steps])
    expected = []
    for i in range(len(steps)):
        last = steps[max(0, i - WINDOW + 1) : i + 1]
        part, whole = sum(part for part, _ in last), sum(map(sum, last))
        expected.append(part / whole if whole else None)
    assert shares == expected


def test_one_step_can_be_seen(tmp_path):
    one = summarise(write_run(tmp_path, ONE_STEP))
    for figure in (figures.training_reward([one]), figures.hint_levels(one, 1, 1), figures.no_signal_share([one])):
        assert figure.data[0].mode == "markers"


def test_axes_are_titled(both):
    made = [
        figures.held_out_by_step(both),
        figures.held_out_by_tokens(both),
        figures.hint_levels(both[0], 4, 2),
        figures.no_signal_share(both),
        figures.training_reward(both),
    ]
    x_titles = [figure.layout.xaxis.title.text for figure in made]
    assert x_titles == ["generation step", "sampled tokens", *["generation step"] * 3]
    assert len({figure.layout.yaxis.title.text for figure in made}) == 4


def test_many_runs_never_look_alike(tmp_path):
    runs = [summarise(write_run(tmp_path / str(i), ONE_STEP, held_out={1: 0.5})) for i in range(12)]
    looks = [(t.line.color, t.line.dash) for t in figures.held_out_by_step(runs).data]
    assert len(set(looks)) == len(runs)


def test_a_name_is_no_markup(tmp_path):
    """Plotly takes tags in a name for markup."""
    run = summarise(write_run(tmp_path / '<b>"x" & y', ONE_STEP))
    assert figures.training_reward([run]).data[0].name == '&lt;b&gt;"x" &amp; y'


def luminance(colour):
    """Relative luminance of a hexadecimal colour (WCAG 2.2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", RUN_COLOURS)
def test_lines_stand_out_from_white(colour):
    assert 1.05 / (luminance(colour) + 0.05) >= 3.5


def test_a_stronger_level_is_darker():
    shades = [luminance(LEVEL_COLOURS[level]) for level in LEVELS]
    assert shades == sorted(shades, reverse=True)
