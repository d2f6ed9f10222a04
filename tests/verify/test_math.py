from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from selfhint.core.errors import InputError, RunError
from selfhint.verify import MathVerifier
from selfhint.verify import math as math_module
from selfhint.verify.process import WorkerProcess

HANGS = r"\boxed{99999999!}"
Rows = Callable[[str], list[dict[str, Any]]]


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), float("inf")])
def test_time_limit_must_be_positive(limit: float) -> None:
    with pytest.raises(InputError, match=r"set verifier\.time_limit"):
        MathVerifier(time_limit=limit)


@pytest.mark.parametrize(
    ("gold", "prediction", "correct", "reason"),
    [
        ("5", r"\boxed{7}, no: \boxed{5}", True, "match"),
        ("5", r"\boxed{5}, no: \boxed{7}", False, "mismatch"),
        (r"$\frac{1}{2}$", r"so \boxed{0.5}", True, "match"),
        (r"The answer is $\boxed{\frac{1}{4}}$.", r"\boxed{1/4}", True, "match"),
        ("-5", "\\boxed{\u22125}", True, "match"),
        (42, r"\boxed{42.0}", True, "match"),
        (0.333333, r"\boxed{\frac{1}{3}}", True, "match"),
        ("18", "The answer is 18.", True, "match"),
        ("even", "$even$", True, "match"),
        (r"\text{even}", "$even$", True, "match"),
        ("18", "", False, "no answer found"),
        ("18", "I cannot tell.", False, "no answer found"),
        (None, r"\boxed{None}", None, "gold unreadable"),
        ("", r"\boxed{}", None, "gold unreadable"),
        ("Anya climbs one floor, so her path is longer.", r"\boxed{12}", None, "gold unreadable"),
        ("Anya climbs one floor, so her path is longer.", "", None, "gold unreadable"),
    ],
)
def test_verdict(verifier: MathVerifier, gold: object, prediction: str, correct: bool | None, reason: str) -> None:
    (verdict,) = verifier.judge([gold], [prediction])
    assert (verdict.correct, verdict.reason) == (correct, reason)
    assert verdict.reward == (None if correct is None else float(correct))


def test_equal_text_and_different_integers_need_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math_module, "_started_worker", lambda: pytest.fail("a worker was started"))
    long = "7" * 20_000
    pairs = [("$5$", r"\boxed{ 5 }", True), (long, rf"\boxed{{{long}}}", True), ("5", r"\boxed{-5}", False)]
    verdicts = MathVerifier().judge([gold for gold, _, _ in pairs], [prediction for _, prediction, _ in pairs])
    assert [v.correct for v in verdicts] == [correct for _, _, correct in pairs]


@pytest.mark.parametrize(
    "prediction",
    [
        "\\boxed{" + "1+" * 500_000 + "1}",
        "(" * 1_000_000,
        "the answer is not clear " * 40_000,
        "7" * 1_000_000,
        "\\boxed{\ud800 5}",
        "\0" * 1000,
        "().__class__.__base__.__subclasses__()",
        "\\boxed{" + "2^{" * 300 + "2" + "}" * 300 + "}",
    ],
)
def test_bad_predictions_are_wrong(verifier: MathVerifier, prediction: str) -> None:
    (verdict,) = verifier.judge(["18"], [prediction])
    assert verdict.correct is False
    assert verdict.reason in ("mismatch", "no answer found")


@pytest.mark.parametrize("gold", ["8" * 20_000, "1+" * 500_000 + "1", "\ud800", "\0", "{" * 100, "()" * 100, "nan"])
def test_bad_golds_are_never_matched(verifier: MathVerifier, gold: str) -> None:
    (verdict,) = verifier.judge([gold], [r"\boxed{18}"])
    assert verdict.correct is not True


def test_one_item_that_hangs_costs_one_verdict() -> None:
    verifier = MathVerifier(time_limit=1.0)
    verdicts = verifier.judge(["2"] * 3, [r"\boxed{1+1}", HANGS, r"\boxed{4/2}"])
    assert [(v.correct, v.reason) for v in verdicts] == [(True, "match"), (False, "timed out"), (True, "match")]
    assert verdicts[1].extracted == "99999999!"
    assert verdicts[1].seconds >= 1.0
    verifier.close()


def test_a_worker_killed_from_outside_is_replaced() -> None:
    verifier = MathVerifier(time_limit=60)
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    assert verifier._worker is not None
    killer = threading.Timer(0.5, os.kill, (verifier._worker.pid, 9))
    killer.start()
    assert verifier.judge(["2"], [HANGS])[0].reason == "crashed"
    killer.join()
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    os.kill(verifier._worker.pid, 9)
    verifier._worker._process.wait(60)
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    verifier.close()


def test_close_twice_and_go_on() -> None:
    verifier = MathVerifier()
    verifier.close()
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    worker = verifier._worker
    assert worker is not None
    verifier.close()
    verifier.close()
    assert not worker.alive
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    verifier.close()


