"""Processes side by side: how they end, what is heard of it, and what a signal does."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from itertools import pairwise
from multiprocessing import forkserver
from pathlib import Path

import pytest

from selfhint.core.errors import InputError
from selfhint.study import pool
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


# The log


def states_and_messages(outcomes):
    return {outcome.run.method: (outcome.state, outcome.message) for outcome in outcomes}


def test_a_run_whose_log_is_a_folder_fails_alone(runs_of):
    runs = runs_of("fine", "last")
    log_file(runs[0]).mkdir(parents=True)
    told = states_and_messages(run_all(runs, by_method, 1, Heard()))
    mend = "move it away, then repeat the command"
    assert told["fine"] == ("failed", f"{log_file(runs[0])}: cannot be written (Is a directory); {mend}")
    assert told["last"] == ("done", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="stands for a full disk")
def test_a_log_on_a_full_disk_does_not_swallow_the_outcome(runs_of):
    runs = runs_of("broken")
    log_file(runs[0]).parent.mkdir(parents=True)
    log_file(runs[0]).symlink_to("/dev/full")
    (outcome,) = run_all(runs, by_method, 1, Heard())
    assert (outcome.state, outcome.message) == ("failed", "OSError: [Errno 28] No space left on device")


def test_a_run_that_another_process_runs_is_left_to_it(runs_of):
    runs = runs_of("fine")
    log_file(runs[0]).parent.mkdir(parents=True)
    with open(log_file(runs[0]), "ab") as theirs:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        (outcome,) = run_all(runs, by_method, 1, Heard())
    said = f"{runs[0].folder}: another process is running this run; wait for it, then repeat the command"
    assert (outcome.state, outcome.message) == ("failed", said)
    assert log_file(runs[0]).read_bytes() == b""
    assert [outcome.state for outcome in run_all(runs, by_method, 1, Heard())] == ["done"]


# The server


def end_server(number=signal.SIGKILL):
    pid = forkserver._forkserver._forkserver_pid
    if pid is not None:
        os.kill(pid, number)
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


@pytest.fixture
def loads(monkeypatch):
    """Has a server of its own load these modules."""
    end_server()
    yield lambda *modules: monkeypatch.setattr(pool, "PRELOADED", modules)
    end_server()


def test_a_server_that_died_is_replaced_by_one_like_it(runs_of, loads):
    class Ends(Heard):
        def began(self, run):
            server = forkserver._forkserver._forkserver_pid
            environments.append(Path(f"/proc/{server}/environ").read_bytes().split(b"\0"))

        def ended(self, outcome):
            super().ended(outcome)
            end_server()

    environments: list[list[bytes]] = []
    loads("json")
    outcomes = run_all(runs_of("fine", seeds="1-2"), by_method, 1, Ends())
    assert [outcome.state for outcome in outcomes] == ["done", "done"]
    assert all(b"OMP_NUM_THREADS=1" in environment for environment in environments)
    assert len(environments) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_all_while_the_server_loads_stops_the_study(runs_of, loads, tmp_path, monkeypatch, capfd, number):
    """As Ctrl-C in a terminal and `timeout` send it: to the command and to its server."""
    loading = tmp_path / "loading"
    (tmp_path / "slow_to_load.py").write_text(f"import time\nopen({str(loading)!r}, 'w')\ntime.sleep(1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    loads("slow_to_load")

    def send():
        while not loading.exists():
            time.sleep(0.02)
        os.kill(forkserver._forkserver._forkserver_pid, number)
        os.kill(os.getpid(), number)

    sender = threading.Thread(target=send)
    sender.start()
    heard = Heard()
    outcomes = run_all(runs_of("waits", "fine"), by_method, 1, heard)
    sender.join()
    assert [(outcome.run.method, outcome.state) for outcome in outcomes] == [("waits", "stopped")]
    assert heard.signals == [1]
    assert "Traceback" not in capfd.readouterr().err


def test_a_run_hears_the_signals_that_its_server_does_not(runs_of, loads):
    class Sends(Heard):
        def began(self, run):
            while not (run.folder.parent / f"began-{run.seed}").exists():
                time.sleep(0.02)
            (child,) = Path(f"/proc/{server()}/task/{server()}/children").read_text().split()
            os.kill(int(child), signal.SIGINT)

    def server():
        return forkserver._forkserver._forkserver_pid

    loads("json")
    (outcome,) = run_all(runs_of("waits"), by_method, 1, Sends())
    assert outcome.state == "failed"
