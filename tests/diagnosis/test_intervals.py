from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.diagnosis.intervals import Estimate, share_of, success_rate, wilson


@pytest.mark.parametrize(
    ("correct", "num", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_known_values(correct, num, low, high):
    """The last is Newcombe's example (1998, Statistics in Medicine 17)."""
    assert wilson(correct / num, num) == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 500), st.data())
def test_interval_holds_the_share_and_is_symmetric(num, data):
    correct = data.draw(st.integers(0, num))
    low, high = wilson(correct / num, num)
    assert 0 <= low <= correct / num <= high <= 1
    assert wilson(1 - correct / num, num) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("share", "num"), [(-0.1, 3), (1.1, 3), (0.5, 0)])
def test_no_share(share, num):
    with pytest.raises(ValueError, match="share"):
        wilson(share, num)


def test_nothing_seen():
    assert share_of(0, 0) == Estimate(None) == success_rate([])


def test_repeated_looks_at_a_problem_are_no_new_trials():
    assert share_of(4, 8, num_problems=2) == Estimate(0.5, *wilson(0.5, 2))
    assert share_of(4, 8) == Estimate(0.5, *wilson(0.5, 8))


def test_groups_that_agree_count_as_one_draw_each():
    """Half of the problems are always solved, the others never: 4 groups say as much as 4 draws."""
    assert success_rate([(8, 8), (0, 8), (8, 8), (0, 8)]) == Estimate(0.5, *wilson(0.5, 4))


def test_groups_without_any_difference_say_little_about_other_problems():
    assert success_rate([(0, 8)] * 5) == Estimate(0.0, *wilson(0.0, 5))


def test_equal_rates_are_no_surer_than_their_draws():
    spread = success_rate([(3, 8), (5, 8), (4, 8), (4, 8)])
    assert spread == Estimate(0.5, *wilson(0.5, 32))


def test_one_group():
    assert success_rate([(2, 8)]) == Estimate(0.25, *wilson(0.25, 1))


def test_interval_covers_the_truth_where_problems_differ():
    """A plain interval over all completions would cover far less than 95 %."""
    rng = random.Random(0)
    covered = plain = 0
    trials = 400
    for _ in range(trials):
        groups = []
        for _ in range(30):
            p = rng.betavariate(0.3, 0.7)  # mean 0.3
            groups.append((sum(rng.random() < p for _ in range(8)), 8))
        estimate = success_rate(groups)
        covered += estimate.low <= 0.3 <= estimate.high
        low, high = wilson(estimate.value, 240)
        plain += low <= 0.3 <= high
    assert covered / trials > 0.92
    assert plain / trials < 0.75
