"""Two ways to run episodes: all in lock-step against a batch engine, or each as its own coroutine."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Sequence
from typing import TypeVar

from selfhint.core.episode import Episode
from selfhint.core.group import Visit
from selfhint.core.ports import AsyncEngine, BatchEngine, Judge, Purpose, Reply, Request, Sample

T = TypeVar("T")
ASKED_FIRST: tuple[Purpose, ...] = ("hint", "teach", "solve")
"""All problems that need hints have them before any group is drawn."""


def drive_lockstep(episodes: Sequence[Generator[Request, Reply, T]], engine: BatchEngine) -> list[T]:
    """Runs episodes (or hint sessions) to their ends, answering as many open requests as possible in each call.

    Hint requests go first, then groups, then verdicts: all problems that need hints have them before any group is
    drawn, so that each rung of the ladder is one generation call.

    Returns:
        What they return (episodes: the visits), in the order of `episodes`.
    """
    results: dict[int, T] = {}
    open_requests: dict[int, Request] = {}

    def advance(i: int, reply: Reply | None) -> None:
        try:
            open_requests[i] = next(episodes[i]) if reply is None else episodes[i].send(reply)
        except StopIteration as end:
            open_requests.pop(i, None)
            results[i] = end.value

    try:
        for i in range(len(episodes)):
            advance(i, None)
        while open_requests:
            waiting = sorted(open_requests)
            chosen = waiting
            for purpose in ASKED_FIRST:
                if asking := [i for i in waiting if _is_sample(open_requests[i], purpose)]:
                    chosen = asking
                    break
            replies = _answer(engine, [open_requests[i] for i in chosen])
            for i, reply in zip(chosen, replies, strict=True):
                advance(i, reply)
    finally:
        for episode in episodes:
            episode.close()
    return [results[i] for i in range(len(episodes))]


def _is_sample(request: Request, purpose: Purpose) -> bool:
    return isinstance(request, Sample) and request.purpose == purpose


def _answer(engine: BatchEngine, requests: list[Request]) -> Sequence[Reply]:
    samples = [r for r in requests if isinstance(r, Sample)]
    if samples:
        return engine.sample(samples)
    return engine.judge([r for r in requests if isinstance(r, Judge)])


async def drive_async(episode: Episode, engine: AsyncEngine) -> Visit:
    """Runs one episode to its end; run many of them concurrently and none waits for another."""
    try:
        request = next(episode)
        while True:
            reply: Reply
            if isinstance(request, Sample):
                reply = await engine.sample(request)
            else:
                reply = await engine.judge(request)
            request = episode.send(reply)
    except StopIteration as end:
        visit: Visit = end.value
        return visit
    finally:
        episode.close()


async def drive_all_async(episodes: Sequence[Episode], engine: AsyncEngine) -> list[Visit]:
    """Runs episodes concurrently; returns their visits in the order given. The first error cancels the others."""
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(drive_async(episode, engine)) for episode in episodes]
    return [task.result() for task in running]
