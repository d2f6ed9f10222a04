"""Answers an episode's requests through verl's rollout servers and reward loop."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict
from selfhint.core.levels import NO_HINT
from selfhint.core.ports import Judge, Sample
from selfhint.engines.seeds import completion_seed
from selfhint.engines.verl.rows import messages_of
from selfhint.engines.verl.verdict import verdict_of

if TYPE_CHECKING:
    from selfhint.engines.verl.worker import HintedAgentLoopWorker

T = TypeVar("T")


class VerlEngine:
    """An `AsyncEngine` for one visit: a group is drawn by the agent loop of the row, a hint by one request.

    Args:
        worker: the agent-loop worker whose servers, tokenizer and reward loop are used.
        row: the visit's row, as verl hands it to agent loops.
        sampling_params: verl's, of a training rollout.
        trajectory: verl's description of the rollout, for its traces.
    """

    def __init__(
        self,
        worker: HintedAgentLoopWorker,
        row: dict[str, Any],
        sampling_params: dict[str, Any],
        trajectory: dict[str, Any],
    ) -> None:
        self._worker = worker
        self._row = row
        self._sampling_params = sampling_params
        self._trajectory = trajectory

    async def sample(self, request: Sample) -> list[Completion]:
        """Completions of one request, all in flight at once."""
        draw = self._solve if request.purpose == "solve" else self._ask
        return await all_settled([draw(request, i) for i in range(request.num)])

    async def _solve(self, request: Sample, index: int) -> Completion:
        outputs = await self._worker.draw_unpublished(
            self._params(request, index), self._trajectory, {**self._row, "raw_prompt": request.prompt}, index
        )
        if self._worker.settings.hint_source != "none":
            self._check_asked(request, outputs[0].prompt_ids)
        tokens = [
            t for output in outputs for t, ours in zip(output.response_ids, output.response_mask, strict=True) if ours
        ]
        text = self._worker.tokenizer.decode(tokens, skip_special_tokens=True)
        return Completion(text=text, num_tokens=len(tokens), raw=outputs)

    def _check_asked(self, request: Sample, prompt_ids: Sequence[int]) -> None:
        """What the update will condition on must hold the hint.

        Raises:
            InputError: the agent loop does not ask what the row's prompt says, or the prompt was cut.
        """
        if request.level == NO_HINT and len(prompt_ids) >= self._worker.rollout_config.prompt_length:
            return  # verl cuts rows that are too long and trains on them; no hint fits into such a prompt
        asked = _letters(self._worker.tokenizer.decode(prompt_ids))
        for message in messages_of(request.prompt):
            if message["role"] == "user" and _letters(message["content"]) not in asked:
                raise InputError(
                    f"agent loop {self._row['agent_name']}: the prompt it sent does not hold the user message "
                    f"{message['content'][-60:]!r}, so a hint would have no effect; let it send raw_prompt as it gets "
                    "it, raise data.max_prompt_length, or set selfhint.method=grpo"
                )

    async def _ask(self, request: Sample, index: int) -> Completion:
        return await self._worker.ask(
            request.prompt,
            {
                **self._params(request, index),
                "logprobs": False,
                "max_tokens": self._worker.settings.hints.max_tokens,
            },
        )

    def _params(self, request: Sample, index: int) -> dict[str, Any]:
        seed = self._worker.settings.seed
        if seed is None:
            return dict(self._sampling_params)
        return {**self._sampling_params, "seed": completion_seed(seed, request, index)}

    async def judge(self, request: Judge) -> list[Verdict]:
        """Verdicts of one group, from verl's reward loop."""
        return await all_settled([self._judge(completion) for completion in request.completions])

    async def _judge(self, completion: Completion) -> Verdict:
        outputs, settings = completion.raw, self._worker.settings
        await self._worker.score(outputs, self._row)
        returned = outputs[-1].extra_fields.get("reward_extra_info") or {}
        return verdict_of(outputs[-1].reward_score, returned, settings.correct, settings.correct_at_least)


async def all_settled(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Results in order. An error is raised after all have ended, so that nothing is under way behind its back."""
    results = await asyncio.gather(*coroutines, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


def _letters(text: str) -> str:
    """A text without white space and in one Unicode form, since tokenizers change both on the way."""
    return "".join(unicodedata.normalize("NFKC", text).split())
