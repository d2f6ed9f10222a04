"""Engines that answer from a function instead of a model: for tests, dry runs and simulations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import Judge, Request, Sample
from selfhint.core.problem import Problem

Script = Callable[[Sample, int], str]
"""The text of the i-th completion of a request."""


def _equals_answer(problem: Problem, text: str) -> bool | None:
    return text == problem.answer


class ScriptedEngine:
    """A `BatchEngine` over a script.

    Args:
        script: gives each completion's text.
        is_correct: judges a text; None where nothing can be said.
        num_tokens: length of a text in tokens.
    """

    def __init__(
        self,
        script: Script,
        is_correct: Callable[[Problem, str], bool | None] = _equals_answer,
        num_tokens: Callable[[str], int] = len,
    ) -> None:
        self._script = script
        self._is_correct = is_correct
        self._num_tokens = num_tokens

    def sample_one(self, request: Sample) -> list[Completion]:
        """The completions of one request."""
        texts = [self._script(request, i) for i in range(request.num)]
        return [Completion(text, self._num_tokens(text)) for text in texts]

    def judge_one(self, request: Judge) -> list[Verdict]:
        """The verdicts of one request."""
        return [Verdict.of(self._is_correct(request.problem, c.text)) for c in request.completions]

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Answers in order."""
        return [self.sample_one(request) for request in requests]

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """Answers in order."""
        return [self.judge_one(request) for request in requests]


class ScriptedAsyncEngine:
    """An `AsyncEngine` over a scripted engine, whose replies come when `wait` says so."""

    def __init__(self, engine: ScriptedEngine, wait: Callable[[Request], Awaitable[None]]) -> None:
        self._engine = engine
        self._wait = wait

    async def sample(self, request: Sample) -> list[Completion]:
        """Answers after waiting."""
        await self._wait(request)
        return self._engine.sample_one(request)

    async def judge(self, request: Judge) -> list[Verdict]:
        """Answers after waiting."""
        await self._wait(request)
        return self._engine.judge_one(request)
