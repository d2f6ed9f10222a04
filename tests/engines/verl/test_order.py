"""A step's groups stand in the order of the data, whatever order they came in: mini-batches are slices of it."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from support.installed import needs_verl

pytestmark = needs_verl

KEYS = ["u_1_0_0", "u_1_1_0", "u_1_10_0", "u_2_0_0", "u_2_1_0", "u_2_10_0"]  # uids may hold the separator


@pytest.mark.parametrize("arrived", list(itertools.permutations(KEYS))[::31])
def test_any_arrival_comes_out_alike(arrived):
    from selfhint.engines.verl.batch import in_order

    assert [arrived[i] for i in in_order(arrived, ["u_2", "u_1"])] == [*KEYS[3:], *KEYS[:3]]


def test_completions_of_several_turns_and_of_unknown_prompts_keep_an_order():
    from selfhint.engines.verl.batch import in_order

    keys = ["x_0_0", "u_0_1", "a_0_0", "u_0_0"]
    assert [keys[i] for i in in_order(keys, ["u"])] == ["u_0_0", "u_0_1", "a_0_0", "x_0_0"]


def test_verl_balances_what_is_in_order(monkeypatch):
    from selfhint.engines.verl import trainer as module

    class Batch(SimpleNamespace):
        def reorder(self, places):
            self.keys = [self.keys[i] for i in places]

    seen = []

    def balance(self, batch, metrics, logging_prefix="p"):
        seen.append((list(batch.keys), metrics, logging_prefix))
        return "balanced"

    monkeypatch.setattr(module.PPOTrainerSync, "_balance_batch", balance)
    trainer = module.HintedTrainer.__new__(module.HintedTrainer)
    trainer._dispatched = {"b": "key", "a": "key"}
    metrics = {}
    batch = Batch(keys=["a_0_0", "b_1_0", "a_1_0", "b_0_0"])
    assert trainer._balance_batch(batch, metrics, logging_prefix="q") == "balanced"
    assert seen == [(["b_0_0", "b_1_0", "a_0_0", "a_1_0"], metrics, "q")]
