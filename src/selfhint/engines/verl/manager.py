"""verl's agent-loop manager with workers that may die: their unfinished visits are run again by another."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from typing import Any

import ray
import transfer_queue as tq
from ray.exceptions import ActorUnavailableError, RayActorError
from verl.trainer.ppo.v1 import AgentLoopManagerTQ

from selfhint.core.errors import RunError, SelfHintError
from selfhint.engines.verl.batch import completions_of
from selfhint.engines.verl.report import Failure, first_line
from selfhint.engines.verl.worker import HintedAgentLoopActor

logger = logging.getLogger(__name__)

MAX_LOSSES = 3
"""How often the same share of a batch may be lost before the run stops: something in it kills its workers."""
OPEN = ("pending", "running")


class HintedAgentLoopManager(AgentLoopManagerTQ):  # type: ignore[misc]
    """Dispatches rows to workers and stays with them until every visit has ended."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.agent_loop_workers_class = HintedAgentLoopActor
        self._watchers: list[threading.Thread] = []
        self._failures: list[Failure] = []

    def generate_sequences(self, prompts: Any) -> None:
        """Dispatches a batch without waiting for it, as verl wants it. Validation goes verl's own way.

        Raises:
            SelfHintError: a visit sent before met an error that no repetition mends.
        """
        if "validate" in prompts:
            super().generate_sequences(prompts)
            return
        for failure in list(self._failures):  # verl sends more where visits failed, and would do so for ever
            if isinstance(failure, SelfHintError):
                raise failure
        for i, share in enumerate(prompts.chunk(len(self.agent_loop_workers))):
            watcher = threading.Thread(target=self._watch, args=(share, i), name=f"visits of worker {i}", daemon=True)
            self._watchers.append(watcher)
            watcher.start()

    def _watch(self, share: Any, worker: int) -> None:
        """Runs a share of a batch on a worker, and what a dying worker left of it on the next."""
        try:
            for _ in range(MAX_LOSSES):
                try:
                    self._failures += ray.get(self.agent_loop_workers[worker].run_visits.remote(share))
                    if (left := unfinished(share)) is not None:  # their ends could not be marked
                        _fail(list(left["uid"]))
                    return
                except RayActorError as death:
                    if isinstance(death, ActorUnavailableError):  # it may be alive, and would publish the same groups
                        ray.kill(self.agent_loop_workers[worker], no_restart=False)
                    logger.warning("agent-loop worker %d died (%s); its unfinished visits are run again", worker, death)
                    share = unfinished(share)
                    worker = (worker + 1) % len(self.agent_loop_workers)
                    if share is None:
                        return
            raise RunError(f"the same {len(share)} problems lost their agent-loop worker {MAX_LOSSES} times")
        except Exception as error:
            # The trainer waits for these prompts: it must see them end before it can hear of the error.
            logger.exception("the visits of worker %d could not be run", worker)
            self._failures.append(error if isinstance(error, SelfHintError) else RunError(first_line(error)))
            _fail(list(share["uid"]))

    def failures(self) -> Counter[str]:
        """What the visits dispatched since the last call failed of. Waits until the workers are done with them.

        Raises:
            SelfHintError: one failed of an error that no repetition mends.
        """
        for watcher in self._watchers:
            watcher.join()
        found, self._failures = self._failures, []
        self._watchers.clear()
        for failure in found:
            if isinstance(failure, SelfHintError):
                raise failure
        return Counter(str(failure) for failure in found)


def _fail(uids: list[str]) -> None:
    tq.kv_batch_put(keys=uids, partition_id="train", tags=[{"status": "failure"} for _ in uids])


def unfinished(share: Any) -> Any:
    """The rows of a dead worker's share whose groups were not published whole; what it published of them is removed.

    Returns:
        A batch like `share`, or None where every row was done.
    """
    items = tq.kv_list("train").get("train", {})
    open_rows = [i for i, uid in enumerate(share["uid"]) if items.get(uid, {}).get("status") in OPEN]
    uids = {share["uid"][i] for i in open_rows}
    halves = completions_of(uids, items)
    if halves:
        tq.kv_clear(keys=halves, partition_id="train")
    return share[open_rows] if open_rows else None
