"""Plain GRPO through our entry point is verl's own."""

from __future__ import annotations

import pytest
import torch
from verl_support import tiny
from verl_support.run import run_verl

pytestmark = [pytest.mark.verl]
WORDS = ["trainer.total_training_steps=3", "trainer.save_freq=3", "actor_rollout_ref.actor.optim.lr=1e-2"]
LOAD = ("timing", "perf/", "actor/perf/", "global_seqlen/")
"""Metrics of time, memory and of which rank took which row: verl deals rows out in the order in which they came in."""


def trained(module, folder, files, *words):
    # one replica, which seeds a request by its prompt and by how often that was asked
    done = run_verl(module, folder, [*files.overrides("digits_score"), *WORDS, *words], ranks=2, replicas=1)
    assert done.returncode == 0, done.output
    return done, [
        {name: value.to_local() for name, value in torch.load(path, weights_only=False).items()}
        for path in sorted((folder / "checkpoints" / "global_step_3" / "actor").glob("model_world_size_*.pt"))
    ]


def test_metrics_and_weights(tmp_path):
    files = tiny.build(tmp_path)
    stock, theirs = trained("verl.trainer.main_ppo", tmp_path / "stock", files)
    ours, mine = trained("selfhint.engines.verl", tmp_path / "ours", files, "selfhint.method=grpo")
    assert sorted((r["step"], r["prompt"], r["seed"], r["completion"]) for r in ours.requests) == sorted(
        (r["step"], r["prompt"], r["seed"], r["completion"]) for r in stock.requests
    )
    assert len(mine) == 2
    for a, b in zip(mine, theirs, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            # Sums in another order; three steps of Adam at this rate move a weight by up to 3e-2.
            torch.testing.assert_close(a[name], b[name], rtol=0, atol=1e-4)
    for step in (1, 2, 3):
        compared = {name: value for name, value in stock.metrics[step].items() if not name.startswith(LOAD)}
        assert "actor/grad_norm" in compared
        assert compared["actor/grad_norm"] > 0
        for name, value in compared.items():
            assert ours.metrics[step][name] == pytest.approx(value, rel=1e-4, abs=1e-6, nan_ok=True), name
