"""Lines and bars of a running study."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from selfhint.cli.rundir import CHECKPOINTS
from selfhint.cli.study_progress import STOPPING, StudyProgress, steps_kept
from selfhint.engines.trl.checkpoint import mark_complete, write_state
from selfhint.runlog import METRICS
from selfhint.study.pool import Outcome
from selfhint.study.spec import load_study


@pytest.fixture
def runs(tmp_path):
    """Three runs of 10 steps, of which the first has logged 5 and kept 4 in a checkpoint."""
    path = tmp_path / "s.yaml"
    path.write_text("methods: {a: , b: , c: }\ndata: {d: }\nseeds: 1\nbaseline: a\nsteps: 10\n")
    runs = load_study(path, tmp_path / "out").runs
    checkpoint = runs[0].folder / CHECKPOINTS / "checkpoint-4"
    checkpoint.mkdir(parents=True)
    write_state(checkpoint, {"generation_step": 4})
    mark_complete(checkpoint)
    (runs[0].folder / METRICS).write_text("{}\n" * 5)
    return runs


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_the_time_left_is_that_of_the_steps_left_at_the_speed_of_this_call(runs, clock):
    text = io.StringIO()
    with StudyProgress(runs, 0, runs, Console(file=text, width=200)) as progress:
        progress.began(runs[0])
        clock[0] += 60
        progress.passed()
        progress.ended(Outcome(runs[0], "done", "", 60.0))
        progress.began(runs[1])
        clock[0] += 40
        progress.ended(Outcome(runs[1], "failed", "no such file", 40.0))
        progress.stopping(1)
    assert text.getvalue().splitlines() == [
        "1/3  d/a/1 done in 0:01:00  left 0:03:20",  # 6 steps in 60 seconds, 20 to go
        "1/3  d/b/1 failed in 0:00:40: no such file  left 0:02:47",  # the failed run's steps are not counted any more
        STOPPING[0],
    ]


def test_steps_of_the_other_runs_under_way_count_where_there_is_no_terminal(runs, clock):
    text = io.StringIO()
    with StudyProgress(runs, 0, runs, Console(file=text, width=200)) as progress:
        progress.began(runs[0])
        progress.began(runs[1])
        clock[0] += 60
        runs[1].folder.mkdir(parents=True)
        (runs[1].folder / METRICS).write_text("{}\n" * 9)
        progress.ended(Outcome(runs[0], "done", "", 60.0))
    assert text.getvalue() == "1/3  d/a/1 done in 0:01:00  left 0:00:44\n"  # 15 steps in 60 seconds, 11 to go


def test_only_a_complete_checkpoint_keeps_steps(runs):
    assert [steps_kept(run) for run in runs] == [4, 0, 0]
    (runs[0].folder / CHECKPOINTS / "checkpoint-4" / "selfhint_complete").unlink()
    assert steps_kept(runs[0]) == 0


def test_on_a_terminal_the_runs_under_way_have_bars(runs, clock):
    text = io.StringIO()
    with StudyProgress(runs, 0, runs, Console(file=text, width=120, force_terminal=True)) as progress:
        progress.began(runs[0])
        (runs[0].folder / METRICS).write_text("{}\n" * 7)
        clock[0] += 30
        progress.passed()
    shown = text.getvalue()
    assert "left 0:03:50" in shown  # 3 steps in 30 seconds, 23 to go
    for part in ("runs", "0/3", "d/a/1", "7/10"):
        assert part in shown
