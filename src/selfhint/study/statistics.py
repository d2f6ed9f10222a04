"""What a few seeds say: means with Student's t, and medians that leave no seed out because it never arrived.

All intervals are two-sided, 95 %, for one quantity at a time; nothing is corrected for how many are looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean (or a ratio of means) over seeds with its interval.

    Args:
        value: the estimate; None where there was nothing to take it from.
        low, high: ends; None where there are too few seeds for any.
        num: seeds.
    """

    value: float | None
    low: float | None
    high: float | None
    num: int


def mean_interval(values: Sequence[float]) -> Interval:
    """The mean with Student's t interval, which takes the values as normal; exact then for any number of seeds."""
    num = len(values)
    if num < 2:
        return Interval(values[0] if values else None, None, None, num)
    mean, half = fmean(values), t_quantile(num - 1) * stdev(values) / math.sqrt(num)
    return Interval(mean, mean - half, mean + half, num)


def paired_difference(ours: Mapping[int, float], theirs: Mapping[int, float]) -> Interval:
    """Mean difference over the seeds that both have (paired t): what both seeds share does not widen it."""
    return mean_interval([ours[seed] - theirs[seed] for seed in sorted(ours.keys() & theirs.keys())])


def paired_ratio(ours: Mapping[int, float], theirs: Mapping[int, float]) -> Interval:
    """Geometric mean of the ratios over the seeds that both have (paired t of the logarithms).

    Raises:
        ValueError: a value is not above 0.
    """
    logs = paired_difference(*({seed: math.log(value) for seed, value in side.items()} for side in (ours, theirs)))
    value, low, high = (None if end is None else math.exp(end) for end in (logs.value, logs.low, logs.high))
    return Interval(value, low, high, logs.num)


def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t for which |T| ≤ t with probability `confidence`, T of Student's distribution.

    Args:
        freedom: degrees of freedom, 1 or more.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(60):  # bisection in θ = atan(t/√freedom): halves π/2 to less than a double tells apart
        middle = (low + high) / 2
        low, high = (middle, high) if _central_probability(middle, freedom) < confidence else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _central_probability(theta: float, freedom: int) -> float:
    """P(|T| ≤ √freedom · tan θ), as a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    sine, cosine = math.sin(theta), math.cos(theta)
    odd = freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for k in range(odd, freedom - 1, 2):  # term k is its coefficient times cos^k θ
        total += term
        term *= cosine * cosine * (k + 1) / (k + 2)
    return 2 / math.pi * (theta + sine * total) if odd else sine * total


# Values that may lie beyond what was seen -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bounds:
    """A value of which only bounds may be known; low = high for one that was seen."""

    low: float
    high: float

    @classmethod
    def seen(cls, value: float) -> Bounds:
        """A known value."""
        return cls(value, value)

    @classmethod
    def beyond(cls, value: float) -> Bounds:
        """A value that was not reached up to here: censored."""
        return cls(value, math.inf)

    def over(self, other: Bounds) -> Bounds:
        """The ratio to a value above 0."""
        return Bounds(self.low / other.high, self.high / other.low)


@dataclass(frozen=True, slots=True)
class Median:
    """The median over seeds, as far as the bounds of its values tell it.

    Args:
        low, high: between these lies the median of what was drawn; equal where the bounds settle it.
        interval: 95 % interval of the distribution's median; None with fewer than six seeds, which cannot have one.
        num: seeds.
    """

    low: float
    high: float
    interval: Bounds | None
    num: int


def median_of(values: Sequence[Bounds]) -> Median | None:
    """Median with the interval of the sign test: order statistics, of whatever distribution; None without values.

    With n values the k-th smallest and the k-th largest enclose the median with probability 1 − 2·P(X < k), X binomial
    (n, ½); k is the largest for which that is 95 % or more. Bounds are honoured on both sides: the lower end is made of
    the lows, the upper end of the highs.
    """
    if not values:
        return None
    lows, highs = sorted(value.low for value in values), sorted(value.high for value in values)
    rank = _rank(len(values))
    interval = Bounds(lows[rank - 1], highs[-rank]) if rank else None
    return Median(median(lows), median(highs), interval, len(values))


def _rank(num: int) -> int:
    """The k of `median_of`; 0 where even the smallest and the largest value enclose the median too rarely."""
    rank, below = 0, 0
    while 2 * (below + math.comb(num, rank)) <= (1 - CONFIDENCE) * 2**num:
        below += math.comb(num, rank)
        rank += 1
    return rank


def paired_median_ratio(ours: Mapping[int, Bounds], theirs: Mapping[int, Bounds]) -> Median | None:
    """Median of the ratios over the seeds that both have."""
    return median_of([ours[seed].over(theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())])


# Curves ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Band:
    """A mean curve with its interval at each point; all of shape (points,). Ends are the mean itself for one seed."""

    xs: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def band_of(points: Mapping[float, Sequence[float]], keep: Callable[[float], float] = lambda value: value) -> Band:
    """Pointwise t intervals.

    Args:
        points: x → the seeds' values.
        keep: brings an end of an interval back to where values can lie.
    """
    xs = sorted(points)
    found = [mean_interval(points[x]) for x in xs]
    means = tuple(one.value for one in found if one.value is not None)
    lows = tuple(keep(mean if one.low is None else one.low) for one, mean in zip(found, means, strict=True))
    highs = tuple(keep(mean if one.high is None else one.high) for one, mean in zip(found, means, strict=True))
    return Band(tuple(xs), means, lows, highs)


def interpolated(xs: Sequence[float], ys: Sequence[float], at: float) -> float | None:
    """The value at a place between the points of a curve, straight between neighbours; None outside of them.

    Args:
        xs: rising.
    """
    for (x0, y0), (x1, y1) in zip(zip(xs, ys, strict=True), zip(xs[1:], ys[1:], strict=True), strict=False):
        if x0 <= at <= x1:
            return y0 if x1 == x0 else y0 + (y1 - y0) * (at - x0) / (x1 - x0)
    return ys[0] if len(xs) == 1 and at == xs[0] else None
