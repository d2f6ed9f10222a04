from __future__ import annotations

import pytest

from diagnosis.looks import look
from selfhint.diagnosis import MethodCost, method_costs
from selfhint.diagnosis.costs import LOWER_ABOVE, RAISE_AT_MOST
from selfhint.schedulers import epoch

COSTS = {1: (1, 100), 2: (2, 200), 3: (1, 300)}


def costs_of(*looks, shared=False):
    return method_costs(looks, shared_requests=shared)


def test_the_threshold_is_the_scheduler_s():
    assert (RAISE_AT_MOST, LOWER_ABOVE) == (epoch.RAISE_AT_MOST, epoch.LOWER_ABOVE)


def test_a_problem_with_signal_costs_one_group_everywhere():
    costs = costs_of(look("a", {0: "0001"}))
    assert set(costs) == {"grpo", "sage-light", "sage"}
    assert set(costs.values()) == {MethodCost(4, 40, 0, 1.0)}


def test_sage_climbs_to_the_first_opened_level():
    costs = costs_of(look("a", {0: "0000", 1: "0000", 2: "0100", 3: "1111"}, costs=COSTS))
    assert costs["grpo"] == MethodCost(4, 40, 0, 0.0)
    assert costs["sage"] == MethodCost(12, 120 + 300, 300, 1.0)


def test_sage_pays_for_every_level_where_nothing_opens():
    costs = costs_of(look("a", {0: "0000", 1: "0000", 2: "0000"}, costs=COSTS))
    assert costs["sage"] == MethodCost(12, 120 + 600, 600, 0.0)


def test_refused_hints_on_the_way_are_paid():
    costs = costs_of(look("a", {0: "0000", 2: "1000", 3: "1111"}, costs=COSTS))
    assert costs["sage"] == MethodCost(8, 80 + 300, 300, 1.0)


def test_a_group_that_cannot_be_judged_ends_the_climb():
    assert costs_of(look("a", {0: "00?0"}))["sage"] == MethodCost(4, 40, 0, 0.0)
    assert costs_of(look("a", {0: "0000", 1: "0?00"}, costs={1: (1, 9)}))["sage"] == MethodCost(8, 89, 9, 0.0)


def test_sage_light_settles_where_the_rate_no_longer_raises():
    outcomes = {0: "0" * 10, 1: "1" + "0" * 9, 2: "11" + "0" * 8, 3: "1" * 10}
    made = look("a", outcomes, costs=COSTS)
    assert costs_of(made)["sage-light"] == MethodCost(10, 100 + 200, 200, 1.0)
    assert costs_of(made, shared=True)["sage-light"] == MethodCost(10, 100 + 300, 300, 1.0)


def test_sage_light_without_any_open_level_stays_at_the_strongest():
    made = look("a", {0: "0000", 1: "0000", 3: "0000"}, costs={1: (1, 100)})
    assert costs_of(made)["sage-light"] == MethodCost(4, 40, 0, 0.0)


def test_sage_light_without_hints_draws_without_and_asks_at_every_visit():
    made = look("a", {0: "0000"}, costs={1: (3, 100), 2: (3, 70)})
    assert costs_of(made)["sage-light"] == MethodCost(4, 140, 100, 0.0)
    assert costs_of(made)["sage"] == MethodCost(4, 210, 170, 0.0)


def test_means_over_looks():
    costs = costs_of(look("a", {0: "0001"}), look("b", {0: "0000", 1: "1111"}, costs={1: (1, 20)}))
    assert costs["sage"] == MethodCost(6, 70, 10, 0.5)


def test_no_looks():
    with pytest.raises(ValueError, match="at least one look"):
        costs_of()


def test_sage_light_takes_turns_where_a_level_is_too_easy_and_the_next_weaker_one_too_hard():
    made = look("a", {0: "0000", 1: "0110", 2: "1111"}, costs=COSTS)
    assert costs_of(made)["sage-light"] == MethodCost(4, 40 + 50, 50, 0.5)
