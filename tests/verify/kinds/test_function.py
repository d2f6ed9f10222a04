from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from selfhint.core.errors import InputError, RunError
from selfhint.core.group import Verdict
from selfhint.verify import make_verifier
from selfhint.verify.judges.function import judge
from selfhint.verify.kinds.function import FunctionKind

SCORES = """
def score(gold, prediction):
    if prediction == "raise":
        raise ValueError("no such answer")
    return {"none": None, "text": "text", "nan": float("nan")}.get(prediction, gold)

class Task:
    @staticmethod
    def score(gold, prediction):
        print("never seen")
        return prediction == str(gold)

def hang(gold, prediction):
    while True:
        pass

number = 3
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_scores.py").write_text(SCORES)
    monkeypatch.syspath_prepend(tmp_path)


def asked(function: str, gold: object, prediction: str) -> dict[str, Any]:
    request = FunctionKind(function).quick(gold, prediction)
    assert not isinstance(request, Verdict)
    return judge(request)


@pytest.mark.parametrize(
    ("gold", "reason", "reward"),
    [
        (True, "match", 1.0),
        (False, "mismatch", 0.0),
        (0.25, "mismatch", 0.25),
        (1, "match", 1.0),
        (1.5, "match", 1.5),
    ],
)
def test_scores(gold: object, reason: str, reward: float) -> None:
    reply = asked("my_scores:score", gold, "5")
    assert (reply["reason"], reply["reward"]) == (reason, reward)


def test_what_a_function_may_not_say() -> None:
    assert asked("my_scores:score", 1, "none")["reason"] == "gold unreadable"
    for prediction in ("raise", "text", "nan"):
        reply = asked("my_scores:score", 1, prediction)
        assert (reply["reason"], reply["reward"]) == ("crashed", 0.0)
        assert reply["error"].startswith("ValueError")


def test_in_a_worker() -> None:
    verifier = make_verifier("function", function="my_scores:Task.score", workers=1)
    verdicts = verifier.judge([5, "6", [7]], ["5", "5", "[7]"])
    verifier.close()
    assert [(v.correct, v.reward) for v in verdicts] == [(True, 1.0), (False, 0.0), (True, 1.0)]


def test_one_that_hangs() -> None:
    verifier = make_verifier("function", function="my_scores:hang", time_limit=0.5, workers=1)
    (verdict,) = verifier.judge([1], ["1"])
    verifier.close()
    assert (verdict.correct, verdict.reason) == (False, "timed out")


@pytest.mark.parametrize("function", ["my_scores:absent", "absent_module:score", "my_scores:number"])
def test_one_that_cannot_be_loaded_stops_the_run(function: str) -> None:
    verifier = make_verifier("function", function=function, workers=1)
    with pytest.raises(RunError, match="verifier function"):
        verifier.judge([1], ["1"])
    verifier.close()


@pytest.mark.parametrize("function", ["", "module", "module:", ":name", "a b:c", "a:b()", "os;:x"])
def test_name(function: str) -> None:
    with pytest.raises(InputError, match="module:name"):
        FunctionKind(function)


def test_gold_that_is_no_json() -> None:
    loop: list[Any] = []
    loop.append(loop)
    verdict = FunctionKind("my_scores:score").quick(loop, "1")
    assert isinstance(verdict, Verdict)
    assert verdict.correct is None
    assert asked("my_scores:Task.score", Path("a"), "a")["reason"] == "match"
