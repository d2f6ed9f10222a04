"""The verifier of any kind: what needs no worker is said at once, the rest goes to a pool of worker processes."""

from __future__ import annotations

import asyncio
import atexit
import functools
import hashlib
import json
import math
import os
import threading
import weakref
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from selfhint.core.errors import InputError, RunError
from selfhint.core.group import Verdict
from selfhint.verify.kinds import Kind, Request, verdict_of
from selfhint.verify.pool import Reply, WorkerPool, settle
from selfhint.verify.reasons import CRASHED, TIMED_OUT

TIME_LIMIT = 5.0
"""Seconds for one pair."""
NUM_WORKERS = 2
CACHE_SIZE = 4096
"""Pairs whose verdict is remembered: completions of one problem often end in the same answer."""
MAX_WAITING = 10_000
"""Verdicts that may wait for the one of an earlier pair before `stream` reads no further."""
NUM_THREADS = 32
"""Calls of `judge_async` that are under way at a time; more of them wait."""


class PooledVerifier:
    """Judges pairs of one kind, several at a time, each within its time limit.

    Worker processes are started when first needed; one that exceeds the limit is killed, which costs that pair's
    verdict and no other's. Any thread may call any method; after a fork the child starts workers of its own. A pair
    that is asked again, or while it is under way, is judged once; time-outs and crashes are not remembered.

    Args:
        kind: what a verdict is.
        time_limit: seconds for one pair; the time a worker needs to start does not count.
        workers: most worker processes at a time.
        cache_size: pairs whose verdict is remembered.

    Raises:
        InputError: an argument is out of range.
    """

    _pool: WorkerPool | None
    _abandon: weakref.finalize[[], PooledVerifier] | None
    _executor: ThreadPoolExecutor | None
    _known: OrderedDict[bytes, Verdict]
    _under_way: dict[bytes, Future[Reply]]

    def __init__(
        self, kind: Kind, *, time_limit: float = TIME_LIMIT, workers: int = NUM_WORKERS, cache_size: int = CACHE_SIZE
    ) -> None:
        if not 0 < time_limit < math.inf:
            raise InputError(
                f"verifier {kind.name}: time limit {time_limit} is no positive number; set verifier.time_limit"
            )
        if workers < 1:
            raise InputError(f"verifier {kind.name}: {workers} workers; set verifier.workers to 1 or more")
        self.kind = kind
        self.name = kind.name
        self.time_limit = time_limit
        self.workers = workers
        self._cache_size = cache_size
        self._forget()
        _live.add(self)

    def judge(self, golds: Sequence[object], predictions: Sequence[str]) -> list[Verdict]:
        """Verdicts in order. Blocks; `judge_async` is for coroutines.

        Raises:
            RunError: a worker cannot be started, gives wrong verdicts on known pairs, or was closed meanwhile.
        """
        return list(self.stream(zip(golds, predictions, strict=True)))

    async def judge_async(self, golds: Sequence[object], predictions: Sequence[str]) -> list[Verdict]:
        """As `judge`, while the event loop goes on."""
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(NUM_THREADS, thread_name_prefix=f"judge-{self.name}")
        return await asyncio.get_running_loop().run_in_executor(self._executor, self.judge, golds, predictions)

    def stream(self, pairs: Iterable[tuple[object, str]]) -> Iterator[Verdict]:
        """Verdicts of (gold, prediction) in order, read and judged ahead only as far as the workers need it.

        Raises:
            RunError: as `judge`.
        """
        waiting: deque[Verdict | Future[Reply]] = deque()
        for gold, prediction in pairs:
            waiting.append(self._begin(gold, prediction))
            while waiting and (len(waiting) > MAX_WAITING or _is_done(waiting[0])):
                yield _verdict(waiting.popleft())
        while waiting:
            yield _verdict(waiting.popleft())

    def _begin(self, gold: object, prediction: str) -> Verdict | Future[Reply]:
        request = self.kind.quick(gold, prediction)
        if isinstance(request, Verdict):
            return request
        key = _key(request)
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
            reply = self._under_way.get(key)
            if reply is not None:
                return reply
            reply = self._under_way[key] = Future()
            pool = self._open_pool()
        reply.add_done_callback(functools.partial(self._remember, key))
        try:
            pool.submit(request, reply)
        except BaseException:  # interrupted while it waited: nobody else must wait for this reply
            settle(reply, RunError(f"verifier {self.name} was interrupted while it judged"))
            raise
        return reply

    def _remember(self, key: bytes, reply: Future[Reply]) -> None:
        with self._lock:
            self._under_way.pop(key, None)
            if reply.exception() is not None or reply.result().content["reason"] in (TIMED_OUT, CRASHED):
                return
            self._known[key] = verdict_of(reply.result().content, 0.0)
            while len(self._known) > self._cache_size:
                self._known.popitem(last=False)

    def _open_pool(self) -> WorkerPool:
        if self._pool is None or self._pool.closed:
            self._pool = WorkerPool(self.name, self.kind.canary(), time_limit=self.time_limit, num_workers=self.workers)
            self._abandon = weakref.finalize(self, self._pool.abandon)
            self._abandon.atexit = False  # `_close_all` also waits
        return self._pool

    def close(self) -> None:
        """Ends the workers, whoever waits for them; a later `judge` starts others."""
        with self._lock:
            pool, self._pool = self._pool, None
            executor, self._executor = self._executor, None
        if pool is not None:
            pool.close()
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)  # a call that still waits would start workers again

    def _forget(self) -> None:
        """The state of a verifier that has no worker and waits for none."""
        self._lock = threading.RLock()  # held by no thread: after a fork the copied one might be
        self._pool = None
        self._abandon = None
        self._executor = None
        self._known = OrderedDict()
        self._under_way = {}

    def _forget_parent(self) -> None:
        if self._abandon is not None:
            self._abandon.detach()
        if self._pool is not None:
            self._pool.disown()
        self._forget()


def _key(request: Request) -> bytes:
    """Stands for a request, whose texts may be long, in the memory of verdicts."""
    return hashlib.blake2b(json.dumps(request).encode(), digest_size=16).digest()


def _is_done(waiting: Verdict | Future[Reply]) -> bool:
    return isinstance(waiting, Verdict) or waiting.done()


def _verdict(waiting: Verdict | Future[Reply]) -> Verdict:
    return waiting if isinstance(waiting, Verdict) else verdict_of(*waiting.result())


_live: weakref.WeakSet[PooledVerifier] = weakref.WeakSet()


def _close_all() -> None:
    for verifier in list(_live):
        verifier.close()


def _forget_parents() -> None:
    for verifier in list(_live):
        verifier._forget_parent()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_forget_parents)
