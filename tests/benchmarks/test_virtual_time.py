"""Simulated sleeping: in the right order, to the right time, without waiting."""

from __future__ import annotations

import asyncio

import pytest
from virtual_time import run_in_virtual_time


def test_sleepers_wake_in_order_at_their_own_times():
    woken = []

    async def sleeper(name, *naps):
        for nap in naps:
            await asyncio.sleep(nap)
        woken.append((name, asyncio.get_running_loop().time()))

    async def main():
        await asyncio.gather(sleeper("days", 400_000.0), sleeper("twice", 1.0, 1.5), sleeper("once", 2.0))
        return "done"

    assert run_in_virtual_time(main()) == ("done", 400_000.0)
    assert woken == [("once", 2.0), ("twice", 2.5), ("days", 400_000.0)]


def test_a_stuck_simulation_raises():
    async def main():
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="stuck"):
        run_in_virtual_time(main())
