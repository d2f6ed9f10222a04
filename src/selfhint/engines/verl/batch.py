"""A step's completions as verl's queue holds them, by key: `uid_session_index`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import transfer_queue as tq
from tensordict import TensorDict


def uid_of(key: str) -> str:
    """The prompt's; a uid may hold the separator."""
    return key.rsplit("_", 2)[0]


def parts_of(key: str) -> tuple[str, int, int]:
    """The prompt's uid, the completion's place in its group, and that of its turn."""
    uid, session, index = key.rsplit("_", 2)
    return uid, int(session), int(index)


def completions_of(uids: Set[str], items: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The keys of what was published for these prompts, among all keys of the queue and their tags."""
    return [key for key, tag in items.items() if not tag.get("is_prompt") and uid_of(key) in uids]


def in_order(keys: Sequence[str], uids: Sequence[str]) -> list[int]:
    """Positions of completions in the order of their prompts, and in their own order within a prompt's group.

    Args:
        uids: of the prompts, in order; others come last.
    """
    places = {uid: place for place, uid in enumerate(uids)}

    def place(i: int) -> tuple[int, str, int, int]:
        uid, session, index = parts_of(keys[i])
        return places.get(uid, len(places)), uid, session, index

    return sorted(range(len(keys)), key=place)


def scale_advantages(batch: Any, uids: Set[str], weight: float) -> None:
    """Multiplies the advantages of these prompts' completions where verl's update takes them."""
    keys = [key for key in batch.keys if uid_of(key) in uids]
    if not keys:
        return
    data = tq.kv_batch_get(keys=keys, partition_id=batch.partition_id, select_fields=["advantages"])
    scaled = TensorDict({"advantages": data["advantages"] * weight}, batch_size=len(keys))
    tq.kv_batch_put(keys=keys, partition_id=batch.partition_id, fields=scaled)
