"""The gate analysis against exact enumeration, exact fractions and its stated properties."""

from __future__ import annotations

import itertools
import math
import statistics
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from selfhint.core.gate import (
    EPSILON,
    advantages,
    centred_advantages,
    chance_of_failure,
    expected_centred_energy,
    expected_gate,
    gate_probability,
    mean_and_std,
    signal_energy,
)

binary_groups = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=32)
graded_groups = st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=16)
probabilities = st.floats(0.0, 1.0)
group_sizes = st.integers(1, 64)


def outcomes(p, group_size):
    """Every group of G rewards with its probability."""
    for rewards in itertools.product([0.0, 1.0], repeat=group_size):
        correct = sum(rewards)
        yield list(rewards), p**correct * (1 - p) ** (group_size - correct)


def exact_gate(p, group_size):
    p = Fraction(p)
    return float(1 - (1 - p) ** group_size - p**group_size)


# Advantages


def test_values_of_one_success_in_four():
    rewards = [1.0, 0.0, 0.0, 0.0]
    std = math.sqrt(3) / 4
    assert mean_and_std(rewards) == pytest.approx((0.25, std))
    assert centred_advantages(rewards) == [0.75, -0.25, -0.25, -0.25]
    assert advantages(rewards) == pytest.approx([a / (std + 1e-6) for a in (0.75, -0.25, -0.25, -0.25)], rel=1e-12)
    assert advantages(rewards, epsilon=1e-4) == pytest.approx([a / (std + 1e-4) for a in (0.75, -0.25, -0.25, -0.25)])


@settings(deadline=None)
@given(binary_groups)
def test_variance_of_binary_rewards(rewards):
    mean, std = mean_and_std(rewards)
    assert mean == sum(rewards) / len(rewards)
    assert std**2 == pytest.approx(mean * (1 - mean))


@settings(deadline=None)
@given(graded_groups)
def test_advantages_add_up_to_nothing(rewards):
    assert math.fsum(centred_advantages(rewards)) == pytest.approx(0, abs=1e-12)
    assert math.fsum(advantages(rewards)) == pytest.approx(0, abs=1e-9)


def test_an_empty_group_has_no_mean():
    with pytest.raises(ValueError, match="at least one reward"):
        mean_and_std([])


# Signal energy


@settings(deadline=None)
@given(graded_groups)
def test_energy_is_the_mean_square_of_the_advantages(rewards):
    energy = signal_energy(rewards)
    assert energy == pytest.approx(statistics.fmean(a**2 for a in advantages(rewards)))
    assert 0 <= energy < 1


@settings(deadline=None)
@given(graded_groups)
@example([0.1, 0.1, 0.1])
def test_energy_is_zero_exactly_for_degenerate_groups(rewards):
    degenerate = len(set(rewards)) == 1
    assert (signal_energy(rewards) == 0) is degenerate
    assert all(a == 0 for a in advantages(rewards)) is degenerate
    assert all(a == 0 for a in centred_advantages(rewards)) is degenerate


@pytest.mark.parametrize("group_size", [2, 4, 8, 32])
def test_energy_rises_with_the_standard_deviation(group_size):
    groups = [[1.0] * k + [0.0] * (group_size - k) for k in range(group_size // 2 + 1)]
    stds = [mean_and_std(rewards)[1] for rewards in groups]
    energies = [signal_energy(rewards) for rewards in groups]
    assert stds == sorted(set(stds))
    assert energies == sorted(set(energies))


@settings(deadline=None)
@given(graded_groups, graded_groups)
def test_a_larger_standard_deviation_never_has_less_energy(one, other):
    low, high = sorted([one, other], key=lambda rewards: mean_and_std(rewards)[1])
    assert signal_energy(low) <= signal_energy(high) + 1e-12


@settings(deadline=None)
@given(binary_groups)
def test_energy_of_wrong_and_right_exchanged_is_the_same(rewards):
    assert signal_energy([1 - r for r in rewards]) == pytest.approx(signal_energy(rewards))


@pytest.mark.parametrize("rewards", [[1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0] * 5 + [0.0] * 3])
def test_energy_under_the_engines_sample_std(rewards):
    size = len(rewards)
    sample_std = statistics.stdev(rewards)
    energy = statistics.fmean((a / (sample_std + EPSILON)) ** 2 for a in centred_advantages(rewards))
    shrunk = math.sqrt((size - 1) / size) * EPSILON
    assert energy == pytest.approx((size - 1) / size * signal_energy(rewards, shrunk), rel=1e-12)


# Gate


@pytest.mark.parametrize(
    ("p", "group_size", "expected"),
    [
        (0.5, 2, 0.5),
        (0.25, 2, 0.375),
        (0.5, 8, 1 - 2**-7),
        (0.1, 4, 1 - 0.9**4 - 0.1**4),
        (0.0, 8, 0.0),
        (1.0, 8, 0.0),
        (0.3, 1, 0.0),
    ],
)
def test_gate_values(p, group_size, expected):
    assert gate_probability(p, group_size) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("group_size", [1, 2, 3, 8])
@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 0.5, 0.9, 1.0])
def test_gate_is_the_chance_of_a_group_with_signal(p, group_size):
    chance = math.fsum(weight for rewards, weight in outcomes(p, group_size) if signal_energy(rewards) > 0)
    assert gate_probability(p, group_size) == pytest.approx(chance, rel=1e-12, abs=1e-15)


