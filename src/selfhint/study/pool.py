"""Runs recipes side by side, each in a fresh process that is forked from a server which has the libraries loaded.

Loading torch, transformers and TRL takes seconds of CPU. The server (multiprocessing's fork server) loads them once; it
runs nothing itself, so that a forked run begins in the state of a fresh interpreter.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Literal, Protocol

from selfhint.core.errors import InputError, RunError, SelfHintError
from selfhint.lock import take
from selfhint.study.spec import PlannedRun

Train = Callable[[PlannedRun], None]
"""Runs one run to its end in the current process. A function of a module, so that it can be sent to another process."""
State = Literal["done", "stopped", "failed"]

PRELOADED = (
    "selfhint.engines.trl.trainer",
    "selfhint.engines.trl.offline",
    "selfhint.lab.warmup",
    "selfhint.cli.train",
)
"""Modules whose loading loads what a run needs."""
LOOK_SECONDS = 1.0
"""How often the pool looks for signals and tells its listener that time has passed."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)
KEPT_FROM_SERVER = (*SIGNALS, signal.SIGHUP)
"""What a terminal or `timeout` sends to the command and its server alike; the server ends with the command."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    Args:
        run: which.
        state: done, stopped by a signal that the pool had passed on, or failed.
        message: one line; empty for a run that is done.
        seconds: wall time of its process.
    """

    run: PlannedRun
    state: State
    message: str
    seconds: float


class Listener(Protocol):
    """Hears what happens in the pool."""

    def began(self, run: PlannedRun) -> None:
        """A run's process was started."""

    def ended(self, outcome: Outcome) -> None:
        """A run's process is gone."""

    def passed(self) -> None:
        """A second has gone by."""

    def stopping(self, number: int) -> None:
        """The command heard its `number`-th signal and passed it on to the runs under way."""


@dataclass(frozen=True, slots=True)
class _Active:
    run: PlannedRun
    process: multiprocessing.process.BaseProcess
    end: Connection
    began: float


def log_file(run: PlannedRun) -> Path:
    """What the run's process writes to its terminal."""
    return run.folder.with_name(f"{run.folder.name}.log")


def run_all(runs: Sequence[PlannedRun], train: Train, jobs: int, listener: Listener) -> list[Outcome]:
    """Runs all, at most `jobs` at a time; a failed one does not stop the others.

    On SIGINT or SIGTERM no more are begun, the signal goes on to those under way as SIGTERM (a training run then writes
    a checkpoint), and the function returns when they have ended.

    Returns:
        The outcomes of the runs that were begun, in the order in which they ended.

    Raises:
        InputError: a log file cannot be written.
        RunError: the fork server died before a run began.
    """
    context = multiprocessing.get_context("forkserver")
    waiting, active = deque(runs), list[_Active]()
    outcomes: list[Outcome] = []
    with _signals_counted() as heard:
        passed_on = 0
        try:
            while active or (waiting and not heard):
                while waiting and len(active) < jobs and not heard:
                    active.append(_begin(context, waiting.popleft(), train))
                    listener.began(active[-1].run)
                ready = wait([one.end for one in active], timeout=LOOK_SECONDS)
                if passed_on < len(heard):
                    passed_on = len(heard)
                    listener.stopping(passed_on)
                    _send(active, signal.SIGTERM)
                for one in [one for one in active if one.end in ready]:
                    active.remove(one)
                    outcomes.append(_outcome(one, bool(heard)))
                    listener.ended(outcomes[-1])
                listener.passed()
        finally:
            _send(active, signal.SIGTERM)  # some are left after an error of ours only
    return outcomes


