"""One simulated training: real episodes, scheduler, hint source, ledger and lock-step driver, on a learning policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scale_policy import SOLVED, Learner, SimulatedPolicy

from selfhint.core.episode import Episode, run_visit
from selfhint.core.group import Visit
from selfhint.core.ledger import Ledger
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.ports import Scheduler, VisitContext
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, append_to_prompt
from selfhint.engines.drive import drive_lockstep
from selfhint.hints import SelfHints

LEVELS = tuple(range(NO_HINT + 1, NUM_LEVELS + 1))


class OneAnswer:
    """A `HintFormat`: one request whose answer holds the hints of all levels. Every answer serves."""

    def request(self, problem: Problem, level: int) -> str:
        """A request."""
        return "hints, please"

    def without_request(self, problem: Problem, level: int) -> str | None:
        """Never asked."""
        return None

    def levels_asked(self, level: int) -> tuple[int, ...]:
        """All levels."""
        return LEVELS

    def parse(self, text: str, problem: Problem, level: int) -> Mapping[int, str]:
        """The same text for every level."""
        return dict.fromkeys(LEVELS, text)


HINTS = SelfHints(OneAnswer(), guard=lambda problem, text, request: None)


@dataclass(frozen=True, slots=True)
class Scale:
    """Sizes of a run.

    Args:
        problems, batch, steps, group_size: of the training.
    """

    problems: int = 64_000
    batch: int = 128
    steps: int = 500
    group_size: int = 8


def make_problems(num: int) -> list[Problem]:
    """Problems that differ in their key and nothing else."""
    return [Problem(f"problem {i}", "a worked solution", SOLVED, "a question") for i in range(num)]


@dataclass(slots=True)
class Tally:
    """What a run comes to; filled step by step.

    Args:
        visits, completions, tokens, hint_tokens: so far; tokens include those of the hints.
        rounds: groups of the visit with the most of them, summed over the steps: what a step would draw for every
            problem if the whole batch climbed with the failing ones.
        signal: kept groups whose rewards differ.
        kept_at: kept groups by level.
        started_at: visits by the level at which they began.
        curve: tokens and mean success without hints, before the run and after each tenth of it.
    """

    visits: int = 0
    completions: int = 0
    tokens: int = 0
    hint_tokens: int = 0
    rounds: int = 0
    signal: int = 0
    kept_at: list[int] = field(default_factory=lambda: [0] * (NUM_LEVELS + 1))
    started_at: list[int] = field(default_factory=lambda: [0] * (NUM_LEVELS + 1))
    curve: list[tuple[int, float]] = field(default_factory=list)

    def add(self, visits: Sequence[Visit]) -> None:
        """Takes in one step."""
        self.visits += len(visits)
        self.rounds += max(len(visit.groups) for visit in visits)
        for visit in visits:
            kept = visit.kept
            self.completions += sum(group.size for group in visit.groups)
            self.tokens += kept.num_tokens + visit.tokens_discarded + visit.hint_tokens
            self.hint_tokens += visit.hint_tokens
            self.signal += kept.has_signal
            self.kept_at[kept.level] += 1
            self.started_at[visit.groups[0].level] += 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: its tally, and shares of all problems that never had a correct completion."""

    tally: Tally
    never_solved: float
    never_solved_without_hint: float


def simulate(scale: Scale, learner: Learner, scheduler: Scheduler, problems: Sequence[Problem], seed: int) -> Outcome:
    """Runs one training. The order of the problems and their abilities depend on the seed alone."""
    policy = SimulatedPolicy(learner, problems, seed)
    ledger, tally = Ledger(), Tally(curve=[(0, policy.success_without_hint())])
    for step, (batch, epoch) in enumerate(_batches(scale, problems, seed)):
        visits = drive_lockstep(_episodes(scale, scheduler, ledger, batch, step, epoch), policy)
        ledger.add_step(visits)
        policy.learn(visits)
        tally.add(visits)
        if (step + 1) % (scale.steps // 10) == 0:
            tally.curve.append((tally.tokens, policy.success_without_hint()))
    unseen = len(problems) - ledger.num_seen
    return Outcome(
        tally,
        (unseen + ledger.num_never_solved) / len(problems),
        (unseen + ledger.num_never_solved_without_hint) / len(problems),
    )


def _episodes(
    scale: Scale, scheduler: Scheduler, ledger: Ledger, batch: Sequence[Problem], step: int, epoch: int
) -> list[Episode]:
    numbers = ledger.visit_numbers(problem.key for problem in batch)
    plans = scheduler.plans(ledger, [(problem.key, number) for problem, number in zip(batch, numbers, strict=True)])
    return [
        run_visit(
            problem, plan, HINTS, scale.group_size, VisitContext(step, number, append_to_prompt, _fits, epoch=epoch)
        )
        for problem, plan, number in zip(batch, plans, numbers, strict=True)
    ]


def _fits(prompt: Prompt) -> bool:
    return True


def _batches(scale: Scale, problems: Sequence[Problem], seed: int) -> Iterator[tuple[list[Problem], int]]:
    """The batches of each step with their epoch: every epoch visits all problems in an order of its own."""
    order = np.random.default_rng((seed, 2))
    waiting: list[int] = []
    epoch = -1
    for _ in range(scale.steps):
        if len(waiting) < scale.batch:
            waiting += order.permutation(len(problems)).tolist()
            epoch += 1
        yield [problems[i] for i in waiting[: scale.batch]], epoch
        del waiting[: scale.batch]
