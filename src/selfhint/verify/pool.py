"""Several worker processes that share one queue of requests."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from selfhint.core.errors import RunError
from selfhint.verify.process import WorkerLostError, WorkerProcess

START_SECONDS = 120.0
"""How long a worker may take to start, on a slow disk too."""
CANARY_ITEMS = 1000
"""A worker is asked the known pairs again after so many items …"""
CANARY_SECONDS = 60.0
"""… or so many seconds, whichever comes first."""
IN_FLIGHT = 64
"""Requests per worker that may be queued or under way; who brings more has to wait."""

Canary = Sequence[tuple[Mapping[str, Any], str]]
"""Requests whose reason is known, right ones and wrong ones."""


class Reply(NamedTuple):
    """What a worker said, and the seconds it took."""

    content: Mapping[str, Any]
    seconds: float


def settle(reply: Future[Reply], outcome: Reply | RunError) -> None:
    """Gives the waiting ones a reply, or the error in its place; the first outcome stays."""
    with contextlib.suppress(InvalidStateError):
        if isinstance(outcome, RunError):
            reply.set_exception(outcome)
        else:
            reply.set_result(outcome)


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    request: Mapping[str, Any]
    reply: Future[Reply]


@dataclass(slots=True, eq=False)
class _Worker:
    """A process and how long ago it gave right answers to the known pairs."""

    process: WorkerProcess
    proved_at: float = field(default_factory=time.monotonic)
    num_items: int = 0

    @property
    def canary_due(self) -> bool:
        return self.num_items >= CANARY_ITEMS or time.monotonic() - self.proved_at >= CANARY_SECONDS


class WorkerPool:
    """Workers that answer requests, each killed and started again where one request exceeds its time limit.

    A thread per worker takes requests from the queue, so a worker that computes, hangs or starts holds up no other
    one. Workers are started as requests come in. A pool is used by any number of threads, closed once and then over;
    one that meets an error closes itself, and every request in it fails with that error.

    Args:
        name: of the kind of verdicts, for messages.
        canary: asked of every new worker and every so often; a worker that answers otherwise ends the pool.
        time_limit: seconds for one request; the time a worker needs to start does not count.
        num_workers: most processes at a time.
        module: what a worker runs.
    """

    def __init__(
        self,
        name: str,
        canary: Canary,
        *,
        time_limit: float,
        num_workers: int,
        module: str = "selfhint.verify.worker",
    ) -> None:
        self._name = name
        self._canary = canary
        self._time_limit = time_limit
        self._num_workers = num_workers
        self._module = module
        self._lock = threading.RLock()  # the garbage collector may call `abandon` at any time
        self._has_item = threading.Condition(self._lock)
        self._has_room = threading.Condition(self._lock)
        self._queue: deque[_Item] = deque()
        self._under_way: set[_Item] = set()
        self._num_idle = 0
        self._threads: list[threading.Thread] = []
        self._processes: set[WorkerProcess] = set()
        self._error: RunError | None = None

    @property
    def closed(self) -> bool:
        """No request is taken any more."""
        return self._error is not None

    @property
    def pids(self) -> set[int]:
        """Process ids of the workers."""
        with self._lock:
            return {process.pid for process in self._processes}

    def submit(self, request: Mapping[str, Any], reply: Future[Reply]) -> None:
        """Queues a request; waits while the queue is full.

        A request that costs its worker has the reason timed out or crashed as its reply. `reply` gets a RunError where
        the pool closes before that.
        """
        with self._lock:
            while not self.closed and len(self._queue) + len(self._under_way) >= IN_FLIGHT * self._num_workers:
                self._has_room.wait()
            error = self._error
            if error is None:
                self._queue.append(_Item(request, reply))
                if self._num_idle < len(self._queue) and len(self._threads) < self._num_workers:
                    thread = threading.Thread(target=self._serve, name=f"verify-{self._name}", daemon=True)
                    self._threads.append(thread)
                    thread.start()
                self._has_item.notify()
        if error is not None:
            settle(reply, error)

    def abandon(self) -> None:
        """Ends the workers and waits for nothing. Safe to call twice and from any thread."""
        self._fail(RunError(f"verifier {self._name} was closed while it judged"))

    def close(self) -> None:
        """Ends the workers and waits for their end. Safe to call twice and from any thread."""
        self.abandon()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def disown(self) -> None:
        """In a forked child, where none of the threads exists: drops the copies of what belongs to the parent."""
        for process in self._processes:
            process.disown()

    # The threads -----------------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        worker: _Worker | None = None
        try:
            while not self.closed:
                worker = worker or self._started()
                if not self._serve_next(worker):
                    self._end(worker)
                    worker = None
        except RunError as error:
            self._fail(error)
        except BaseException as error:
            self._fail(RunError(f"verifier {self._name} failed ({type(error).__name__}: {error}); this is a bug"))
            raise
        finally:
            if worker is not None:
                self._end(worker)

    def _next(self) -> _Item | None:
        """The next request; None when the pool is closed."""
        with self._lock:
            self._num_idle += 1
            while not self._queue and not self.closed:
                self._has_item.wait()
            self._num_idle -= 1
            if self.closed:
                return None
            item = self._queue.popleft()
            self._under_way.add(item)
            return item

    def _serve_next(self, worker: _Worker) -> bool:
        """Answers a request, or puts it back; whether the worker is still there."""
        item = self._next()
        if item is None:
            return True
        if not worker.process.alive or (worker.canary_due and not self._proved_again(worker)):
            with self._lock:
                if item in self._under_way:
                    self._under_way.remove(item)
                    self._queue.appendleft(item)
                    self._has_item.notify()
            return False
        began = time.perf_counter()
        kept = True
        try:
            content = worker.process.ask({**item.request, "limit": self._time_limit}, self._time_limit)
        except WorkerLostError as lost:
            content = {"reason": str(lost), "extracted": item.request.get("extracted")}
            kept = False
        worker.num_items += 1
        self._finish(item, Reply(content, time.perf_counter() - began))
        return kept

    def _finish(self, item: _Item, reply: Reply) -> None:
        with self._lock:
            if item not in self._under_way:  # the pool was closed and its worker killed: no verdict on the item
                return
            self._under_way.remove(item)
            self._has_room.notify()
        settle(item.reply, reply)

    def _started(self) -> _Worker:
        """A worker that has proved itself: math-verify has been seen to score everything 0 without a word."""
        try:
            process = WorkerProcess(self._module)
        except OSError as error:
            raise RunError(
                f"verifier {self._name}: cannot start a worker process ({error.strerror or error})"
            ) from error
        with self._lock:
            self._processes.add(process)
            if self._error is not None:
                process.end()
        worker = _Worker(process)
        try:
            self._prove(worker)
        except WorkerLostError as lost:
            self._end(worker)
            raise RunError(
                f"verifier {self._name}: its worker process {lost} while starting; see its error output above"
            ) from lost
        except BaseException:
            self._end(worker)
            raise
        return worker

    def _proved_again(self, worker: _Worker) -> bool:
        try:
            self._prove(worker)
        except WorkerLostError:
            return False
        return True

    def _prove(self, worker: _Worker) -> None:
        replies = [worker.process.ask({**pair, "limit": START_SECONDS}, START_SECONDS) for pair, _ in self._canary]
        for reply in replies:
            if "error" in reply:
                raise RunError(f"verifier {self._name}: its worker process cannot judge ({reply['error']})")
        reasons = [reply["reason"] for reply in replies]
        if reasons != [reason for _, reason in self._canary]:
            raise RunError(
                f"verifier {self._name} is broken: a right and a wrong pair gave {reasons}; check the version of the "
                "library that compares answers"
            )
        worker.num_items = 0
        worker.proved_at = time.monotonic()

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        with self._lock:
            self._processes.discard(worker.process)

    def _fail(self, error: RunError) -> None:
        """Closes the pool: whatever it has not answered fails with `error`."""
        with self._lock:
            if self._error is not None:
                return
            self._error = error
            lost = [*self._under_way, *self._queue]
            self._under_way.clear()
            self._queue.clear()
            for process in self._processes:
                process.end()
            self._has_item.notify_all()
            self._has_room.notify_all()
        for item in lost:
            settle(item.reply, error)
