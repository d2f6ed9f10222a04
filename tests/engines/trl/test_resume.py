"""kill -9 anywhere, then resume: weights, ledger, hints and logs equal those of an uninterrupted run, bit for bit."""

from __future__ import annotations

import functools
import json

import pytest

from selfhint.engines.trl.checkpoint import last_complete
from support import processes

# 12 problems, 4 a generation step: an epoch is 3 generation steps.
PLAIN = {"updates": 7, "save_steps": 1}
SEVERAL_UPDATES = {"updates": 8, "save_steps": 1, "num_iterations": 2}
REAL_SAMPLING = {**PLAIN, "scripted": False}
SAGE_LIGHT = {**PLAIN, "scheduler": "epoch"}
GATE = {**PLAIN, "scheduler": "gate", "hint_weight": {"kappa": 0.8, "decay": 0.5, "gamma": 1.0}}
WINDOW = {**PLAIN, "scheduler": "window", "scheduler_options": {"groups": 3, "share": 0.7, "seed": 1, "steps": 10}}

CASES = {
    "mid-epoch": (PLAIN, {"update": 2}),
    "epoch-end": (PLAIN, {"update": 3}),
    "later-epoch": (PLAIN, {"update": 5}),
    "later-epoch-real-sampling": (REAL_SAMPLING, {"update": 5}),
    "later-epoch-epoch-scheduler": (SAGE_LIGHT, {"update": 5}),
    "later-epoch-gate-and-weight": (GATE, {"update": 5}),
    "later-epoch-window": (WINDOW, {"update": 5}),
    "in-generation-buffer": (SEVERAL_UPDATES, {"update": 3}),
    "in-generation-buffer-save-every-third": ({**SEVERAL_UPDATES, "save_steps": 3}, {"update": 5}),
    "in-checkpoint-before-our-state": (PLAIN, {"checkpoint": [3, "state"]}),
    "in-checkpoint-before-marker-only-one-kept": (
        {**PLAIN, "save_total_limit": 1},
        {"checkpoint": [3, "marker"]},
    ),
}
FAST_ON_TWO_RANKS = {"later-epoch-real-sampling", "in-generation-buffer"}


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    @functools.cache
    def run(spec, ranks):
        out = tmp_path_factory.mktemp("whole")
        processes.run(out, json.loads(spec), ranks)
        return out

    return lambda spec, ranks: run(json.dumps(spec, sort_keys=True), ranks)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [(name, 1) for name in CASES]
    + [pytest.param(name, 2, marks=() if name in FAST_ON_TWO_RANKS else pytest.mark.slow) for name in CASES],
)
def test_resumed_run_equals_uninterrupted_run(tmp_path, uninterrupted, name, ranks):
    spec, kill = CASES[name]
    whole = uninterrupted(spec, ranks)

    assert processes.run(tmp_path, {**spec, "kill": kill}, ranks) != 0
    assert not (tmp_path / "result-0.json").exists()
    survivor = last_complete(tmp_path)
    assert survivor is not None
    if "checkpoint" in kill:
        assert (tmp_path / f"checkpoint-{kill['checkpoint'][0]}").exists()
        assert survivor.name == f"checkpoint-{kill['checkpoint'][0] - 1}"
    processes.run(tmp_path, {**spec, "resume": True}, ranks)

    for rank in range(ranks):
        resumed, reference = processes.result(tmp_path, rank), processes.result(whole, rank)
        for what in ("weights", "ledger", "advantages"):
            assert resumed[what] == reference[what], what
    assert processes.logs(tmp_path) == processes.logs(whole)
    assert len(processes.logs(whole)["metrics.jsonl"]) >= 4


def test_the_runs_above_use_hints_and_several_epochs(uninterrupted):
    lines = processes.logs(uninterrupted(PLAIN, 1))
    assert max(line["epoch"] for line in lines["groups.jsonl"]) == 2
    assert {line["level"] for line in lines["groups.jsonl"]} == {0, 1, 2, 3}
    assert any(line["refused"] for line in lines["hints.jsonl"])
