from __future__ import annotations

import pytest

from diagnosis.looks import look
from selfhint.core.gate import gate_probability
from selfhint.diagnosis import Estimate, openings, success_rate, summarise_levels
from selfhint.diagnosis.levels import NOT_ASKED, NOT_READ
from selfhint.hints import REASONS, SOURCE_REASONS

LOOKS = [
    look(
        "a",
        {0: "0000", 1: "0001", 3: "1111"},
        refused=[(2, "answer"), (2, "unparsable"), (2, "answer")],
        costs={1: (1, 30), 2: (3, 90)},
        tokens=20,
    ),
    look("b", {0: "0011", 1: "0111", 2: "1111"}, refused=[(3, "request_over_budget")], costs={1: (1, 10), 2: (1, 12)}),
    look("c", {0: "000?"}),
]


def test_reasons_are_those_of_the_guard():
    assert set(NOT_ASKED + NOT_READ) <= set(REASONS | SOURCE_REASONS)


def test_level_0():
    bare, *_ = summarise_levels(LOOKS, (1, 2, 3), 4, 20)
    assert (bare.level, bare.groups, bare.completions, bare.correct) == (0, 2, 8, 2)
    assert (bare.requests, bare.tries, bare.read, bare.accepted) == (0, 0, None, 0)
    assert bare.success == success_rate([(0, 4), (2, 4)])
    assert bare.gate == pytest.approx(gate_probability(0.25, 4))
    assert bare.mixed.value == 0.5
    assert bare.completion_tokens == 15
    assert bare.at_limit == 0.5


def test_hinted_levels():
    _, one, two, three = summarise_levels(LOOKS, (1, 2, 3), 4, 100)
    assert (one.requests, one.tries, one.read, one.accepted) == (2, 2, 1.0, 2)
    assert (one.correct, one.completions, one.mixed.value) == (4, 8, 1.0)
    assert (two.requests, two.tries, two.read, two.accepted) == (4, 4, 0.75, 1)
    assert two.refused == {"answer": 2, "unparsable": 1}
    assert list(two.refused) == ["answer", "unparsable"]
    assert (three.requests, three.tries, three.read, three.accepted) == (0, 1, 1.0, 1)
    assert three.refused == {"request_over_budget": 1}
    assert one.hint_tokens == 5
    assert one.at_limit == 0.0


def test_success_is_compared_on_the_same_problems():
    _, _, two, _ = summarise_levels(LOOKS, (1, 2, 3), 4, 100)
    assert (two.success.value, two.success_without_hint.value) == (1.0, 0.5)
    assert (two.gate, two.mixed.value) == (0.0, 0.0)


def test_gate_of_the_mean_is_above_the_groups_that_teach_where_problems_differ():
    bare, *_ = summarise_levels([look("a", {0: "0000"}), look("b", {0: "1111"})], (), 4, 100)
    assert bare.gate == pytest.approx(gate_probability(0.5, 4))
    assert bare.mixed.value == 0.0


def test_a_level_that_nobody_reached():
    _, one = summarise_levels([LOOKS[2]], (1,), 4, 100)
    assert (one.groups, one.success, one.gate, one.completion_tokens, one.at_limit) == (
        0,
        Estimate(None),
        None,
        None,
        None,
    )


def test_openings():
    looks = [
        look("a", {0: "00", 1: "01", 2: "00", 3: "11"}),
        look("b", {0: "00", 2: "01", 3: "00"}),
        look("c", {0: "00", 1: "00", 2: "0?", 3: "00"}),
        look("d", {0: "00"}),
        look("e", {0: "01", 1: "11"}),
    ]
    one, two, three = openings(looks, (1, 2, 3))
    assert [o.hinted for o in (one, two, three)] == [2, 3, 3]
    assert [o.opened.value for o in (one, two, three)] == [0.25, 0.25, 0.25]
    assert [o.opened_so_far.value for o in (one, two, three)] == [0.25, 0.5, 0.5]


def test_rounds_of_a_problem_do_not_narrow_the_interval():
    once = openings([look("a", {0: "00", 1: "01"}), look("b", {0: "00"})], (1,))
    twice = openings([look(k, {0: "00", **h}, round=r) for r in (0, 1) for k, h in (("a", {1: "01"}), ("b", {}))], (1,))
    assert once[0].opened == twice[0].opened


def test_no_failed_groups():
    assert openings([look("a", {0: "01"})], (1,))[0].opened == Estimate(None)


def test_rounds_of_one_problem_are_one_trial():
    once = [look(str(i), {0: "0011" if i % 2 else "0000"}) for i in range(20)]
    ten_times = [look(str(i), {0: "0011" if i % 2 else "0000"}, round=r) for r in range(10) for i in range(20)]
    (first, *_), (repeated, *_) = (summarise_levels(looks, (), 4, 100) for looks in (once, ten_times))
    assert repeated.mixed == first.mixed
    assert repeated.success.value == first.success.value
    assert repeated.success.high - repeated.success.low == pytest.approx(
        first.success.high - first.success.low, rel=0.1
    )
