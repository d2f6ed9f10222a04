"""Success probabilities follow the stated formula, and move only where a group gives a signal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scale_policy import FAILED, SOLVED, Learner, SimulatedPolicy
from scale_run import make_problems

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Group, Hint, Verdict, Visit
from selfhint.core.ports import Judge, Sample

LEARNER = Learner(ability_mean=-1.0, shared_rate=0.1)
PROBLEMS = make_problems(300)
KEYS = [problem.key for problem in PROBLEMS]


def policy(**changed):
    return SimulatedPolicy(replace(LEARNER, **changed), PROBLEMS, seed=1)


def success(of, level=0):
    return of.probability(KEYS, [level] * len(KEYS))


def logits(of, level=0):
    p = success(of, level)
    return np.log(p / (1 - p))


def visit(problem, num_correct, level=0, size=8):
    hint = Hint("id", problem.key, level, "text", "self") if level else None
    texts = [SOLVED] * num_correct + [FAILED] * (size - num_correct)
    completions = tuple(Completion(text, 1) for text in texts)
    verdicts = tuple(Verdict.of(text == SOLVED) for text in texts)
    return Visit(problem, 0, level, (Group(level, hint, "", completions, verdicts),))


def test_abilities_have_the_stated_distribution_and_hints_add_in_proportion_to_their_level():
    made = SimulatedPolicy(LEARNER, make_problems(20_000), seed=1)
    keys = [problem.key for problem in make_problems(20_000)]
    p = made.probability(keys, [0] * len(keys))
    ability = np.log(p / (1 - p))
    assert ability.mean() == pytest.approx(-1.0, abs=0.06)
    assert ability.std() == pytest.approx(2.75, abs=0.05)
    one, three = logits(policy(), 1) - logits(policy()), logits(policy(), 3) - logits(policy())
    assert three == pytest.approx(3 * one, abs=1e-6)
    assert three.mean() == pytest.approx(3.0, abs=0.3)
    assert 0 <= three.min() < 0.3
    assert 5.7 < three.max() <= 6


def test_completions_are_correct_as_often_as_stated():
    made = policy()
    requests = [Sample(problem.key, 0, 1, "solve", "", 200) for problem in PROBLEMS]
    drawn = made.sample(requests)
    rates = np.array([[c.text == SOLVED for c in completions] for completions in drawn]).mean(axis=1)
    assert np.abs(rates - success(made, 1)).mean() < 0.02
    assert {c.num_tokens for completions in drawn for c in completions} == {1000, 1500}
    judge = Judge(PROBLEMS[0], 0, "", tuple(drawn[0]))
    assert [v.correct for v in made.judge([judge])[0]] == [c.text == SOLVED for c in drawn[0]]


@pytest.mark.parametrize("num_correct", [0, 8])
@pytest.mark.parametrize("level", [0, 3])
def test_a_group_whose_rewards_agree_teaches_nothing(num_correct, level):
    made = policy()
    made.learn([visit(PROBLEMS[0], num_correct, level)])
    assert (success(made) == success(policy())).all()
    assert (success(made, 3) == success(policy(), 3)).all()


def test_a_mixed_group_teaches_its_own_problem_and_all_others():
    made = policy()
    made.learn([visit(PROBLEMS[0], 4), visit(PROBLEMS[1], 0)])
    moved = logits(made) - logits(policy())
    assert moved[0] == pytest.approx(0.5 * 0.5 + 0.1 * 0.5 / 2)
    assert moved[1:] == pytest.approx(0.1 * 0.5 / 2)


def test_of_a_hinted_group_the_share_that_transfers_counts_without_hints_and_the_rest_under_them():
    made = policy(transfer=0.25, own_rate=0.0)
    made.learn([visit(PROBLEMS[0], 4, level=2)])
    assert logits(made) - logits(policy()) == pytest.approx(0.25 * 0.05)
    assert logits(made, 1) - logits(policy(), 1) == pytest.approx(0.05)


def test_a_short_reach_teaches_problems_of_the_same_ability():
    made = policy(reach=1.0, own_rate=0.0)
    before = logits(policy())
    taught = int(np.argmin(np.abs(before + 1.0)))
    made.learn([visit(PROBLEMS[taught], 4)])
    moved, distance = logits(made) - before, np.abs(before - before[taught])
    assert moved == pytest.approx(0.05 * np.exp(-(distance**2) / 2), abs=0.01)
    assert moved[distance > 4].max() < 1e-4


@pytest.mark.parametrize(
    "changed", [{"ability_sd": 0}, {"transfer": 1.5}, {"shared_rate": -1}, {"reach": 0}, {"hint_logits": float("nan")}]
)
def test_values_out_of_range(changed):
    with pytest.raises(InputError, match=next(iter(changed))):
        replace(LEARNER, **changed)
