"""Whether a completion is correct. Add a kind of answer in `kinds/`; every kind is judged by a `PooledVerifier`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from selfhint.core.errors import InputError
from selfhint.verify.kinds import KINDS
from selfhint.verify.pooled import CACHE_SIZE, NUM_WORKERS, TIME_LIMIT, PooledVerifier


def make_verifier(
    kind: str,
    *,
    time_limit: float = TIME_LIMIT,
    workers: int = NUM_WORKERS,
    cache_size: int = CACHE_SIZE,
    **options: Any,
) -> PooledVerifier:
    """The verifier of a kind.

    Args:
        kind: a name in `KINDS`, or `module:name` for a function of the user's.
        time_limit, workers, cache_size: as `PooledVerifier` takes them.
        options: what the kind itself takes.

    Raises:
        InputError: there is no such kind, or an argument does not suit it.
    """
    if ":" in kind:
        kind, options = "function", {"function": kind, **options}
    if kind not in KINDS:
        raise InputError(f"verifier kind {kind}: no such kind; use one of {', '.join(KINDS)}, or module:name")
    known = inspect.signature(KINDS[kind]).parameters
    unknown = [name for name in options if name not in known]
    if unknown:
        has = f"it takes {', '.join(known)}" if known else "it takes none"
        raise InputError(f"verifier {kind}: no option {unknown[0]}; {has}")
    try:
        made = KINDS[kind](**options)
    except TypeError as error:
        raise InputError(f"verifier {kind}: {error}; correct its options") from error
    return PooledVerifier(made, time_limit=time_limit, workers=workers, cache_size=cache_size)


VERIFIERS: dict[str, Callable[..., PooledVerifier]] = {kind: functools.partial(make_verifier, kind) for kind in KINDS}
"""Recipe name → what makes the verifier; keyword arguments are the recipe's `verifier` group."""

__all__ = ["VERIFIERS", "PooledVerifier", "make_verifier"]
