"""Processes side by side: how they end, what is heard of it, and what a signal does."""

from __future__ import annotations

import os
import signal
import time
from itertools import pairwise

import pytest

from selfhint.core.errors import InputError
from selfhint.study.pool import log_file, run_all
from selfhint.study.spec import load_study
from support.pool_runs import by_method


class Heard:
    """Notes what it hears; sends the command a signal when the first run has begun, if told to."""

    def __init__(self, send=None):
        self.states, self.signals, self._send = {}, [], send

    def began(self, run):
        if self._send is not None and not self.states:
            (trace := run.folder.parent / f"began-{run.seed}").parent.mkdir(parents=True, exist_ok=True)
            while not trace.exists():
                time.sleep(0.05)
            os.kill(os.getpid(), self._send)

    def ended(self, outcome):
        self.states[outcome.run.label] = outcome

    def passed(self):
        pass

    def stopping(self, number):
        self.signals.append(number)


@pytest.fixture
def runs_of(tmp_path, monkeypatch):
    """The runs of a study whose methods are named after what shall happen."""
    monkeypatch.setenv("FOR_THE_RUN", "an environment of its own")
    monkeypatch.chdir(tmp_path)

    def make(*methods, seeds="1"):
        path = tmp_path / "pool.yaml"
        named = "".join(f"  {method}:\n" for method in methods)
        text = f"methods:\n{named}data: {{hard: }}\nseeds: {seeds}\nbaseline: {methods[0]}\nsteps: 1\n"
        path.write_text(text)
        return load_study(path, tmp_path / "out").runs

    return make


def test_one_run_that_fails_does_not_stop_the_others(runs_of, tmp_path):
    heard = Heard()
    outcomes = run_all(runs_of("fine", "refused", "broken", "killed", "last"), by_method, 2, heard)
    told = {outcome.run.method: (outcome.state, outcome.message) for outcome in outcomes}
    assert told["fine"] == told["last"] == ("done", "")
    assert told["refused"] == ("failed", "lr: -1 is not allowed; set it above 0")
    assert told["broken"] == ("failed", "ZeroDivisionError: a bug")
    state, message = told["killed"]
    assert (state, "without a word (SIGKILL); see " in message) == ("failed", True)
    assert list(heard.states.values()) == outcomes

    logs = {outcome.run.method: log_file(outcome.run).read_text() for outcome in outcomes}
    assert f"hard/fine/1 runs in {tmp_path} with an environment of its own" in logs["fine"]
    assert "to standard error" in logs["fine"]
    assert "by_method" in logs["broken"]
    assert logs["refused"].splitlines()[-1] == "lr: -1 is not allowed; set it above 0"


def test_no_more_than_so_many_at_a_time(runs_of):
    runs = runs_of("fine", seeds="1-4")
    run_all(runs, by_method, 1, Heard())
    times = [
        [float((run.folder.parent / f"{what}-{run.seed}").read_text()) for what in ("began", "ended")] for run in runs
    ]
    assert all(ended <= began for (_, ended), (began, _) in pairwise(sorted(times)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_passed_on_once_and_no_more_runs_begin(runs_of, number):
    usual = signal.getsignal(number)
    heard = Heard(send=number)
    outcomes = run_all(runs_of("waits", "fine"), by_method, 1, heard)
    assert [(outcome.run.method, outcome.state) for outcome in outcomes] == [("waits", "stopped")]
    assert heard.signals == [1]
    assert signal.getsignal(number) is usual


def test_a_log_that_cannot_be_written_is_named(runs_of, tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match=r"seed-1\.log: cannot be written"):
        run_all(runs_of("fine"), by_method, 1, Heard())
