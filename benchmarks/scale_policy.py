"""A policy made of success probabilities that rise where groups give a signal: no model, no text.

Problem i has an ability b_i (a logit, normal over the set) and a use of hints c_i (uniform on 0 … 2). With a hint of
level l the policy solves it with probability

    p = sigmoid(b_i + own_i + S(b_i) + c_i · hint_logits · l / L + [l > 0] · H).

A kept group with success rate r moves the policy by its signal s = sqrt(r (1 − r)), the mean movement of a Bernoulli
logit under GRPO's advantages (zero where all rewards agree), of which a share t counts without hints, t = 1 for a
group without a hint and t = `transfer` for a hinted one:

    own_i += own_rate · t · s,   S(b) += shared_rate · mean over the step of [t · s · near(b_j, b)],
    H += shared_rate · mean over the step of [(1 − t) · s].

near is 1 where `reach` is None, else exp(−(b_j − b)² / 2 reach²): a group teaches problems about as hard as its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict, Visit
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.ports import Judge, Sample
from selfhint.core.problem import Problem

Floats = NDArray[np.float64]

SOLVED, FAILED = "solved", "failed"
NUM_BINS = 96
"""Abilities are kept apart in bins of 0.1 standard deviations when a group teaches problems like its own."""
WIDEST = 4.8
"""Standard deviations from the middle bin to the outermost."""


@dataclass(frozen=True, slots=True)
class Learner:
    """What the simulated policy is and how it learns. Logits throughout.

    Args:
        ability_mean, ability_sd: of the success probability's logit over the problems, without a hint.
        hint_logits: what the strongest hint adds for the average problem; level l adds l / L of it.
        shared_rate: how far one step in which every group has s = 1 moves all problems.
        own_rate: how far a group with s = 1 moves its own problem besides.
        transfer: share of what a hinted group teaches that counts without hints.
        reach: how far in ability a group teaches others; None: all alike.
        solved_tokens, failed_tokens: length of a completion.
        hint_tokens: length of the answer that holds the hints of all levels.

    Raises:
        InputError: a value is out of its range.
    """

    ability_mean: float
    ability_sd: float = 2.75
    hint_logits: float = 3.0
    shared_rate: float = 0.0
    own_rate: float = 0.5
    transfer: float = 1.0
    reach: float | None = None
    solved_tokens: int = 1000
    failed_tokens: int = 1500
    hint_tokens: int = 400

    def __post_init__(self) -> None:
        for name in ("ability_sd", "reach", "solved_tokens", "failed_tokens", "hint_tokens"):
            if getattr(self, name) is not None and not getattr(self, name) > 0:
                raise InputError(f"{name} is {getattr(self, name)}; give a number above 0")
        for name in ("hint_logits", "shared_rate", "own_rate"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(f"{name} is {getattr(self, name)}; give a finite number, 0 or more")
        if not 0 <= self.transfer <= 1:
            raise InputError(f"transfer is {self.transfer}; give a share from 0 to 1")


def sigmoid(logits: Floats) -> Floats:
    """Logits to probabilities, without overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * logits))


def ability_bins(learner: Learner) -> Floats:
    """The middles of the ability bins. Shape (NUM_BINS,)."""
    return learner.ability_mean + learner.ability_sd * np.linspace(-WIDEST, WIDEST, NUM_BINS)


def nearness(learner: Learner) -> Floats:
    """near(b_j, b) between all bins. Shape (NUM_BINS, NUM_BINS)."""
    if learner.reach is None:
        return np.ones((NUM_BINS, NUM_BINS))
    bins = ability_bins(learner)
    return np.exp(-0.5 * ((bins[:, None] - bins[None, :]) / learner.reach) ** 2)


class SimulatedPolicy:
    """A `BatchEngine` whose policy learns.

    Args:
        learner: what it is.
        problems: whose abilities are drawn, in this order.
        seed: of abilities and outcomes; policies of one seed differ only in what they draw and learn.
    """

    def __init__(self, learner: Learner, problems: Sequence[Problem], seed: int) -> None:
        self.learner = learner
        born = np.random.default_rng((seed, 0))
        self._index = {problem.key: i for i, problem in enumerate(problems)}
        self._ability: Floats = born.normal(learner.ability_mean, learner.ability_sd, len(problems))
        self._use_of_hints: Floats = born.uniform(0.0, 2.0, len(problems))
        bins = ability_bins(learner)
        self._bin = np.clip(np.rint((self._ability - bins[0]) / (bins[1] - bins[0])).astype(int), 0, NUM_BINS - 1)
        self._nearness = nearness(learner)
        self._own = np.zeros(len(problems))
        self._shared = np.zeros(NUM_BINS)
        self._under_hints = 0.0
        self._outcomes = np.random.default_rng((seed, 1))
        self._completions = {
            True: Completion(SOLVED, learner.solved_tokens),
            False: Completion(FAILED, learner.failed_tokens),
        }
        self._hint_answer = Completion("hints of all levels", learner.hint_tokens)
        self._verdicts = {SOLVED: Verdict.of(True), FAILED: Verdict.of(False)}

    def probability(self, keys: Iterable[str], levels: Iterable[int]) -> Floats:
        """Success probabilities now. Shape (N,) for N keys with a level each."""
        i = np.fromiter((self._index[key] for key in keys), int)
        level = np.fromiter(levels, int)
        hint = self._use_of_hints[i] * self.learner.hint_logits * level / NUM_LEVELS
        return sigmoid(self._without_hint(i) + hint + np.where(level > NO_HINT, self._under_hints, 0.0))

    def success_without_hint(self) -> float:
        """Mean success probability over all problems, without hints."""
        return float(sigmoid(self._without_hint(np.arange(len(self._ability)))).mean())

    def _without_hint(self, i: NDArray[np.int_]) -> Floats:
        return self._ability[i] + self._own[i] + self._shared[self._bin[i]]

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Independent completions of each request."""
        if requests[0].purpose != "solve":
            return [[self._hint_answer] * request.num for request in requests]
        p = self.probability((r.key for r in requests), (r.level for r in requests))
        solved = self._outcomes.binomial([r.num for r in requests], p)
        yes, no = self._completions[True], self._completions[False]
        return [[yes] * int(k) + [no] * (r.num - int(k)) for r, k in zip(requests, solved, strict=True)]

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """The verdicts of each group."""
        return [[self._verdicts[c.text] for c in request.completions] for request in requests]

    def learn(self, visits: Sequence[Visit]) -> None:
        """The update of one step, from the kept groups."""
        i = np.fromiter((self._index[visit.problem.key] for visit in visits), int)
        rate = np.fromiter((visit.kept.success_rate for visit in visits), float)
        hinted = np.fromiter((visit.kept.level > NO_HINT for visit in visits), bool)
        signal = np.sqrt(rate * (1.0 - rate))
        counted = np.where(hinted, self.learner.transfer, 1.0) * signal
        np.add.at(self._own, i, self.learner.own_rate * counted)
        taught = np.bincount(self._bin[i], counted, NUM_BINS)
        self._shared += self.learner.shared_rate * (taught @ self._nearness) / len(visits)
        self._under_hints += self.learner.shared_rate * float((signal - counted).sum()) / len(visits)
