"""Answers an episode's requests through a GRPOTrainer's own generation and reward functions, on every rank at once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from accelerate.utils import gather_object

from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import Judge, Sample
from selfhint.core.prompt import Prompt
from selfhint.engines.trl.rows import Row

if TYPE_CHECKING:
    from selfhint.engines.trl.trainer import SelfHintTrainer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job:
    """One completion to draw: the i-th of a request. The same list of jobs exists on every rank."""

    request: Sample
    index: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """What TRL needs of a completion when it enters the update.

    Args:
        prompt_ids: tokens of the prompt it was drawn from, hint included. Shape (P,).
        completion_ids: sampled tokens. Shape (C,).
        logprobs: the sampler's log-probabilities, where the generation backend gives them. Shape (C,).
        message: the completion as reward functions see it: text, or a list of one assistant message.
    """

    prompt_ids: list[int]
    completion_ids: list[int]
    logprobs: list[float] | None
    message: Any


@dataclass(frozen=True, slots=True)
class Scores:
    """What TRL's reward calculation says of one completion.

    Args:
        rewards: a value per reward function, NaN where it returned None. Shape (F,).
        logged: extra columns that reward functions logged for this completion.
    """

    rewards: list[float]
    logged: dict[str, Any]


@dataclass(slots=True)
class Effort:
    """What answering took in one step, on this rank's clock.

    Args:
        solve, hint, verify: seconds.
        padding_rows, padding_tokens: completions drawn only so that every rank has an equal share.
    """

    solve: float = 0.0
    hint: float = 0.0
    verify: float = 0.0
    padding_rows: int = 0
    padding_tokens: int = 0

    def as_metrics(self) -> dict[str, float]:
        """As metrics.jsonl shows it."""
        return {
            "tokens/padding": self.padding_tokens,
            "completions/padding": self.padding_rows,
            "time/solve": self.solve,
            "time/hint": self.hint,
            "time/verify": self.verify,
        }


def padded_share(jobs: Sequence[T], spare: Sequence[T], num_ranks: int, rank: int) -> list[T]:
    """This rank's equal, contiguous share of a list that is the same on every rank.

    Args:
        jobs: never empty.
        spare: fills the tail up to a multiple of `num_ranks`; the last job is repeated when it does not suffice.

    Returns:
        ceil(len(jobs) / num_ranks) items.
    """
    share = math.ceil(len(jobs) / num_ranks)
    missing = share * num_ranks - len(jobs)
    padded = [*jobs, *spare[:missing], *[jobs[-1]] * max(missing - len(spare), 0)]
    return padded[rank * share : (rank + 1) * share]


class TrlEngine:
    """A `BatchEngine` over one trainer for one generation step.

    Every rank runs the same episodes and sees the same replies: work is cut into equal shares by rank, results are
    gathered by everyone.

    Args:
        trainer: whose model, reward functions and settings are used.
        rows: the data row of each visit, by key and visit number: copies of a problem may differ in other columns.
        score: TRL's reward calculation: (rows, prompts, completions, completion ids) of this rank → rewards of all
            ranks. Shape (W·n, F).
    """

    def __init__(
        self,
        trainer: SelfHintTrainer,
        rows: dict[tuple[str, int], Row],
        score: Callable[[list[Row], list[Prompt], list[Any], list[list[int]]], Any],
    ) -> None:
        self._trainer = trainer
        self._rows = rows
        self._score = score
        self._num_ranks: int = trainer.accelerator.num_processes
        self._rank: int = trainer.accelerator.process_index
        self._spare: list[tuple[Judge, Completion]] = []
        self.effort = Effort()

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Draws all completions of all requests in one generation call per rank."""
        started = time.perf_counter()
        jobs = [Job(request, i) for request in requests for i in range(request.num)]
        mine = padded_share(jobs, (), self._num_ranks, self._rank)
        drawn = gather_object(self._trainer.draw(mine, aligned=len(mine) * self._num_ranks == len(jobs)))
        self._keep_spare(jobs[-1].request, drawn[len(jobs) :])
        replies, start = [], 0
        for request in requests:
            replies.append(drawn[start : start + request.num])
            start += request.num
        purpose = requests[0].purpose
        setattr(self.effort, purpose, getattr(self.effort, purpose) + time.perf_counter() - started)
        return replies

    def _keep_spare(self, request: Sample, drawn: list[Completion]) -> None:
        """Padding completions are judged in the padding of the next call, so that none is scored twice."""
        self.effort.padding_rows += len(drawn)
        self.effort.padding_tokens += sum(c.num_tokens for c in drawn)
        self._spare = []
        if request.purpose == "solve" and drawn:
            problem = self._trainer.columns.problem_of(self._rows[request.key, request.visit])
            judge = Judge(problem=problem, visit=request.visit, prompt=request.prompt, completions=tuple(drawn))
            self._spare = [(judge, completion) for completion in drawn]

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """Scores all completions with the trainer's reward functions, each exactly once."""
        started = time.perf_counter()
        jobs = [(request, completion) for request in requests for completion in request.completions]
        mine = padded_share(jobs, self._spare, self._num_ranks, self._rank)
        rows = [{**self._rows[request.problem.key, request.visit], "prompt": request.prompt} for request, _ in mine]
        trainer = self._trainer
        trainer._pending_extra_logs.clear()
        rewards = self._score(
            rows,
            [request.prompt for request, _ in mine],
            [completion.raw.message for _, completion in mine],
            [completion.raw.completion_ids for _, completion in mine],
        ).tolist()[: len(jobs)]
        columns = {name: list(values) for name, values in trainer._pending_extra_logs.items()}
        trainer._pending_extra_logs.clear()
        logged = gather_object([{name: values[i] for name, values in columns.items()} for i in range(len(mine))])
        verdicts = [
            trainer.verdict_of(Scores(values, extra))
            for values, extra in zip(rewards, logged[: len(jobs)], strict=True)
        ]
        replies, start = [], 0
        for request in requests:
            replies.append(verdicts[start : start + len(request.completions)])
            start += len(request.completions)
        self.effort.verify += time.perf_counter() - started
        return replies
