"""A completion's seed follows from what it is, so that the order in which requests are answered changes nothing."""

from __future__ import annotations

import hashlib

from selfhint.core.ports import Sample


def completion_seed(seed: int, request: Sample, index: int) -> int:
    """The seed of the `index`-th completion of a request: 31 bits of a hash of the run's seed and its identity."""
    identity = (seed, request.key, request.visit, request.level, request.purpose, request.attempt, index)
    digest = hashlib.sha256(repr(identity).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1
