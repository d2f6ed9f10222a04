"""Workers may die and shares may fail: the trainer hears of every visit's end. Ray and the queue are stand-ins here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from selfhint.core.errors import InputError, RunError
from support.installed import needs_verl

pytestmark = needs_verl

PROMPTS = 4


class Queue:
    """Tags by key, as TransferQueue keeps them."""

    def __init__(self, tags):
        self.tags = tags

    def kv_list(self, partition):
        return {partition: dict(self.tags)}

    def kv_clear(self, keys, partition_id):
        for key in keys:
            del self.tags[key]

    def kv_batch_put(self, keys, partition_id, tags):
        for key, tag in zip(keys, tags, strict=True):
            self.tags.setdefault(key, {}).update(tag)

    def statuses(self):
        return [self.tags[f"u{i}"]["status"] for i in range(PROMPTS)]


@pytest.fixture
def queue(monkeypatch):
    from selfhint.engines.verl import manager as module

    made = Queue({f"u{i}": {"is_prompt": True, "status": "pending"} for i in range(PROMPTS)})
    monkeypatch.setattr(module, "tq", made)
    monkeypatch.setattr(module, "ray", SimpleNamespace(get=lambda call: call()))
    return made


def batch():
    import torch
    from verl.utils import tensordict_utils as tu

    return tu.get_tensordict(
        {"uid": [f"u{i}" for i in range(PROMPTS)], "row": torch.arange(PROMPTS)}, {"global_steps": 1}
    )


def worker(queue, *ends):
    """Each call gets the next of `ends`: a list of failures, or an error after `done` visits of it."""
    ends, calls = list(ends), []

    def run_visits(share):
        uids = list(share["uid"])
        calls.append(uids)
        end = ends.pop(0) if ends else []

        def answer():
            done, error = end if isinstance(end, tuple) else (len(uids), None)
            for uid in uids[:done]:
                queue.kv_batch_put([uid], "train", [{"status": "finished"}])
                queue.tags[f"{uid}_0_0"] = {"status": "success"}
            if error is not None:
                raise error
            return end

        return answer

    return SimpleNamespace(run_visits=SimpleNamespace(remote=run_visits), calls=calls)


def manager(*workers):
    from selfhint.engines.verl.manager import HintedAgentLoopManager

    made = HintedAgentLoopManager.__new__(HintedAgentLoopManager)
    made.agent_loop_workers = list(workers)
    made._watchers, made._failures = [], []
    return made


def death():
    from ray.exceptions import RayActorError

    return RayActorError()


def test_every_share_is_run_and_its_failures_are_counted_once(queue):
    workers = worker(queue, ["TypeError: x"]), worker(queue, ["TypeError: x", "OSError: y"])
    made = manager(*workers)
    made.generate_sequences(batch())
    assert made.failures() == {"TypeError: x": 2, "OSError: y": 1}
    assert made.failures() == {}
    assert [w.calls for w in workers] == [[["u0", "u1"]], [["u2", "u3"]]]
    assert queue.statuses() == ["finished"] * PROMPTS


def test_what_a_dead_worker_left_is_run_by_the_next(queue):
    workers = worker(queue, (1, death())), worker(queue)
    made = manager(*workers)
    made.generate_sequences(batch())
    assert made.failures() == {}
    assert sorted(workers[1].calls) == [["u1"], ["u2", "u3"]]
    assert queue.statuses() == ["finished"] * PROMPTS


def test_a_worker_that_dies_after_its_last_visit_leaves_nothing(queue):
    workers = worker(queue, (2, death())), worker(queue)
    made = manager(*workers)
    made.generate_sequences(batch())
    assert made.failures() == {}
    assert workers[1].calls == [["u2", "u3"]]


def test_a_share_that_kills_its_workers_stops_the_run(queue):
    made = manager(worker(queue, *[(0, death())] * 3))
    made.generate_sequences(batch())
    with pytest.raises(RunError, match="same 4 problems lost their agent-loop worker 3 times"):
        made.failures()
    assert queue.statuses() == ["failure"] * PROMPTS


@pytest.mark.parametrize("error", [ValueError("odd batch"), InputError("mine")])
def test_a_share_that_cannot_be_run_ends_for_the_trainer_too(queue, error):
    """Else it would wait for these prompts for ever."""
    made = manager(worker(queue, (0, error)))
    made.generate_sequences(batch())
    with pytest.raises(InputError if isinstance(error, InputError) else RunError, match=str(error)):
        made.failures()
    assert queue.statuses() == ["failure"] * PROMPTS


def test_an_error_that_no_repetition_mends_is_raised(queue):
    made = manager(worker(queue, ["OSError: y", InputError("name the reward")]))
    made.generate_sequences(batch())
    with pytest.raises(InputError, match="name the reward"):
        made.failures()
    assert made.failures() == {}, "it is told once"


def test_half_published_groups_are_removed_and_whole_ones_stay(queue):
    from selfhint.engines.verl.manager import unfinished

    states = ["finished", "running", "failure", "pending"]
    for i, status in enumerate(states):
        queue.tags[f"u{i}"]["status"] = status
        queue.tags[f"u{i}_0_0"] = {"status": "success"}
        queue.tags[f"u{i}_1_0"] = {"status": "success"}
    queue.tags["other_0_0"] = {"status": "success"}
    left = unfinished(batch())
    assert list(left["uid"]) == ["u1", "u3"]
    assert left["row"].tolist() == [1, 3]
    assert left["global_steps"] == 1
    outputs = [key for key in queue.tags if "_" in key]
    assert outputs == ["u0_0_0", "u0_1_0", "u2_0_0", "u2_1_0", "other_0_0"]
    for i in (1, 3):
        queue.tags[f"u{i}"]["status"] = "finished"
    assert unfinished(batch()) is None


def test_an_error_that_no_repetition_mends_ends_what_would_be_sent_for_ever(queue):
    mend = InputError("name another reward")
    made = manager(worker(queue, [mend]))
    made.generate_sequences(batch())
    for watcher in made._watchers:
        watcher.join()
    with pytest.raises(InputError, match="name another"):
        made.generate_sequences(batch())
