"""Intervals against closed forms, printed tables and their own meaning."""

from __future__ import annotations

import math
import random
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.study.statistics import (
    Band,
    Bounds,
    Interval,
    Median,
    band_of,
    interpolated,
    mean_interval,
    median_of,
    paired_difference,
    paired_median_ratio,
    paired_ratio,
    t_quantile,
)

PRINTED = {3: 3.182446, 4: 2.776445, 5: 2.570582, 9: 2.262157, 10: 2.228139, 29: 2.045230, 30: 2.042272, 120: 1.979930}
"""t.975, as tables print it."""


@pytest.mark.parametrize("freedom", PRINTED)
def test_quantiles_as_printed(freedom):
    assert t_quantile(freedom) == pytest.approx(PRINTED[freedom], abs=5e-7)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_quantiles_in_closed_form(confidence):
    assert t_quantile(1, confidence) == pytest.approx(math.tan(math.pi / 2 * confidence))
    assert t_quantile(2, confidence) == pytest.approx(confidence * math.sqrt(2 / (1 - confidence**2)))


def test_a_mean_with_its_interval():
    found = mean_interval([1.0, 2.0, 3.0, 4.0])
    half = 3.182446 * math.sqrt(5 / 3) / 2
    assert (found.value, found.num) == (2.5, 4)
    assert (found.low, found.high) == pytest.approx((2.5 - half, 2.5 + half), abs=1e-5)
    assert mean_interval([7.0]) == Interval(7.0, None, None, 1)
    assert mean_interval([]) == Interval(None, None, None, 0)


def test_pairs_are_the_seeds_that_both_have():
    ours, theirs = {1: 5.0, 2: 12.0, 3: 23.0, 9: 99.0}, {1: 3.0, 2: 10.0, 3: 21.0, 8: -99.0}
    assert paired_difference(ours, theirs) == Interval(2.0, 2.0, 2.0, 3)
    assert paired_ratio({1: 2.0, 2: 8.0}, {1: 1.0, 2: 1.0}).value == pytest.approx(4.0)
    assert paired_difference(ours, {}) == Interval(None, None, None, 0)


def test_a_ratio_turned_round_is_its_inverse():
    ours, theirs = {1: 2.0, 2: 3.0, 3: 7.0}, {1: 1.5, 2: 5.0, 3: 4.0}
    one, other = paired_ratio(ours, theirs), paired_ratio(theirs, ours)
    assert (one.value, one.low, one.high) == pytest.approx((1 / other.value, 1 / other.high, 1 / other.low))


# Medians of what may lie beyond the end


@pytest.mark.parametrize(
    ("num", "rank"), [(5, None), (6, 1), (8, 1), (9, 2), (10, 2), (11, 2), (12, 3), (15, 4), (20, 6)]
)
def test_ranks_of_the_sign_test_as_printed(num, rank):
    found = median_of([Bounds.seen(value) for value in range(1, num + 1)])
    assert found.interval == (None if rank is None else Bounds(rank, num + 1 - rank))
    assert found.low == found.high == median(range(1, num + 1))


def test_runs_that_never_arrived_count_as_later_than_their_end():
    seen = [Bounds.seen(value) for value in (1.0, 2.0, 3.0, 4.0)]
    most = median_of([*seen, Bounds.beyond(2.5), Bounds.beyond(9.0), Bounds.beyond(9.0)])
    assert most == Median(3.0, 4.0, Bounds(1.0, math.inf), 7)
    half = median_of([*seen, *[Bounds.beyond(2.5)] * 5])
    assert (half.low, half.high) == (2.5, math.inf)
    assert median_of([]) is None


def test_ratios_of_what_never_arrived_are_bounds():
    seen, beyond = Bounds.seen(4.0), Bounds.beyond(8.0)
    assert seen.over(seen) == Bounds(1.0, 1.0)
    assert seen.over(beyond) == Bounds(0.0, 0.5)
    assert beyond.over(seen) == Bounds(2.0, math.inf)
    assert beyond.over(beyond) == Bounds(0.0, math.inf)
    pairs = paired_median_ratio({1: seen, 2: beyond, 3: seen}, {1: seen, 2: seen, 4: seen})
    assert pairs == Median(1.5, math.inf, None, 2)


@given(
    st.lists(st.tuples(st.floats(1, 100), st.floats(1, 100)), min_size=6, max_size=12),
    st.floats(1, 100),
)
def test_cutting_runs_short_never_moves_a_median_outside_its_bounds(drawn, end):
    """What is told with runs cut at `end` holds for what they would have shown."""

    def cut(value):
        return Bounds.seen(value) if value <= end else Bounds.beyond(end)

    whole = median_of([Bounds.seen(a).over(Bounds.seen(b)) for a, b in drawn])
    told = median_of([cut(a).over(cut(b)) for a, b in drawn])
    assert told.low <= whole.low * (1 + 1e-12)
    assert told.high >= whole.high * (1 - 1e-12)
    assert told.interval.low <= whole.interval.low * (1 + 1e-12)
    assert told.interval.high >= whole.interval.high * (1 - 1e-12)


@pytest.mark.parametrize("num", [6, 10])
def test_intervals_cover_as_often_as_they_say(num):
    rng = random.Random(num)
    samples = [[rng.gauss(0.0, 1.0) for _ in range(num)] for _ in range(4000)]
    means = [mean_interval(sample) for sample in samples]
    assert fmean(one.low <= 0 <= one.high for one in means) == pytest.approx(0.95, abs=0.012)
    medians = [median_of([Bounds.seen(value) for value in sample]).interval for sample in samples]
    below = {6: 1, 10: 11}[num]
    assert fmean(one.low <= 0 <= one.high for one in medians) == pytest.approx(1 - below / 2 ** (num - 1), abs=0.012)


# Curves


def test_a_band_is_kept_where_values_can_lie():
    band = band_of({20: [0.9, 1.0], 10: [0.5]}, keep=lambda value: min(1.0, max(0.0, value)))
    assert band == Band((10, 20), (0.5, 0.95), (0.5, pytest.approx(0.95 - 12.7062 * 0.05, abs=1e-4)), (0.5, 1.0))


def test_curves_are_read_straight_between_their_points():
    curve = [10, 20, 40], [0.0, 1.0, 0.5]
    assert [interpolated(*curve, at) for at in (10, 15, 20, 30, 40)] == [0.0, 0.5, 1.0, 0.75, 0.5]
    assert interpolated(*curve, 9) is interpolated(*curve, 41) is None
    assert (interpolated([5], [0.3], 5), interpolated([5], [0.3], 6)) == (0.3, None)
