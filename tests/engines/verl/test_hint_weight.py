"""The weight of hinted groups reaches the advantages that verl's update reads. The queue is a stand-in."""

from __future__ import annotations

from types import SimpleNamespace

from support.installed import needs_verl

pytestmark = needs_verl


class Queue:
    """Nested advantages by key, as TransferQueue keeps them."""

    def __init__(self, rows):
        self.rows = rows

    def kv_batch_get(self, keys, partition_id, select_fields):
        import torch

        assert (partition_id, select_fields) == ("train", ["advantages"])
        return {"advantages": torch.nested.as_nested_tensor([self.rows[key] for key in keys], layout=torch.jagged)}

    def kv_batch_put(self, keys, partition_id, fields):
        assert partition_id == "train"
        self.rows |= dict(zip(keys, fields["advantages"].unbind(), strict=True))


def test_only_the_completions_of_the_named_prompts_are_scaled(monkeypatch):
    import torch

    from selfhint.engines.verl import batch as module

    keys = ["u_1_0_0", "u_1_1_0", "u_2_0_0", "u_2_1_0"]  # uids may hold the separator
    rows = {key: torch.full((length,), 2.0) for key, length in zip(keys, (3, 1, 2, 4), strict=True)}
    queue = Queue(dict(rows))
    monkeypatch.setattr(module, "tq", queue)
    batch = SimpleNamespace(keys=keys, partition_id="train")
    module.scale_advantages(batch, set(), 0.5)
    assert all(queue.rows[key] is rows[key] for key in keys)
    module.scale_advantages(batch, {"u_2"}, 0.25)
    assert [queue.rows[key].tolist() for key in keys] == [[2.0] * 3, [2.0], [0.5] * 2, [0.5] * 4]
