"""Engines that send requests of purpose `teach` to the teacher and all others inwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from selfhint.core.errors import SelfHintError
from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import AsyncEngine, BatchEngine, Judge, Sample
from selfhint.engines.teacher.client import Teacher

Answers = list[list[Completion]] | SelfHintError
Share = Callable[[Answers | None], Answers]
"""Gives every process what the first one has; the others hand in None."""


def _alone(answers: Answers | None) -> Answers:
    assert answers is not None
    return answers


class TeacherBatchRouter:
    """A `BatchEngine` around another.

    Args:
        inner: answers everything else.
        teacher: None on processes that do not ask: they get what the first one got.
        share: carries the answers to all processes of a run.
    """

    def __init__(self, inner: BatchEngine, teacher: Teacher | None, share: Share = _alone) -> None:
        self._inner = inner
        self._teacher = teacher
        self._share = share
        self.seconds = 0.0
        """Time spent waiting for the teacher."""

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Answers in order.

        Raises:
            SelfHintError: asking cannot go on; on every process.
        """
        if requests[0].purpose != "teach":
            return self._inner.sample(requests)
        started = time.perf_counter()
        answers = self._share(self._ask(requests))
        self.seconds += time.perf_counter() - started
        if isinstance(answers, SelfHintError):
            raise answers
        return answers

    def _ask(self, requests: Sequence[Sample]) -> Answers | None:
        if self._teacher is None:
            return None
        try:
            waiting = [self._teacher.ask(request) for request in requests]
            return [[future.result()] for future in waiting]
        except SelfHintError as error:  # the other processes wait for news
            return error

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """The inner engine's verdicts."""
        return self._inner.judge(requests)


class TeacherAsyncRouter:
    """An `AsyncEngine` around another."""

    def __init__(self, inner: AsyncEngine, teacher: Teacher) -> None:
        self._inner = inner
        self._teacher = teacher

    async def sample(self, request: Sample) -> list[Completion]:
        """The teacher's or the inner engine's completions."""
        if request.purpose != "teach":
            return await self._inner.sample(request)
        # Other visits may wait for the same answer: one that is cancelled must not take it from them.
        return [await asyncio.shield(asyncio.wrap_future(self._teacher.ask(request)))]

    async def judge(self, request: Judge) -> list[Verdict]:
        """The inner engine's verdicts."""
        return await self._inner.judge(request)
