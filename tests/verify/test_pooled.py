"""What a verifier does around its pool: memory, order, threads, coroutines, forks, its own end."""

from __future__ import annotations

import asyncio
import gc
import itertools
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from selfhint.core.errors import InputError, RunError
from selfhint.verify import PooledVerifier, make_verifier, pooled
from support.hanging import mixed

Make = Callable[..., PooledVerifier]


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), float("inf")])
def test_time_limit_must_be_positive(scripted: Make, limit: float) -> None:
    with pytest.raises(InputError, match=r"set verifier\.time_limit"):
        scripted(time_limit=limit)


def test_there_must_be_a_worker(scripted: Make) -> None:
    with pytest.raises(InputError, match=r"set verifier\.workers to 1 or more"):
        scripted(workers=0)


def judge(verifier: PooledVerifier, *requests: Any) -> list[str | None]:
    return [v.extracted for v in verifier.judge(list(range(len(requests))), requests)]


def served(log: Path) -> int:
    return len(log.read_text().split()) if log.exists() else 0


def test_a_pair_is_judged_once(scripted: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    verifier = scripted()
    for _ in range(2):
        verdicts = verifier.judge(["2"] * 4, [{"log": str(log), "text": "7"}] * 4)
        assert [(v.correct, v.extracted) for v in verdicts] == [(True, "7")] * 4
    assert served(log) == 1
    verifier.judge(["3"], [{"log": str(log), "text": "7"}])
    assert served(log) == 2


def test_threads_that_ask_the_same_wait_for_one_reply(scripted: Make, tmp_path: Path) -> None:
    log, end = tmp_path / "log", tmp_path / "end"
    verifier = scripted()
    request = {"log": str(log), "wait_for": str(end), "text": "7"}
    with ThreadPoolExecutor(8) as threads:
        verdicts = [threads.submit(verifier.judge, ["2"], [request]) for _ in range(8)]
        while served(log) == 0:
            time.sleep(0.01)
        end.touch()
        assert [v.result(60)[0].extracted for v in verdicts] == ["7"] * 8
    assert served(log) == 1


def test_the_oldest_pair_is_forgotten(scripted: Make, tmp_path: Path) -> None:
    log = tmp_path / "log"
    verifier = scripted(cache_size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        verifier.judge(["2"], [{"log": str(log), "text": text}])
    assert served(log) == 4
    without = scripted(cache_size=0)
    without.judge(["2"], [{"log": str(log)}])
    without.judge(["2"], [{"log": str(log)}])
    assert served(log) == 6


@pytest.mark.parametrize(("what", "reason"), [("hang", "timed out"), ("exit", "crashed")])
def test_time_outs_and_crashes_are_not_remembered(scripted: Make, tmp_path: Path, what: str, reason: str) -> None:
    log = tmp_path / "log"
    verifier = scripted(time_limit=0.3)
    for _ in range(2):
        verdicts = verifier.judge(["2"] * 2, [{"log": str(log), what: True, "text": "9!"}] * 2)
        assert [(v.correct, v.reward, v.reason, v.extracted) for v in verdicts] == [(False, 0.0, reason, "9!")] * 2
    assert served(log) == 2


def test_a_stream_is_read_only_as_far_as_needed(
    scripted: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooled, "MAX_WAITING", 5)
    end, read = tmp_path / "end", 0

    def pairs() -> Iterator[tuple[object, Any]]:
        nonlocal read
        yield 0, {"wait_for": str(end), "text": 0}
        for read in itertools.count(1):
            if read == 7:
                end.touch()
            yield read, {"text": read}

    verdicts = scripted().stream(pairs())
    threading.Timer(1.0, end.touch).start()
    assert next(verdicts).extracted == "0"
    assert read == 5
    assert [v.extracted for v in itertools.islice(verdicts, 50)] == [str(i) for i in range(1, 51)]


def test_constant_verdicts_stop_the_run_and_a_later_call_tries_again(scripted: Make) -> None:
    verifier = scripted(known=(({}, "match"), ({}, "mismatch")))
    for _ in range(2):
        with pytest.raises(RunError, match="verifier scripted is broken"):
            verifier.judge(["2"], [{}])


def test_close_twice_and_go_on(scripted: Make) -> None:
    verifier = scripted()
    verifier.close()
    assert judge(verifier, {"text": "a"}) == ["a"]
    pool = verifier._pool
    assert pool is not None
    verifier.close()
    verifier.close()
    assert pool.pids == set()
    assert judge(verifier, {"text": "b"}) == ["b"]


def test_close_while_another_thread_judges(scripted: Make, tmp_path: Path) -> None:
    verifier, begun = scripted(), tmp_path / "begun"
    with ThreadPoolExecutor(1) as thread:
        verdicts = thread.submit(verifier.judge, ["2"], [{"touch": str(begun), "hang": True}])
        while not begun.exists():
            time.sleep(0.01)
        verifier.close()
        with pytest.raises(RunError, match="closed while it judged"):
            verdicts.result(60)
    assert judge(verifier, {"text": "a"}) == ["a"]


def test_a_verifier_nobody_holds_ends_its_workers(scripted_module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    verifier = make_verifier("math", workers=1)
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    assert verifier._pool is not None
    (process,) = verifier._pool._processes
    del verifier
    gc.collect()
    process._process.wait(60)
    assert not process.alive


def test_an_interrupted_call_leaves_nobody_waiting(scripted: Make, tmp_path: Path, monkeypatch: Any) -> None:
    verifier = scripted()
    with monkeypatch.context() as patch:
        patch.setattr("selfhint.verify.pool.WorkerPool.submit", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            judge(verifier, {"text": "a"})
    assert judge(verifier, {"text": "a"}) == ["a"]


def test_many_threads(verifier: PooledVerifier) -> None:
    pairs = [(str(a + b), rf"\boxed{{{a}+{b}}}") for a in range(10) for b in range(4)]
    with ThreadPoolExecutor(8) as threads:
        right = list(threads.map(lambda pair: verifier.judge([pair[0]], [pair[1]])[0], pairs))
        wrong = list(threads.map(lambda pair: verifier.judge([pair[0] + "1"], [pair[1]])[0], pairs))
    assert all(v.correct for v in right)
    assert [v.extracted for v in right] == [f"{a}+{b}" for a in range(10) for b in range(4)]
    assert not any(v.correct for v in wrong)


# The pairs that hang others, everywhere ------------------------------------------------------------------------------


def test_inside_a_thread() -> None:
    """Off the main thread, where time limits by signals do not work."""
    golds, predictions, right = mixed()
    verifier = make_verifier("math", time_limit=2.0)
    with ThreadPoolExecutor(1) as thread:
        verdicts = thread.submit(verifier.judge, golds, predictions).result()
    verifier.close()
    assert [v.correct for v in verdicts] == right
    assert all(v.seconds < 10 for v in verdicts)


def test_inside_asyncio() -> None:
    golds, predictions, right = mixed()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.01)

    async def run() -> list[list[bool | None]]:
        verifier = make_verifier("math", time_limit=2.0)
        ticking = asyncio.create_task(tick())
        single = [verifier.judge_async([g], [p]) for g, p in zip(golds, predictions, strict=True)]
        *ones, together = await asyncio.gather(*single, verifier.judge_async(golds, predictions))
        ticking.cancel()
        here = verifier.judge(golds[:1], predictions[:1])  # also without `await`, from the loop's own thread
        verifier.close()
        return [[v.correct for (v,) in ones], [v.correct for v in together], [v.correct for v in here]]

    assert asyncio.run(run()) == [right, right, right[:1]]
    assert ticks > 20  # the loop went on


RANK = """
import json, os, sys
from selfhint.verify import make_verifier
golds, predictions = json.loads(sys.argv[1])
verifier = make_verifier("math", time_limit=4.0, workers=1)
verdicts = verifier.judge(golds, predictions)
with open(os.path.join(sys.argv[2], os.environ["RANK"]), "w") as out:
    json.dump([v.correct for v in verdicts], out)
"""


def test_under_torchrun(tmp_path: Path) -> None:
    """Every rank has workers of its own; the script closes nothing."""
    import json

    from support.processes import torchrun

    golds, predictions, right = mixed()
    script = tmp_path / "rank.py"
    script.write_text(RANK)
    torchrun([str(script), json.dumps([golds, predictions]), str(tmp_path)], ranks=2)
    assert [json.loads((tmp_path / rank).read_text()) for rank in "01"] == [right, right]


def _judge_in_child(verifier: PooledVerifier, parent: set[int]) -> None:
    assert verifier.judge(["2", "3"], [r"\boxed{1+1}", r"\boxed{1+1}"])[0].correct
    assert verifier._pool is not None
    assert verifier._pool.pids.isdisjoint(parent)
    verifier.close()


def test_a_forked_child_starts_its_own_workers() -> None:
    verifier = make_verifier("math", workers=1)
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    pool = verifier._pool
    assert pool is not None
    pids = pool.pids
    with verifier._lock, pool._lock:  # as if another thread judged while this one forks
        child = multiprocessing.get_context("fork").Process(target=_judge_in_child, args=(verifier, pids))
        child.start()
    child.join(60)
    assert child.exitcode == 0
    assert verifier.judge(["2"], [r"\boxed{2/1}"])[0].correct
    assert verifier._pool is pool
    assert pool.pids == pids
    verifier.close()


def test_a_script_without_main_guard_whose_verifier_is_never_closed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('begin')\n"
        "from selfhint.verify import make_verifier\n"
        "verifier = make_verifier('math')\n"
        "print(verifier.judge(['2', '2'], [r'\\boxed{1+1}', r'\\boxed{1+2}']))\n"
        "print(*verifier._pool.pids)\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", str(script)], capture_output=True, text=True, check=True)
    begin, verdicts, pids = done.stdout.splitlines()
    assert begin == "begin"
    assert "reason='match'" in verdicts
    assert "reason='mismatch'" in verdicts
    assert done.stderr == ""
    for pid in pids.split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
