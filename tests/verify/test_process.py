from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from selfhint.verify.process import WorkerLostError, WorkerProcess

LONG = r"\binom{10^{8}}{5 \cdot 10^{7}}"
"""An answer that takes hours to compute, in one step of the interpreter."""
WORKER = """
import json, sys, time, os
from multiprocessing.connection import Connection
connection = Connection(int(sys.argv[1]))
print("noise on standard output")
while True:
    try:
        request = json.loads(connection.recv_bytes())
    except EOFError:
        break
    if "sleep" in request:
        time.sleep(request["sleep"])
    if "exit" in request:
        os._exit(request["exit"])
    connection.send_bytes(json.dumps(request).encode())
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerProcess]:
    """A worker that gives back what it is asked; {"sleep": s} and {"exit": code} do what they say."""
    (tmp_path / "echo_worker.py").write_text(WORKER)
    monkeypatch.syspath_prepend(tmp_path)
    worker = WorkerProcess("echo_worker")
    yield worker
    worker.kill()


def test_answers_in_order(worker: WorkerProcess) -> None:
    for text in ("a", "\ud800 \0 ∑", "x" * 100_000):
        assert worker.ask({"text": text}, 60) == {"text": text}
    assert worker.alive


def test_time_limit_kills(worker: WorkerProcess) -> None:
    worker.ask({}, 60)
    with pytest.raises(WorkerLostError, match="timed out"):
        worker.ask({"sleep": 1000}, 0.1)
    assert not worker.alive


def test_a_worker_that_dies(worker: WorkerProcess) -> None:
    with pytest.raises(WorkerLostError, match="crashed"):
        worker.ask({"exit": 3}, 60)
    assert not worker.alive
    with pytest.raises(WorkerLostError, match="crashed"):
        worker.ask({}, 60)
    worker.kill()


def test_an_interrupted_request_leaves_no_reply_behind(worker: WorkerProcess) -> None:
    class InterruptError(Exception):
        pass

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise InterruptError

    worker.ask({}, 60)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(InterruptError):
            worker.ask({"sleep": 1000}, 60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not worker.alive


def test_kill_twice(worker: WorkerProcess) -> None:
    worker.kill()
    worker.kill()
    assert not worker.alive


def test_it_stands_apart_from_the_process_group(worker: WorkerProcess) -> None:
    worker.ask({}, 60)
    assert os.getsid(worker.pid) == worker.pid != os.getsid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit is set on Linux only")
def test_the_math_worker_limits_its_memory() -> None:
    worker = WorkerProcess("selfhint.verify.worker")
    try:
        worker.ask({"kind": "math", "gold": "1", "answer": "2", "whole": True, "limit": 60}, 60)
        soft, _ = resource.prlimit(worker.pid, resource.RLIMIT_AS)
        assert soft == 4 << 30
    finally:
        worker.kill()


def test_an_exception_costs_its_own_verdict() -> None:
    worker = WorkerProcess("selfhint.verify.worker")
    try:
        reply = worker.ask({"kind": "math", "extracted": "7", "limit": 60}, 60)
        assert reply == {"reason": "crashed", "extracted": "7", "reward": 0.0, "error": "KeyError: 'gold'"}
        assert worker.ask({"kind": "math", "gold": "1", "answer": "2", "whole": True, "limit": 60}, 60)
        assert worker.alive
    finally:
        worker.kill()


def test_a_closed_connection_ends_the_math_worker() -> None:
    worker = WorkerProcess("selfhint.verify.worker")
    try:
        worker.ask({"kind": "math", "gold": "1", "answer": "2", "whole": True, "limit": 60}, 60)
        worker._connection.close()
        worker._process.wait(60)
        assert worker._process.returncode == 0
    finally:
        worker.kill()


def test_a_math_worker_without_parent_does_not_compute_for_ever() -> None:
    """The kernel ends it, since nothing in it runs while one large number is computed."""
    worker = WorkerProcess("selfhint.verify.worker")
    try:
        worker.ask({"kind": "math", "gold": "1", "answer": "2", "whole": True, "limit": 60}, 60)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker._connection, "poll", lambda seconds: time.sleep(0))
            patch.setattr(worker, "kill", lambda: None)
            with pytest.raises(WorkerLostError):
                worker.ask({"kind": "math", "gold": "1", "answer": LONG, "whole": True, "limit": 0.1}, 0.1)
        worker._process.wait(60)
        assert worker._process.returncode == -signal.SIGALRM
    finally:
        worker.kill()