@pytest.mark.parametrize("reason", ["match", "mismatch", "no answer found"])
def test_a_verifier_that_always_says_the_same_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    (tmp_path / "constant_worker.py").write_text(
        "import json, sys\n"
        "from multiprocessing.connection import Connection\n"
        "connection = Connection(int(sys.argv[1]))\n"
        "while connection.recv_bytes():\n"
        f"    connection.send_bytes(json.dumps({{'reason': {reason!r}, 'extracted': None}}).encode())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(math_module, "WorkerProcess", lambda module: WorkerProcess("constant_worker"))
    with pytest.raises(RunError, match="verifier math is broken"):
        MathVerifier().judge(["2"], [r"\boxed{1+1}"])


def test_a_worker_that_does_not_start_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math_module, "WorkerProcess", lambda module: WorkerProcess("selfhint.verify.absent"))
    with pytest.raises(RunError, match="crashed while starting"):
        MathVerifier().judge(["2"], [r"\boxed{1+1}"])


def test_many_threads_share_one_worker(verifier: MathVerifier) -> None:
    pairs = [(str(a + b), rf"\boxed{{{a}+{b}}}") for a in range(10) for b in range(4)]
    with ThreadPoolExecutor(8) as threads:
        right = list(threads.map(lambda pair: verifier.judge([pair[0]], [pair[1]])[0], pairs))
        wrong = list(threads.map(lambda pair: verifier.judge([pair[0] + "1"], [pair[1]])[0], pairs))
    assert all(v.correct for v in right)
    assert [v.extracted for v in right] == [f"{a}+{b}" for a in range(10) for b in range(4)]
    assert not any(v.correct for v in wrong)


def test_inside_asyncio() -> None:
    async def judge() -> list[bool | None]:
        verifier = MathVerifier(time_limit=1.0)
        here = verifier.judge(["2", "2"], [r"\boxed{1+1}", HANGS])
        there = await asyncio.to_thread(verifier.judge, ["2", "3"], [r"\boxed{1+1}", r"\boxed{1+1}"])
        verifier.close()
        return [v.correct for v in here + there]

    assert asyncio.run(judge()) == [True, False, True, False]


def _judge_in_child(verifier: MathVerifier, parent_worker: int) -> None:
    assert verifier.judge(["2", "3"], [r"\boxed{1+1}", r"\boxed{1+1}"])[0].correct
    assert verifier._worker is not None
    assert verifier._worker.pid != parent_worker
    verifier.close()


def test_a_forked_child_starts_its_own_worker() -> None:
    verifier = MathVerifier()
    assert verifier.judge(["2"], [r"\boxed{1+1}"])[0].correct
    worker = verifier._worker
    assert worker is not None
    with verifier._lock:  # as if another thread judged while this one forks
        child = multiprocessing.get_context("fork").Process(target=_judge_in_child, args=(verifier, worker.pid))
        child.start()
    child.join(60)
    assert child.exitcode == 0
    assert worker.alive
    assert verifier.judge(["2"], [r"\boxed{2/1}"])[0].correct
    assert verifier._worker is worker
    verifier.close()


def test_a_script_without_main_guard_whose_verifier_is_never_closed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "print('begin')\n"
        "from selfhint.verify import MathVerifier\n"
        "verifier = MathVerifier()\n"
        "print(verifier.judge(['2', '2'], [r'\\boxed{1+1}', r'\\boxed{1+2}']))\n"
        "print(verifier._worker.pid)\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", str(script)], capture_output=True, text=True, check=True)
    begin, verdicts, worker = done.stdout.splitlines()
    assert begin == "begin"
    assert "reason='match'" in verdicts
    assert "reason='mismatch'" in verdicts
    assert done.stderr == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(worker), 0)


def test_public_bug_reports(rows: Rows) -> None:
    """gb-53 is known to fail: math-verify takes the last number of code-like text for the answer (it runs no code)."""
    verifier = MathVerifier(time_limit=2.0)
    cases = rows("cases/verifier_bugs.jsonl")
    verdicts = verifier.judge([case["gold"] for case in cases], [case["prediction"] for case in cases])
    verifier.close()
    wrong = [c["id"] for c, v in zip(cases, verdicts, strict=True) if (v.correct is True) != c["right"]]
    assert wrong == ["gb-53"]


@pytest.mark.slow
def test_agreement_with_other_graders(verifier: MathVerifier, rows: Rows) -> None:
    """No false positive but a pair that its own source labels both ways; 91 % agreement."""
    cases = [case for case in rows("cases/verifier_cases.jsonl") if "policy" not in case]
    verdicts = verifier.judge([case["gold"] for case in cases], [case["prediction"] for case in cases])
    agree = [(v.correct is True) == c["expected"] for c, v in zip(cases, verdicts, strict=True)]
    false = [c["id"] for c, v in zip(cases, verdicts, strict=True) if v.correct and not c["expected"]]
    assert false == ["gc-0180"]
    assert sum(agree) / len(agree) >= 0.91


@pytest.mark.parametrize("name", ["gsm8k_train_2000", "math500"])
def test_golds_of_data_files(verifier: MathVerifier, rows: Rows, name: str) -> None:
    golds = [row["answer"] for row in rows(f"data/{name}.jsonl")]
    right = verifier.judge(golds, [f"We add them up.\n\\boxed{{{gold}}}" for gold in golds])
    assert [gold for gold, v in zip(golds, right, strict=True) if not v.correct] == []
    sample = random.Random(0).sample(golds, 100)
    others = sample[1:] + sample[:1]
    verdicts = verifier.judge(sample, [f"It is \\boxed{{{other}}}." for other in others])
    assert [v.correct for v in verdicts] == [a == b for a, b in zip(sample, others, strict=True)]
