"""The open metrics line of a step: written when its updates are done, carried over a checkpoint."""

from __future__ import annotations

import itertools
import json

import pytest

from selfhint.core.errors import RunError
from selfhint.engines.recorder import StepRecorder
from selfhint.runlog import RunLog, read_lines
from support.episodes import problems
from support.visits import group, visit

HEAD = {"step": 1, "epoch": 0, "update": 0}
EFFORT = {"time/solve": 2.0, "time/hint": 1.0, "time/verify": 0.5, "completions/padding": 3, "tokens/padding": 30}


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Every look at the clock is ten seconds after the one before."""
    ticks = itertools.count(1000, 10)
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))


def recorder_in(folder, is_main=True):
    log = RunLog(folder)
    if is_main:
        log.start()
    return StepRecorder(log, is_main), log


def record(recorder, head=HEAD):
    recorder.record(head, {"reward/mean": 0.5}, [visit(problems(1)[0], group(0, "01"))], EFFORT)


def metrics(folder):
    return list(read_lines(folder / "metrics.jsonl"))


def test_what_is_no_number_ends_the_run_before_a_checkpoint_can_hold_it(tmp_path):
    recorder, _ = recorder_in(tmp_path)
    recorder.begin_step()
    record(recorder)
    recorder.average("entropy", 0.5)
    with pytest.raises(RunError, match=r"entropy became nan in step 1: the policy has diverged"):
        recorder.average("entropy", float("nan"))
    assert recorder.state_dict()["open_line"]["entropy"] == 0.5


def test_visits_are_written_at_once_and_the_line_when_the_step_is_closed(tmp_path):
    recorder, _ = recorder_in(tmp_path)
    recorder.begin_step()
    record(recorder)
    recorder.note("heldout/success", 0.25)
    assert len(list(read_lines(tmp_path / "groups.jsonl"))) == 1
    assert metrics(tmp_path) == []
    recorder.close_step()
    recorder.close_step()
    (line,) = metrics(tmp_path)
    assert line == {
        **HEAD,
        "reward/mean": 0.5,
        "heldout/success": 0.25,
        "completions/padding": 3,
        "tokens/padding": 30,
        "time/solve": 2.0,
        "time/hint": 1.0,
        "time/verify": 0.5,
        "time/step": 10.0,
        "time/update": 6.5,
    }


def test_a_new_step_closes_the_one_before(tmp_path):
    recorder, _ = recorder_in(tmp_path)
    for step in (1, 2):
        recorder.begin_step()
        record(recorder, {**HEAD, "step": step})
    assert [line["step"] for line in metrics(tmp_path)] == [1]


def test_a_note_without_an_open_line_goes_nowhere(tmp_path):
    recorder, _ = recorder_in(tmp_path)
    recorder.note("heldout/success", 1.0)
    recorder.close_step()
    assert metrics(tmp_path) == []


def test_a_mean_is_that_of_its_step_also_over_a_checkpoint(tmp_path):
    recorder, log = recorder_in(tmp_path)
    recorder.average("entropy", 5.0)
    for step, values in ((1, [1.0, 2.0]), (2, [4.0, 6.0])):
        recorder.begin_step()
        record(recorder, {**HEAD, "step": step})
        for value in values:
            recorder.average("entropy", value)
    state = json.loads(json.dumps(recorder.state_dict()))
    log.close()
    resumed = StepRecorder(RunLog(tmp_path), is_main=True)
    resumed.load_state_dict(state)
    resumed.average("entropy", 8.0)
    resumed.close_step()
    assert [line["entropy"] for line in metrics(tmp_path)] == [1.5, 6.0]


def test_other_processes_keep_the_line_and_write_nothing(tmp_path):
    recorder, _ = recorder_in(tmp_path, is_main=False)
    recorder.begin_step()
    record(recorder)
    assert recorder.state_dict()["open_line"]["step"] == 1
    recorder.close_step()
    assert list(tmp_path.iterdir()) == []


def test_a_resumed_step_goes_on_with_its_line_and_cuts_what_came_after_the_checkpoint(tmp_path):
    recorder, log = recorder_in(tmp_path)
    recorder.begin_step()
    record(recorder)
    state = recorder.state_dict()
    recorder.close_step()
    record(recorder, {**HEAD, "step": 2})
    log.close()

    resumed = StepRecorder(RunLog(tmp_path), is_main=True)
    resumed.load_state_dict(state)
    assert metrics(tmp_path) == []
    resumed.note("heldout/success", 0.75)
    resumed.close_step()
    (line,) = metrics(tmp_path)
    assert (line["step"], line["heldout/success"]) == (1, 0.75)
    assert len(list(read_lines(tmp_path / "groups.jsonl"))) == 1
    # Ten seconds until the checkpoint and ten after it, in the clocks of two processes.
    assert (line["time/step"], line["time/update"]) == (20.0, 16.5)
