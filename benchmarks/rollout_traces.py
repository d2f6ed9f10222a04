"""What a simulated policy draws: lengths and outcomes that follow from (seed, key, level, i), never from draw order."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from statistics import NormalDist

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Verdict
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.ports import Judge, Sample
from selfhint.core.problem import Problem

NEVER = NUM_LEVELS + 1
"""The opening level of a problem that no hint opens."""

_SOLVED, _FAILED = "solved", "failed"
_HINTS = (
    '```json\n{"level_1": "Look for an invariant.", "level_2": "Count every pair from both of its ends.", '
    '"level_3": "Sort the terms, pair the first with the last and compare the sums."}\n```'
)
_STANDARD_NORMAL = NormalDist()

Identity = tuple[str, int, int, str, int, int]
"""Key, visit, level, purpose, attempt and number of completions of a request."""


@dataclass(frozen=True, slots=True)
class Load:
    """One step's problems and how long their completions are.

    Completion lengths are log-normal, cut at `max_tokens`: log length = log median + sigma · z, where
    z = √s · z_problem + √(1 − s) · z_completion and s is `problem_share`.

    Args:
        problems: P.
        group_size: G.
        failing: share of the problems whose group without a hint fails.
        opening_chances: chances that a failing problem opens at level 1, 2, …, L, or never.
        median_tokens, sigma, max_tokens: of completions.
        problem_share: share of the variance of log length that lies between problems, the same at every level.
            Completions of one prompt have strongly similar lengths (arXiv 2511.14617); 0 would make them independent.
        failing_length: factor on the median of failing problems.
        hint_median_tokens, hint_sigma, hint_max_tokens: of answers to hint requests.
        seconds_per_token, prefill_seconds: a completion of n tokens holds a slot for prefill + n · seconds per token.

    Raises:
        InputError: a value is out of its range.
    """

    problems: int = 128
    group_size: int = 8
    failing: float = 0.4
    opening_chances: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)
    median_tokens: float = 1000
    sigma: float = 0.8
    max_tokens: int = 8192
    problem_share: float = 0.5
    failing_length: float = 1.0
    hint_median_tokens: float = 300
    hint_sigma: float = 0.5
    hint_max_tokens: int = 1024
    seconds_per_token: float = 0.02
    prefill_seconds: float = 0.1

    def __post_init__(self) -> None:
        positive = ("problems", "group_size", "median_tokens", "max_tokens", "failing_length", "seconds_per_token")
        for name in (*positive, "hint_median_tokens", "hint_max_tokens"):
            if not 0 < getattr(self, name) < math.inf:
                raise InputError(f"{name} is {getattr(self, name)}; give a finite number above 0")
        for name in ("sigma", "hint_sigma", "prefill_seconds"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(f"{name} is {getattr(self, name)}; give a finite number, 0 or more")
        for name in ("failing", "problem_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} is {getattr(self, name)}; give a share from 0 to 1")
        if (
            len(self.opening_chances) != NEVER
            or min(self.opening_chances) < 0
            or not math.isclose(sum(self.opening_chances), 1)
        ):
            raise InputError(f"opening_chances is {self.opening_chances}; give {NEVER} chances that sum to 1")

    @property
    def first_wave(self) -> int:
        """Completions of all groups without a hint, P · G: more are never in flight."""
        return self.problems * self.group_size

    def seconds(self, num_tokens: int) -> float:
        """How long a completion holds its slot."""
        return self.prefill_seconds + num_tokens * self.seconds_per_token


class Traces:
    """The policy of one simulated step.

    The failing problems of a smaller share are among those of a larger one, and what a problem draws does not depend
    on the share.

    Args:
        load: sizes and distributions.
        seed: of everything drawn.
    """

    def __init__(self, load: Load, seed: int) -> None:
        self.load = load
        self.seed = seed
        self.problems = tuple(
            Problem(f"simulated problem {i}", "a worked solution", _SOLVED, f"simulated problem {i}")
            for i in range(load.problems)
        )
        keys = sorted((p.key for p in self.problems), key=lambda key: self._uniform("fails", key))
        failing = keys[: round(load.failing * load.problems)]
        self.opens_at = {key: self._opening_level(key) if key in set(failing) else 0 for key in keys}
        """Key → the first level at which a completion is correct; 0 without a hint, `NEVER` at none."""
        self._z_problem = {key: self._normal("problem", key) for key in keys}
        self._answers: dict[Identity, list[Completion]] = {}

    def completions(self, request: Sample) -> list[Completion]:
        """The answers to one request. They are remembered: every design and fleet asks for the same ones."""
        identity = (request.key, request.visit, request.level, request.purpose, request.attempt, request.num)
        if identity not in self._answers:
            self._answers[identity] = self._draw(request)
        return self._answers[identity]

    def _draw(self, request: Sample) -> list[Completion]:
        if request.purpose == "hint":
            return [Completion(_HINTS, self.num_tokens(request, i)) for i in range(request.num)]
        opened = request.level >= self.opens_at[request.key]
        return [
            Completion(_SOLVED if opened and i == 0 else _FAILED, self.num_tokens(request, i))
            for i in range(request.num)
        ]

    def verdicts(self, request: Judge) -> list[Verdict]:
        """The verdicts of one group."""
        return [Verdict.of(c.text == request.problem.answer) for c in request.completions]

    def num_tokens(self, request: Sample, i: int) -> int:
        """Length of the i-th completion of a request."""
        load, key = self.load, request.key
        z = self._normal(request.purpose, key, request.visit, request.level, request.attempt, i)
        if request.purpose == "hint":
            return _log_normal(load.hint_median_tokens, load.hint_sigma, z, load.hint_max_tokens)
        z = math.sqrt(load.problem_share) * self._z_problem[key] + math.sqrt(1 - load.problem_share) * z
        median = load.median_tokens * (load.failing_length if self.opens_at[key] else 1.0)
        return _log_normal(median, load.sigma, z, load.max_tokens)

    def _opening_level(self, key: str) -> int:
        u = self._uniform("opens", key)
        return 1 + sum(u >= sum(self.load.opening_chances[: level + 1]) for level in range(NUM_LEVELS))

    def _normal(self, *identity: str | int) -> float:
        return _STANDARD_NORMAL.inv_cdf(self._uniform(*identity))

    def _uniform(self, *identity: str | int) -> float:
        """A number in (0, 1) from 52 bits of a hash."""
        digest = hashlib.blake2b(repr((self.seed, *identity)).encode(), digest_size=8).digest()
        return ((int.from_bytes(digest) >> 12) + 0.5) / 2**52


def _log_normal(median: float, sigma: float, z: float, most: int) -> int:
    log_length = math.log(median) + sigma * z
    return most if log_length >= math.log(most) else max(1, round(math.exp(log_length)))
