"""A killed run goes on from its last checkpoint and ends like one that was left alone."""

from __future__ import annotations

import shutil

import pytest
from verl_support import riddle_run
from verl_support.ends import assert_same_end

pytestmark = [pytest.mark.verl]
SLOW = 0.4
"""Seconds that a rollout request waits, so that a step can be caught in its middle."""


def saved(folder):
    path = folder / "checkpoints" / "latest_checkpointed_iteration.txt"
    return int(path.read_text() or 0) if path.exists() else 0


def in_step(number, folder):
    """Whether step `number` is under way: the one before is saved, and requests of this one were answered."""
    return lambda run: saved(folder) == number - 1 and any(line["step"] == number - 1 for line in run.requests())


def test_kill_of_the_driver_in_mid_step(ladder, tmp_path):
    with riddle_run.start(tmp_path, "sage", delay=SLOW) as run:
        run.wait_for(in_step(3, tmp_path))
        run.kill()
        assert run.finish().returncode == -9
    assert [line["step"] for line in riddle_run.lines(tmp_path, "metrics.jsonl")] == [1, 2]
    with riddle_run.start(tmp_path, "sage") as run:
        done = run.finish()
    assert done.returncode == 0, done.output
    assert sorted(done.metrics) == [3]
    assert riddle_run.differences(done)[0] <= 1e-4
    assert_same_end(tmp_path, ladder)


def test_death_of_an_agent_loop_worker_in_mid_step_costs_nothing(ladder, tmp_path):
    workers = "actor_rollout_ref.rollout.agent.num_workers=2"
    with riddle_run.start(tmp_path, "sage", workers, delay=SLOW) as run:
        run.wait_for(in_step(2, tmp_path))
        victims = run.pids("AgentLoopWorker")  # a busy one carries the name of the class below ours
        assert len(victims) == 2
        run.kill_process(victims[0])
        done = run.finish()
    assert done.returncode == 0, done.output
    assert "its unfinished visits are run again" in done.output
    assert_same_end(tmp_path, ladder)


def test_death_of_a_rollout_server_ends_the_run_and_the_next_goes_on(ladder, tmp_path):
    with riddle_run.start(tmp_path, "sage", delay=SLOW) as run:
        run.wait_for(in_step(2, tmp_path))
        run.kill_process(run.pids("HFServer")[0])
        done = run.finish()
    assert done.returncode == 3, done.output
    assert riddle_run.message(done)
    shutil.copytree(tmp_path / "checkpoints", tmp_path / "before")
    with riddle_run.start(tmp_path, "sage") as run:
        done = run.finish()
    assert done.returncode == 0, done.output
    assert_same_end(tmp_path, ladder)


@pytest.mark.parametrize("change", ["selfhint.method=sage-light", "actor_rollout_ref.rollout.n=2"])
def test_a_resume_with_another_method_or_group_is_refused(change, ladder, tmp_path):
    shutil.copytree(ladder / "checkpoints", tmp_path / "checkpoints")
    with riddle_run.start(tmp_path, "sage", change) as run:
        done = run.finish()
    assert done.returncode == 2, done.output
    assert "was written with" in riddle_run.message(done)
