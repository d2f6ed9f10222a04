"""What the episode needs from outside, as small protocols.

An episode and a hint session are generators: they yield a `Sample` or a `Judge` and receive the answer. They know no
framework; engines answer requests and know no method.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from selfhint.core.group import Completion, Hint, HintTrail, Verdict
from selfhint.core.ledger import Ledger, StoredHint
from selfhint.core.plan import Plan
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt

Purpose = Literal["solve", "hint", "teach"]

HintedUpdates = Literal["on-policy", "off-policy", "corrected"]
"""How completions drawn with a hint h enter the update.

on-policy: the ratio is π(τ|x, h) / π_old(τ|x, h). off-policy: π(τ|x) / π_old(τ|x), as if they had been drawn without h
(the ablation of arXiv 2602.03143, Fig. 5). corrected: π(τ|x) / π_old(τ|x, h) (arXiv 2506.13923).
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """Draw `num` completions of `prompt`: from the current policy, or from a teacher.

    Args:
        key, visit, level, attempt: identity of the request; an engine that takes seeds derives one from it.
        purpose: solve (a group) or hint (a request to write hints), which differ in their token limit; teach (such a
            request to another model).
        prompt: rendered, hint included.
        num: completions wanted.
    """

    key: str
    visit: int
    level: int
    purpose: Purpose
    prompt: Prompt
    num: int
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Judge:
    """Score completions of one group.

    Args:
        problem, visit: whose group it is; copies of a problem in one step differ in their visit.
        prompt: the one they were drawn from.
    """

    problem: Problem
    visit: int
    prompt: Prompt
    completions: tuple[Completion, ...]


VisitId = tuple[str, int]
"""A problem's key, and how many visits it had before."""

Request = Sample | Judge
Reply = Sequence[Any]
"""`Sequence[Completion]` of length `num` for a Sample, `Sequence[Verdict]` for a Judge, in order."""


@dataclass(frozen=True, slots=True)
class VisitContext:
    """What a hint source may know of the visit it writes for.

    Args:
        step: generation step.
        visit: how many visits the problem had before.
        hinted: the solver's prompt with the given hint text in it.
        fits: whether a prompt keeps to the token budget of prompts.
        stored: the texts that the problem's record keeps, by level.
        epoch: pass over the data, counted from 0.
        fits_request: whether a request for hints keeps to its token budget; None: that of prompts.
    """

    step: int
    visit: int
    hinted: Callable[[Prompt, str], Prompt]
    fits: Callable[[Prompt], bool]
    stored: Mapping[int, StoredHint] = field(default_factory=dict)
    epoch: int = 0
    fits_request: Callable[[Prompt], bool] | None = None


class HintSession(Protocol):
    """Writes the hints of one visit. Lives for that visit only."""

    trail: HintTrail

    def hint(self, level: int) -> Generator[Request, Reply, Hint | None]:
        """The accepted hint of a level, or None; refused ones stay in the trail."""
        ...


class HintSource(Protocol):
    """Where hints come from. It keeps nothing between visits: what is worth keeping goes into the problem's record."""

    name: str

    def session(self, problem: Problem, context: VisitContext) -> HintSession:
        """A fresh session for one visit."""
        ...


class Scheduler(Protocol):
    """Decides which levels are drawn, from what the ledger holds. It keeps nothing itself."""

    name: str

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """A plan for each visit of one step, in order.

        Args:
            ledger: as it stood before the step, so that no visit of a step sees another. Read it, do not change it.
            visits: the problems' keys and visit numbers.
        """
        ...


class Verifier(Protocol):
    """Judges completions against gold answers. Never raises for bad text: a verdict carries its reason."""

    name: str

    def judge(self, golds: Sequence[str], predictions: Sequence[str]) -> list[Verdict]:
        """Verdicts in order; both sequences have the same length."""
        ...

    def close(self) -> None:
        """Releases worker processes. Safe to call twice."""
        ...


class BatchEngine(Protocol):
    """Answers many requests at once: what the lock-step driver needs."""

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Completions for each request. All requests share one purpose."""
        ...

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """Verdicts for each request."""
        ...


class AsyncEngine(Protocol):
    """Answers one request at a time, many in flight: what the asynchronous driver needs."""

    async def sample(self, request: Sample) -> list[Completion]:
        """Completions of one request."""
        ...

    async def judge(self, request: Judge) -> list[Verdict]:
        """Verdicts of one request."""
        ...
