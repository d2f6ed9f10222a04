from __future__ import annotations

import json
from typing import Any

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.kinds import reasoning_gym as kind_module
from selfhint.verify.kinds.reasoning_gym import ReasoningGymKind


@pytest.fixture(scope="module")
def entry() -> dict[str, Any]:
    library = pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")
    task: dict[str, Any] = library.create_dataset("countdown", size=1, seed=1)[0]
    return task


def reply(gold: object, prediction: str) -> dict[str, Any]:
    from selfhint.verify.judges.reasoning_gym import judge

    request = ReasoningGymKind().quick(gold, prediction)
    if isinstance(request, Verdict):
        return {"reason": request.reason, "reward": request.reward}
    return judge(json.loads(json.dumps(request)))


def test_the_tasks_own_verifier(entry: dict[str, Any]) -> None:
    expression = entry["metadata"]["expression"]
    for right in (f"<answer>1</answer> <answer>{expression}</answer>", rf"\boxed{{{expression}}}", expression):
        given = reply(entry, right)
        assert (given["reason"], given["reward"]) == ("match", 1.0)
    given = reply(json.dumps(entry), r"\boxed{1 + 1}")
    assert given["reason"] == "mismatch"
    assert 0 <= given["reward"] < 1


def test_bad_entries(entry: dict[str, Any]) -> None:
    for gold in (None, "5", "[1]", "{", {}, {"metadata": {}}, {"metadata": {"source_dataset": 3}}):
        assert reply(gold, "5")["reason"] == "gold unreadable"
    assert reply({"metadata": {"source_dataset": "no such task"}}, "5")["reason"] == "crashed"
    assert reply(entry, "")["reason"] == "no answer found"
    assert reply(entry, "1" * 100_001)["reason"] == "no answer found"


def test_canary(entry: dict[str, Any]) -> None:
    from selfhint.verify.judges.reasoning_gym import judge

    for request, expected in ReasoningGymKind().canary():
        assert judge(request)["reason"] == expected


def test_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind_module, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install"):
        ReasoningGymKind()
