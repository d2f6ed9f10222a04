"""Lengths and outcomes follow from identity alone and have the distributions that the load states."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from statistics import correlation, mean, stdev

import pytest
from rollout_traces import NEVER, Load, Traces

from selfhint.core.errors import InputError
from selfhint.core.ports import Sample

LONG = Load(problems=400, group_size=8, max_tokens=10**9, problem_share=0.0)


def sample(key, level=0, num=8, purpose="solve"):
    return Sample(key=key, visit=0, level=level, purpose=purpose, prompt="", num=num)


def log_lengths(traces, level=0, num=8):
    return [[math.log(c.num_tokens) for c in traces.completions(sample(p.key, level, num))] for p in traces.problems]


def test_draw_order_and_failing_share_change_no_length():
    one, other = Traces(Load(failing=0.2), 7), Traces(Load(failing=0.8), 7)
    requests = [sample(p.key, level) for p in one.problems for level in range(4)]
    shuffled = random.Random(0).sample(requests, len(requests))
    lengths = {r: [c.num_tokens for c in one.completions(r)] for r in requests}
    assert {r: [c.num_tokens for c in other.completions(r)] for r in shuffled} == lengths
    assert len({tuple(v) for v in lengths.values()}) == len(requests)
    assert [c.num_tokens for c in Traces(Load(), 8).completions(requests[0])] != lengths[requests[0]]


def test_lengths_are_log_normal():
    values = [x for group in log_lengths(Traces(LONG, 1)) for x in group]
    assert mean(values) == pytest.approx(math.log(LONG.median_tokens), abs=0.05)
    assert stdev(values) == pytest.approx(LONG.sigma, abs=0.03)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_problem_share_is_the_correlation_within_a_problem_at_every_level(share):
    traces = Traces(replace(LONG, problem_share=share), 1)
    first, second = ([x for (x,) in log_lengths(traces, level, num=1)] for level in (0, 2))
    assert correlation(first, second) == pytest.approx(share, abs=0.12)
    assert stdev(first) == pytest.approx(LONG.sigma, abs=0.1)


def test_lengths_stop_at_the_most_tokens_even_when_the_exponential_overflows():
    traces = Traces(replace(LONG, sigma=1e6, max_tokens=50), 1)
    assert {c.num_tokens for p in traces.problems for c in traces.completions(sample(p.key))} == {1, 50}


def test_failing_length_moves_failing_problems_only():
    load = Load(failing=0.5, max_tokens=10**9)
    plain, longer = Traces(load, 3), Traces(replace(load, failing_length=2.0), 3)
    for problem in plain.problems:
        before, after = (t.completions(sample(problem.key))[0].num_tokens for t in (plain, longer))
        assert after == pytest.approx(before * (2.0 if plain.opens_at[problem.key] else 1.0), abs=1)


def test_the_stated_share_fails_and_smaller_shares_are_nested():
    failing = {}
    for share in (0.0, 0.25, 0.5, 1.0):
        opens_at = Traces(Load(failing=share), 5).opens_at
        failing[share] = {key for key, level in opens_at.items() if level > 0}
        assert len(failing[share]) == share * 128
    assert failing[0.0] < failing[0.25] < failing[0.5] < failing[1.0]


def test_opening_levels_have_the_stated_chances():
    load = Load(problems=4000, failing=1.0, opening_chances=(0.5, 0.0, 0.2, 0.3))
    counts = Counter(Traces(load, 2).opens_at.values())
    assert counts[2] == 0
    assert {level: round(n / 4000, 1) for level, n in counts.items() if n} == {1: 0.5, 3: 0.2, NEVER: 0.3}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"problems": 0}, "problems is 0"),
        ({"median_tokens": math.inf}, "median_tokens is inf"),
        ({"seconds_per_token": math.nan}, "seconds_per_token is nan"),
        ({"sigma": -0.1}, "sigma is -0.1"),
        ({"failing": 1.1}, "failing is 1.1"),
        ({"problem_share": -1}, "problem_share is -1"),
        ({"opening_chances": (0.5, 0.5)}, "opening_chances"),
        ({"opening_chances": (0.5, 0.5, 0.5, 0.5)}, "opening_chances"),
    ],
)
def test_values_out_of_range_are_named(change, named):
    with pytest.raises(InputError, match=named):
        Load(**change)