def _ensure_server(context: multiprocessing.context.ForkServerContext) -> None:
    """Sees to a fork server that finds modules where this process does, has one thread and hears no signals."""
    context.set_forkserver_preload(list(PRELOADED))
    usual = dict(os.environ)
    resource_tracker.ensure_running()  # it unblocks signals when it starts
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_FROM_SERVER)
    os.environ |= {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path), "OMP_NUM_THREADS": "1"}
    try:
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ |= usual
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _signals_counted() -> Iterator[list[int]]:
    """Inside, both signals are noted and do nothing else. One that the parent process had ignored stays ignored."""
    heard: list[int] = []
    usual = {number: signal.getsignal(number) for number in SIGNALS}

    def note(number: int, frame: FrameType | None) -> None:
        heard.append(number)

    for number, handler in usual.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, note)
    try:
        yield heard
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def _begin(context: multiprocessing.context.ForkServerContext, run: PlannedRun, train: Train) -> _Active:
    log = log_file(run)
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.touch()
    except OSError as error:
        raise InputError(f"{log}: cannot be written ({error.strerror}); choose another place with --out") from error
    ours, theirs = context.Pipe(duplex=False)
    with theirs:
        process = context.Process(target=_in_child, args=(train, run, theirs, dict(os.environ)), name=run.label)
        _ensure_server(context)  # each time: one that the system killed would be started again by start(), without this
        try:
            process.start()
        except (EOFError, OSError) as error:
            raise RunError(
                f"{run.label}: the process that begins runs died, perhaps for want of memory; repeat the command"
            ) from error
    return _Active(run, process, ours, time.monotonic())


def _send(active: Sequence[_Active], number: signal.Signals) -> None:
    for one in active:
        if one.process.pid is not None and one.process.is_alive():
            os.kill(one.process.pid, number)


def _outcome(one: _Active, stopping: bool) -> Outcome:
    """What the child said before its end of the pipe closed, or how it died."""
    try:
        code, message = one.end.recv()
    except EOFError:
        code, message = None, ""
    one.end.close()
    one.process.join()
    seconds = time.monotonic() - one.began
    if code is None:
        ended = one.process.exitcode or 0
        by = signal.Signals(-ended).name if ended < 0 else f"exit code {ended}"
        code, message = 3, f"its process ended without a word ({by}); see {log_file(one.run)}"
    state: State = "done" if code == 0 else "stopped" if stopping and code != 2 else "failed"
    return Outcome(one.run, state, message, seconds)


# In the run's process ------------------------------------------------------------------------------------------------


def _in_child(train: Train, run: PlannedRun, end: Connection, environment: Mapping[str, str]) -> None:
    """Runs one run; says how it ended as (exit code, line)."""
    os.setsid()  # a Ctrl-C in the terminal goes to the command alone, which passes it on once
    signal.pthread_sigmask(signal.SIG_UNBLOCK, KEPT_FROM_SERVER)
    os.environ.clear()
    os.environ.update(environment)
    _end_with_the_command()
    try:
        lock = _write_to(log_file(run))
    except InputError as error:
        _say(end, error.exit_code, str(error))
        return
    with lock:
        code, message = _ended(train, run)
        _say(end, code, message)
        with suppress(OSError):  # the log takes no more
            print(message or "done", file=sys.stderr, flush=True)


def _say(end: Connection, code: int, message: str) -> None:
    with suppress(BrokenPipeError):  # the command is gone
        end.send((code, message))


def _ended(train: Train, run: PlannedRun) -> tuple[int, str]:
    code, message = 0, ""
    try:
        train(run)
    except SelfHintError as error:
        code, message = error.exit_code, str(error)
    except Exception as error:  # whatever a run raises, the others go on; its log has the place
        with suppress(OSError):
            traceback.print_exc()
        code, message = 3, f"{type(error).__name__}: {error}"
    return code, " ".join(message.splitlines())


def _write_to(path: Path) -> BinaryIO:
    """Sends what this process writes to its terminal to the file; no other process does while the result is open.

    Raises:
        InputError: the file cannot be written, or another process runs this run.
    """
    try:
        # Opened twice: programs that the run starts get the terminal and may outlive it, the lock is the run's alone.
        lock = open(path, "ab")  # noqa: SIM115 (kept open for the run)
        if not take(lock):
            raise InputError(
                f"{path.with_suffix('')}: another process is running this run; wait for it, then repeat the command"
            )
        with open(path, "ab", buffering=0) as file:
            for number in (1, 2):
                os.dup2(file.fileno(), number)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written ({error.strerror}); move it away, then repeat the command"
        ) from error
    return lock


def _end_with_the_command() -> None:
    """Stops the run, with a checkpoint, when the command is gone; its parent, the fork server, says nothing then."""
    command = multiprocessing.parent_process()
    assert command is not None

    def watch() -> None:
        wait([command.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
