"""Whether two runs of the riddles ended alike."""

from __future__ import annotations

import json

import torch

from verl_support import riddle_run


def weights(folder, step):
    paths = sorted((folder / "checkpoints" / f"global_step_{step}" / "actor").glob("model_world_size_*.pt"))
    assert len(paths) == 2
    return [
        {
            name: value.to_local() if hasattr(value, "to_local") else value
            for name, value in torch.load(p, weights_only=False).items()
        }
        for p in paths
    ]


def assert_same_end(folder, undisturbed):
    for name in ("groups.jsonl", "hints.jsonl", "metrics.jsonl"):
        assert riddle_run.lines(folder, name) == riddle_run.lines(undisturbed, name)
    states = [
        json.loads((f / "checkpoints" / "global_step_3" / "selfhint_state.json").read_bytes())
        for f in (folder, undisturbed)
    ]
    assert states[0]["ledger"] == states[1]["ledger"]
    for mine, theirs in zip(weights(folder, 3), weights(undisturbed, 3), strict=True):
        assert mine.keys() == theirs.keys()
        for name in mine:
            torch.testing.assert_close(mine[name], theirs[name], rtol=0, atol=1e-6)
