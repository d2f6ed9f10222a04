"""The pool with scripted workers: each does what its request says."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from selfhint.core.errors import RunError
from selfhint.verify import pool as pool_module
from selfhint.verify.pool import Reply, WorkerPool

CANARY = (({}, "match"), ({"reason": "mismatch"}, "mismatch"))
MakePool = Callable[..., WorkerPool]


@pytest.fixture
def make(scripted_module: str) -> Iterator[MakePool]:
    made = []

    def make_pool(canary: Any = CANARY, **options: Any) -> WorkerPool:
        arguments = {"time_limit": 60.0, "num_workers": 2, "module": scripted_module, **options}
        made.append(WorkerPool("scripted", canary, **arguments))
        return made[-1]

    yield make_pool
    for pool in made:
        pool.close()


def ask(pool: WorkerPool, *requests: Mapping[str, Any]) -> list[Future[Reply]]:
    replies: list[Future[Reply]] = [Future() for _ in requests]
    for request, reply in zip(requests, replies, strict=True):
        pool.submit(request, reply)
    return replies


def reasons(replies: list[Future[Reply]]) -> list[str]:
    return [reply.result(60).content["reason"] for reply in replies]


def texts(replies: list[Future[Reply]]) -> list[str]:
    return [reply.result(60).content["extracted"] for reply in replies]


def test_each_request_gets_its_own_reply(make: MakePool) -> None:
    pool = make(num_workers=3)
    assert texts(ask(pool, *({"text": i} for i in range(50)))) == [str(i) for i in range(50)]
    assert 1 <= len(pool.pids) <= 3


def test_two_workers_work_at_the_same_time(make: MakePool, tmp_path: Path) -> None:
    """Each of two requests ends only once the other has begun."""
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    replies = ask(make(), {"touch": a, "wait_for": b}, {"touch": b, "wait_for": a})
    assert reasons(replies) == ["match", "match"]


def test_one_that_computes_holds_up_no_other(make: MakePool, tmp_path: Path) -> None:
    end = tmp_path / "end"
    pool = make()
    (long,) = ask(pool, {"wait_for": str(end), "text": "long"})
    assert texts(ask(pool, *({"text": i} for i in range(20)))) == [str(i) for i in range(20)]
    assert not long.done()
    end.touch()
    assert long.result(60).content["extracted"] == "long"


@pytest.mark.parametrize("num_workers", [1, 2])
def test_a_hanging_request_costs_its_own_reply(make: MakePool, num_workers: int) -> None:
    pool = make(time_limit=0.5, num_workers=num_workers)
    replies = ask(pool, {"text": 1}, {"hang": 1, "extracted": "99!"}, *({"text": i} for i in range(10)), {"hang": 2})
    assert reasons(replies) == ["match", "timed out", *["match"] * 10, "timed out"]
    assert replies[1].result().content["extracted"] == "99!"
    assert replies[1].result().seconds >= 0.5


def test_a_worker_killed_in_the_middle_costs_one_reply(make: MakePool, tmp_path: Path) -> None:
    pool, begun = make(), tmp_path / "begun"
    replies = ask(pool, {"touch": str(begun), "hang": 1}, *({"text": i} for i in range(5)), {"exit": True})
    assert reasons(replies[1:]) == ["match"] * 5 + ["crashed"]
    while not begun.exists():
        time.sleep(0.01)
    for pid in pool.pids:
        os.kill(pid, 9)
    assert reasons(replies[:1]) == ["crashed"]
    assert reasons(ask(pool, *({"text": i} for i in range(5)))) == ["match"] * 5


def test_a_worker_killed_while_idle_costs_nothing(make: MakePool) -> None:
    pool = make(num_workers=1)
    assert reasons(ask(pool, {})) == ["match"]
    (process,) = pool._processes
    os.kill(process.pid, 9)
    process._process.wait(60)
    assert reasons(ask(pool, {"text": 1}, {"text": 2})) == ["match", "match"]
    assert pool.pids.isdisjoint({process.pid})


@pytest.mark.parametrize("reason", ["match", "mismatch", "no answer found"])
def test_constant_verdicts_at_the_start_end_the_pool(make: MakePool, reason: str) -> None:
    pool = make(canary=(({"reason": reason}, "match"), ({"reason": reason}, "mismatch")))
    replies = ask(pool, {}, {}, {})
    for reply in replies:
        with pytest.raises(RunError, match=r"verifier scripted is broken: a right and a wrong pair gave \["):
            reply.result(60)
    assert pool.closed
    with pytest.raises(RunError, match="is broken"):
        ask(pool, {})[0].result(0)


def test_a_worker_that_says_why_it_cannot_judge(make: MakePool) -> None:
    pool = make(canary=(({"reply": {"reason": "crashed", "extracted": None, "error": "ImportError: no x"}}, "match"),))
    with pytest.raises(RunError, match=r"verifier scripted: its worker process cannot judge \(ImportError: no x\)"):
        ask(pool, {})[0].result(60)


@pytest.mark.parametrize(("constant", "value"), [("CANARY_ITEMS", 3), ("CANARY_SECONDS", 0.0)])
def test_verdicts_that_become_constant_end_the_pool(
    make: MakePool, monkeypatch: pytest.MonkeyPatch, constant: str, value: float
) -> None:
    """The known right pair is right only for a worker's first four requests."""
    monkeypatch.setattr(pool_module, constant, value)
    pool = make(canary=(({"right_until": 4}, "match"), ({"reason": "mismatch"}, "mismatch")), num_workers=1)
    outcomes = [ask(pool, {})[0].exception(60) for _ in range(6)]
    assert outcomes[0] is None
    assert "is broken: a right and a wrong pair gave ['mismatch', 'mismatch']" in str(outcomes[-1])


def test_a_worker_lost_over_its_known_pairs_costs_nothing(
    make: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker dies when it is asked the known pair a second time."""
    monkeypatch.setattr(pool_module, "CANARY_ITEMS", 1)
    log = tmp_path / "log"
    pool = make(canary=(({"exit_after": 2}, "match"),), num_workers=1)
    assert reasons(ask(pool, *[{"log": str(log)}] * 3)) == ["match"] * 3
    assert len(set(log.read_text().split())) == 3


def test_a_worker_that_does_not_start_ends_the_pool(make: MakePool) -> None:
    with pytest.raises(RunError, match="verifier scripted: its worker process crashed while starting"):
        ask(make(module="selfhint.verify.absent"), {})[0].result(60)


def test_a_full_pool_makes_its_callers_wait(make: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "IN_FLIGHT", 2)
    pool, end = make(num_workers=1), tmp_path / "end"
    ask(pool, {"wait_for": str(end)}, {})
    third: list[Future[Reply]] = []
    caller = threading.Thread(target=lambda: third.extend(ask(pool, {"text": 3})))
    caller.start()
    caller.join(0.3)
    assert caller.is_alive()
    assert len(pool._queue) + len(pool._under_way) == 2
    end.touch()
    caller.join(60)
    assert texts(third) == ["3"]


def test_close_ends_workers_and_what_waits_for_them(make: MakePool, tmp_path: Path) -> None:
    pool, begun = make(num_workers=1), tmp_path / "begun"
    replies = ask(pool, {"touch": str(begun), "hang": 1}, {})
    while not begun.exists():
        time.sleep(0.01)
    (process,) = pool._processes
    pool.close()
    pool.close()
    assert not process.alive
    assert pool.pids == set()
    for reply in replies:
        with pytest.raises(RunError, match="closed while it judged"):
            reply.result(0)
