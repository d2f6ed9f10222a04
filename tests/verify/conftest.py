from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from selfhint.core.group import Verdict
from selfhint.verify import PooledVerifier, make_verifier, pooled
from selfhint.verify.pool import WorkerPool

SHARED = Path(__file__).parents[3] / "shared"

SCRIPTED_WORKER = """
import json, os, pathlib, sys, time
from multiprocessing.connection import Connection
connection = Connection(int(sys.argv[1]))
served = 0
while True:
    try:
        request = json.loads(connection.recv_bytes())
    except EOFError:
        break
    served += 1
    if "log" in request:
        with open(request["log"], "a") as log:
            log.write(f"{os.getpid()}\\n")
    if "touch" in request:
        pathlib.Path(request["touch"]).touch()
    while "wait_for" in request and not os.path.exists(request["wait_for"]):
        time.sleep(0.01)
    while "hang" in request:
        time.sleep(1)
    if "exit" in request or served > request.get("exit_after", served):
        os._exit(3)
    reason = request.get("reason", "match")
    if served > request.get("right_until", served):
        reason = "mismatch"
    reply = request.get("reply", {"reason": reason, "extracted": str(request.get("text"))})
    connection.send_bytes(json.dumps(reply).encode())
"""


@dataclass(frozen=True)
class ScriptedKind:
    """A kind whose "prediction" is the request that a scripted worker obeys."""

    known: tuple[tuple[dict[str, Any], str], ...] = (({}, "match"), ({"reason": "mismatch"}, "mismatch"))
    name: str = "scripted"

    def quick(self, gold: object, prediction: dict[str, Any]) -> Verdict | dict[str, Any]:
        return {"gold": gold, "extracted": prediction.get("text"), **prediction}

    def canary(self) -> tuple[tuple[dict[str, Any], str], ...]:
        return self.known


@pytest.fixture
def scripted_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Name of a worker module that does what it is asked: see the file."""
    (tmp_path / "scripted_worker.py").write_text(SCRIPTED_WORKER)
    monkeypatch.syspath_prepend(tmp_path)
    return "scripted_worker"


@pytest.fixture
def scripted(scripted_module: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., PooledVerifier]]:
    """Makes verifiers with scripted workers and closes them."""

    def pool(*args: Any, **kwargs: Any) -> WorkerPool:
        return WorkerPool(*args, **kwargs, module=scripted_module)

    made = []

    def make(known: Any = ScriptedKind.known, **options: Any) -> PooledVerifier:
        made.append(PooledVerifier(ScriptedKind(known), **options))
        return made[-1]

    monkeypatch.setattr(pooled, "WorkerPool", pool)
    yield make
    for verifier in made:
        verifier.close()


@pytest.fixture(scope="session")
def verifier() -> Iterator[PooledVerifier]:
    """The mathematics verifier of all tests that only ask."""
    verifier = make_verifier("math")
    yield verifier
    verifier.close()


@pytest.fixture
def rows() -> Callable[[str], list[dict[str, Any]]]:
    """Rows of a file in the local data folder; skips the test where it is absent."""

    def read(name: str) -> list[dict[str, Any]]:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"the local data folder has no {name}")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return read