@settings(deadline=None)
@given(p=probabilities, group_size=group_sizes)
@example(p=1e-300, group_size=8)
@example(p=1e-17, group_size=8)
@example(p=1 - 2**-53, group_size=8)
def test_gate_keeps_its_relative_accuracy(p, group_size):
    assert gate_probability(p, group_size) == pytest.approx(exact_gate(p, group_size), rel=1e-12, abs=0)


@pytest.mark.parametrize("group_size", [2, 8, 64])
def test_gate_of_a_hard_problem_is_proportional_to_the_group_size(group_size):
    assert gate_probability(1e-9, group_size) == pytest.approx(group_size * 1e-9, rel=1e-6)


@settings(deadline=None)
@given(p=st.floats(0.5, 1.0), group_size=group_sizes)
def test_gate_is_symmetric(p, group_size):
    assert gate_probability(p, group_size) == gate_probability(1 - p, group_size)  # 1 - p is exact here


@settings(deadline=None)
@given(p=probabilities, q=probabilities, group_size=group_sizes)
def test_moving_towards_one_half_never_closes_the_gate(p, q, group_size):
    further, closer = sorted([p, q], key=lambda x: -abs(x - 0.5))
    assert gate_probability(further, group_size) <= gate_probability(closer, group_size) + 1e-12
    assert gate_probability(closer, group_size) <= gate_probability(0.5, group_size) + 1e-12


@pytest.mark.parametrize("group_size", [2, 3, 8, 32])
def test_gate_is_strictly_concave(group_size):
    u = [gate_probability(i / 20, group_size) for i in range(21)]
    assert all(left + right < 2 * middle for left, middle, right in zip(u, u[1:], u[2:], strict=False))


@settings(deadline=None)
@given(
    p=probabilities,
    q=probabilities,
    weight=probabilities,
    group_size=group_sizes,
)
def test_random_success_probabilities_lower_the_expected_gate(p, q, weight, group_size):
    expected = weight * gate_probability(p, group_size) + (1 - weight) * gate_probability(q, group_size)
    mean = min(weight * p + (1 - weight) * q, 1.0)
    assert expected <= gate_probability(mean, group_size) + 1e-12


@pytest.mark.parametrize(("p", "group_size"), [(-0.1, 8), (1.1, 8), (math.nan, 8), (0.5, 0)])
def test_gate_rejects_what_is_no_probability_or_no_group(p, group_size):
    with pytest.raises(ValueError, match="0 <= p <= 1 and G >= 1"):
        gate_probability(p, group_size)


# Centred energy


def enumerated_centred_energy(p, group_size):
    return math.fsum(
        weight * statistics.fmean(a**2 for a in centred_advantages(rewards))
        for rewards, weight in outcomes(p, group_size)
    )


@pytest.mark.parametrize("group_size", [1, 2, 3, 8])
@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 0.5, 1.0])
def test_expected_centred_energy_by_enumeration(p, group_size):
    expected = enumerated_centred_energy(p, group_size)
    assert expected_centred_energy(p, group_size) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("low", "high", "weight"), [(0.0, 1.0, 0.5), (0.1, 0.6, 0.25), (0.4, 0.4, 0.9)])
def test_a_random_success_probability_takes_its_variance_off(low, high, weight):
    group_size = 4
    expected = weight * enumerated_centred_energy(low, group_size) + (1 - weight) * enumerated_centred_energy(
        high, group_size
    )
    mean = weight * low + (1 - weight) * high
    variance = weight * (low - mean) ** 2 + (1 - weight) * (high - mean) ** 2
    assert expected_centred_energy(mean, group_size, variance) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@given(st.floats(0.05, 50), st.floats(0.05, 50), st.integers(1, 12))
def test_expected_gate_is_the_mean_gate_over_a_beta(right, wrong, group_size):
    """Against the sum over beta-binomial counts of both kinds, in logarithms of the Beta function."""

    def log_beta(a, b):
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)

    def chance(k):
        counts = math.log(math.comb(group_size, k))
        return math.exp(counts + log_beta(right + k, wrong + group_size - k) - log_beta(right, wrong))

    mixed = math.fsum(chance(k) for k in range(1, group_size))
    assert expected_gate(right, wrong, group_size) == pytest.approx(mixed, abs=1e-9)
    assert chance_of_failure(right, wrong, group_size) == pytest.approx(chance(0), rel=1e-9)


def test_a_sure_probability_gives_its_own_gate():
    assert expected_gate(3e9, 7e9, 8) == pytest.approx(gate_probability(0.3, 8), abs=1e-7)


@pytest.mark.parametrize(("right", "wrong", "group_size"), [(0.0, 1.0, 4), (1.0, -1.0, 4), (1.0, 1.0, 0)])
def test_parameters_of_no_beta_are_refused(right, wrong, group_size):
    with pytest.raises(ValueError, match="needs right, wrong > 0 and G >= 1"):
        expected_gate(right, wrong, group_size)
