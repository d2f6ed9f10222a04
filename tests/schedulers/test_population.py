"""What all problems together show of each level."""

from __future__ import annotations

import random
import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.core.ledger import Ledger
from selfhint.schedulers.population import LEVELS, Population
from support.episodes import problems
from support.visits import group, visit


def ledger_of(*steps):
    """Steps of groups; each group is another problem's only one."""
    ledger = Ledger()
    for groups in steps:
        ledger.add_step([visit(p, g) for p, g in zip(problems(len(groups)), groups, strict=True)])
    return ledger


def test_there_is_none_before_the_first_scored_group():
    assert Population.of(ledger_of(), 0.9) is None
    ledger = ledger_of([group(0, "??")])
    ledger.add_step([replace(visit(problems(1)[0], group(0, "??"), scheduled=1), missing=(1,))])
    assert Population.of(ledger, 0.9) is None


def test_means_shrink_to_what_is_assumed_and_weaker_levels_to_the_stronger_ones():
    population = Population.of(ledger_of([group(3, "1111")] * 2), 0.9)
    means = population.means()
    assert means[3] == pytest.approx((2 + 2 * 0.5) / 4)  # two groups seen, two assumed
    assert [means[level] for level in (2, 1, 0)] == pytest.approx([means[3] / 2, means[3] / 4, means[3] / 8])
    assert population.group_size == 4


def test_a_step_weighs_the_discount_against_the_next():
    population = Population.of(ledger_of([group(0, "11")], [group(0, "00")]), 0.5)
    assumed = 0.5 / 8
    assert population.levels[0].groups == 2 + 1.5
    assert population.means()[0] == pytest.approx((0.5 + 2 * assumed) / 3.5)


def test_the_weight_tells_whether_problems_differ():
    """Groups that are all right or all wrong say that a problem's own record is everything, even ones the opposite."""
    apart = Population.of(ledger_of([group(0, "1111"), group(0, "0000")] * 50), 0.9).levels[0].weight
    alike = Population.of(ledger_of([group(0, "1100")] * 100), 0.9).levels[0].weight
    assert apart < 0.1
    assert alike > 10


def test_the_weight_is_that_of_beta_binomial_groups():
    rng = random.Random(0)
    groups = []
    for _ in range(4000):
        p = rng.betavariate(1.2, 2.8)  # weight 4
        groups.append(group(1, "".join("1" if rng.random() < p else "0" for _ in range(8))))
    view = Population.of(ledger_of(groups), 0.9).levels[1]
    assert view.weight == pytest.approx(4, rel=0.1)
    assert view.mean == pytest.approx(0.3, abs=0.02)


def test_tokens_of_groups_and_of_their_hints():
    (problem,) = problems(1)
    ledger = Ledger()
    ledger.add_step([visit(problem, group(0, "00", 3), group(2, "00", 5), group(3, "01", 7), hint_tokens=8)])
    population = Population.of(ledger, 0.9)
    assert population.tokens == (6 + 10 + 14) / 3
    assert {level: view.hint_tokens for level, view in population.levels.items()} == {0: 0, 1: 0, 2: 4, 3: 4}


def test_drawn_means_follow_the_posterior():
    population = Population.of(ledger_of([group(3, "1000")] * 30), 0.9)
    view = population.levels[3]
    drawn = [population.draw_means(random.Random(i))[3] for i in range(500)]
    assert statistics.mean(drawn) == pytest.approx(view.mean, abs=0.01)
    expected = (view.mean * (1 - view.mean) / (view.groups + 1)) ** 0.5
    assert statistics.stdev(drawn) == pytest.approx(expected, rel=0.15)


OUTCOMES = st.text("01?", min_size=3, max_size=3)
STEPS = st.lists(st.lists(st.builds(group, st.integers(0, 3), OUTCOMES), max_size=5), max_size=6)


@given(STEPS, st.floats(0.01, 0.99), st.integers(0, 99))
def test_any_history_gives_proper_numbers(steps, discount, seed):
    population = Population.of(ledger_of(*steps), discount)
    if population is None:
        assert not any(not g.unscored for step in steps for g in step)
        return
    drawn = population.draw_means(random.Random(seed))
    for level in LEVELS:
        view = population.levels[level]
        assert 0 < view.mean < 1
        assert view.weight > 0
        assert view.hint_tokens >= 0
        assert 0 < drawn[level] < 1
