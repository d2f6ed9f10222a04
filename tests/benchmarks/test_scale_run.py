"""A simulated training counts what its visits did, and pairs schedulers on the same problems in the same order."""

from __future__ import annotations

import pytest
import scale_run
from scale_policy import Learner, SimulatedPolicy
from scale_run import Scale, make_problems, simulate

from selfhint.schedulers import Fixed, Ladder, NoHints

SCALE = Scale(problems=60, batch=20, steps=10, group_size=4)
PROBLEMS = make_problems(SCALE.problems)
LEARNER = Learner(ability_mean=-2.0, shared_rate=0.1)


@pytest.fixture
def seen(monkeypatch):
    """The visits of each step of each run."""
    steps = []

    class Watched(SimulatedPolicy):
        def learn(self, visits):
            steps.append(visits)
            super().learn(visits)

    monkeypatch.setattr(scale_run, "SimulatedPolicy", Watched)
    return steps


def keys(visits):
    return [visit.problem.key for visit in visits]


def test_every_epoch_visits_every_problem_in_an_order_that_only_the_seed_decides(seen):
    for scheduler, seed in ((NoHints(), 1), (Ladder(), 1), (Ladder(), 2)):
        simulate(SCALE, LEARNER, scheduler, PROBLEMS, seed)
    plain, ladder, other = ([keys(step) for step in seen[i : i + 10]] for i in (0, 10, 20))
    assert plain == ladder != other
    assert all(set().union(*plain[i : i + 3]) == {p.key for p in PROBLEMS} for i in (0, 3, 6))
    assert plain[:3] != plain[3:6]
    assert [step[0].number for step in seen[:10]] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert [step[0].epoch for step in seen[:10]] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]


def test_the_tally_counts_what_the_visits_did(seen):
    run = simulate(SCALE, LEARNER, Ladder(), PROBLEMS, seed=1)
    visits, tally = [visit for step in seen for visit in step], run.tally
    groups = [group for visit in visits for group in visit.groups]
    climbed = [visit for visit in visits if len(visit.groups) > 1]
    assert tally.visits == len(visits) == 200
    assert 0 < len(climbed) < 200
    assert tally.completions == 4 * len(groups)
    assert tally.hint_tokens == LEARNER.hint_tokens * len(climbed)  # one answer holds the hints of all levels
    assert tally.tokens == tally.hint_tokens + sum(group.num_tokens for group in groups)
    assert tally.rounds == sum(max(len(visit.groups) for visit in step) for step in seen)
    assert tally.signal == sum(0 < visit.kept.num_correct < 4 for visit in visits)
    assert tally.started_at == [200, 0, 0, 0]
    assert tally.kept_at == [sum(visit.kept.level == level for visit in visits) for level in range(4)]
    assert [tokens for tokens, _ in tally.curve] == [
        sum(v.kept.num_tokens + v.tokens_discarded + v.hint_tokens for step in seen[:i] for v in step)
        for i in range(11)
    ]


def test_problems_never_solved_are_counted_with_and_without_hints(seen):
    run = simulate(SCALE, LEARNER, Fixed(3), PROBLEMS, seed=1)
    solved = {visit.problem.key for step in seen for visit in step if visit.kept.num_correct}
    assert run.never_solved == pytest.approx(1 - len(solved) / 60)
    assert run.never_solved_without_hint == 1.0


def test_runs_repeat():
    first, second = (simulate(SCALE, LEARNER, Ladder(), PROBLEMS, seed=3) for _ in range(2))
    assert first == second
