"""Start each visit where the next tokens are most likely to make a group that teaches (ours; docs/gate.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from selfhint.core.gate import chance_of_failure, expected_gate
from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitId
from selfhint.schedulers.population import LEVELS, Population

PER_VISIT = 0.5
"""What a problem's own group weighs against one drawn at the visit after it: the policy moves in between."""
PER_LEVEL = 0.5
"""What a group that teaches is worth against one at the next weaker level, which leaves more to the policy."""
WORTH_CLIMBING = 0.25
"""A stronger level is climbed to where its group has at least this chance to teach."""


class Gate:
    """Chooses the level with the largest expected gate per sampled token.

    A problem's success probability at a level has a Beta posterior: its own groups, discounted by visits, over a prior
    with the mean and the spread that all problems show at that level, discounted by steps. A course is a start and the
    levels climbed to while every completion fails. Its worth is the expected gate of the group that is kept, 2^−level
    each; its score worth per expected token, of a hinted start times the chance that a group without a hint would fail.
    The course with the largest score is taken, ties to the weaker start. Rules before the score:

    - Nothing seen yet: the whole ladder.
    - The last two groups without a hint had a success each: no hint at this visit, whatever comes of it.
    - The last group without a hint had a success: start without a hint.
    - The last visit ended with a success: start no higher. It ended all correct: below, and climb no higher either.
    - A problem seen before, no rule above but the start's bound, and no level worth climbing to: the whole ladder. What
      is believed of it is not worth a draw, so what the ladder finds out is.

    A problem with a history weighs the population's means as drawn from their own posterior (Thompson), so that levels
    not drawn for a while are tried again.

    Args:
        discount: what a step's groups weigh in the population against those of the step after it.
        seed: of the draws; a draw depends on it, the problem and the visit's number alone.
    """

    name = "gate"

    def __init__(self, discount: float = 0.9, seed: int = 0) -> None:
        self._discount = discount
        self._seed = seed

    def plans(self, ledger: Ledger, visits: Sequence[VisitId]) -> list[Plan]:
        """A plan for each visit; its `why` holds the rule, and the numbers of each level where they decided."""
        population = Population.of(ledger, self._discount)
        if population is None:
            return [Plan(tuple(LEVELS), {"rule": "nothing seen yet"})] * len(visits)
        return [self._plan(ledger.record(key), population, key, number) for key, number in visits]

    def _plan(self, record: ProblemRecord, population: Population, key: str, number: int) -> Plan:
        bare = [outcome.right > 0 for outcome in record.outcomes.get(NO_HINT, [])]
        if bare[-2:] == [True, True]:
            return Plan((NO_HINT,), {"rule": "solved twice without hint"})
        rng = random.Random(f"{self._seed}:{key}:{number}")
        means = population.draw_means(rng) if record.outcomes else population.means()
        looks = {level: _look(record, level, means[level], population) for level in LEVELS}
        highest, limit = _limits(record)
        rule = "score"
        if bare[-1:] == [True]:
            highest, rule = NO_HINT, "solved without hint"
        courses = _courses(looks, limit)
        scores = {level: _score(courses[level], level, looks[NO_HINT].fails) for level in LEVELS}
        start = _best({level: scores[level] for level in LEVELS if level <= highest})
        levels = courses[start].levels
        open_to_all = rule == "score" and limit == NUM_LEVELS and record.outcomes
        if open_to_all and all(look.gate < WORTH_CLIMBING for look in looks.values()):
            levels, rule = tuple(LEVELS), "no level promises a signal"
        numbers = {str(level): looks[level].numbers(scores[level]) for level in LEVELS}
        why = {"rule": rule, "highest": highest, "limit": limit, "plan": list(levels), "levels": numbers}
        return Plan(levels, why)


@dataclass(frozen=True, slots=True)
class _Look:
    """One level for one problem: expected success, chances that a group fails and that it is mixed, its tokens."""

    p: float
    fails: float
    gate: float
    tokens: float

    def numbers(self, score: float) -> dict[str, float]:
        """As groups.jsonl shows them."""
        return {name: float(f"{value:.4g}") for name, value in (asdict(self) | {"score": score}).items()}


@dataclass(frozen=True, slots=True)
class _Course:
    """A visit that begins at the first of these levels: what its kept group is worth and what it costs, expected."""

    levels: tuple[int, ...]
    worth: float
    tokens: float


def _courses(looks: Mapping[int, _Look], limit: int) -> dict[int, _Course]:
    """The best course from each level: after a failed group the best one from the stronger levels worth climbing to."""
    courses: dict[int, _Course] = {}
    for level in reversed(LEVELS):
        look = looks[level]
        course = _Course((level,), look.gate * PER_LEVEL**level, look.tokens)
        above = [courses[a] for a in range(level + 1, limit + 1) if looks[a].gate >= WORTH_CLIMBING]
        if above:
            then = max(above, key=lambda c: c.worth / c.tokens)  # ties to the weaker level, which stands first
            course = _Course(
                (level, *then.levels),
                course.worth + look.fails * then.worth,
                course.tokens + look.fails * then.tokens,
            )
        courses[level] = course
    return courses


def _score(course: _Course, level: int, bare_fails: float) -> float:
    """Worth per token; that of a hinted start only as far as a group without a hint would have failed."""
    return course.worth / course.tokens * (1.0 if level == NO_HINT else bare_fails)


def _look(record: ProblemRecord, level: int, mean: float, population: Population) -> _Look:
    view = population.levels[level]
    right, wrong = _own(record, level)
    right += view.weight * mean
    wrong += view.weight * (1.0 - mean)
    drawn = [outcome.tokens for outcomes in record.outcomes.values() for outcome in outcomes if outcome.tokens]
    return _Look(
        p=right / (right + wrong),
        fails=chance_of_failure(right, wrong, population.group_size),
        gate=expected_gate(right, wrong, population.group_size),
        tokens=(sum(drawn) / len(drawn) if drawn else population.tokens) + view.hint_tokens,
    )


def _own(record: ProblemRecord, level: int) -> tuple[float, float]:
    """Correct and wrong completions that speak for a level, discounted.

    What was right with less help would be right here, what was wrong with more help would be wrong. A level without a
    usable hint was not drawn (no tokens): a failure of that level, which says nothing of the others.
    """
    right = wrong = 0.0
    for drawn, outcomes in record.outcomes.items():
        for outcome in outcomes:
            weight = PER_VISIT ** (record.visits - outcome.visit)
            right += weight * outcome.right if drawn <= level else 0.0
            says = drawn == level or (drawn > level and outcome.tokens > 0)
            wrong += weight * (outcome.size - outcome.right) if says else 0.0
    return right, wrong


def _limits(record: ProblemRecord) -> tuple[int, int]:
    """The highest level to start from and the highest to climb to, from the last visit."""
    drawn = [(of[-1].visit, level, of[-1]) for level, of in record.outcomes.items() if of[-1].tokens]
    if not drawn:
        return NUM_LEVELS, NUM_LEVELS
    _, level, outcome = max(drawn)
    if not outcome.right:
        return NUM_LEVELS, NUM_LEVELS
    if outcome.right < outcome.size:
        return level, NUM_LEVELS
    below = max(level - 1, NO_HINT)
    return below, below


def _best(scores: Mapping[int, float]) -> int:
    return max(sorted(scores), key=lambda level: scores[level])
