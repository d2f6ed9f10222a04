"""An asyncio event loop whose clock leaps to the next timer: sleeping takes no time, and runs repeat exactly."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _LeapingSelector(selectors.SelectSelector):
    """Where a real selector waits for its timeout, this one moves the clock by it. No file ever becomes ready."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("every task waits and no timer is set: the simulation is stuck")
        self.now += max(0.0, timeout)
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """`time()` begins at 0 and counts simulated seconds. No sockets, threads or subprocesses."""

    def __init__(self) -> None:
        self._clock = _LeapingSelector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Simulated seconds since the loop was made."""
        return self._clock.now


def run_in_virtual_time(main: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Runs a coroutine to its end; its result and the simulated seconds it took.

    Raises:
        RuntimeError: every task waits and none sleeps.
    """
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        result = runner.run(main)
        return result, runner.get_loop().time()
