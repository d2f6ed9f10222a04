"""The fleet's arithmetic, and the three designs against times worked out from their visits."""

from __future__ import annotations

from dataclasses import replace

import pytest
import rollout_fleet
from rollout_fleet import Fleet, barrier, compare, ladder, plain
from rollout_traces import Load, Traces

from selfhint.core.errors import InputError
from selfhint.core.group import Completion
from selfhint.hints.formats import JsonFormat, TextFormat

LOAD = Load(problems=24, group_size=4, failing=0.5)
FREE = LOAD.first_wave


def group_seconds(group):
    return max(LOAD.seconds(c.num_tokens) for c in group.completions)


def hint_seconds(visit):
    return LOAD.seconds(visit.hint_tokens) if visit.hints else 0.0


@pytest.mark.parametrize(
    ("slots", "finishes"),
    [(1, [6.0, 7.0]), (2, [4.0, 4.0]), (3, [3.0, 4.0]), (9, [3.0, 4.0])],
)
def test_first_in_first_out(slots, finishes):
    fleet = Fleet(slots)
    assert [fleet.finish(0.0, [1.0, 2.0, 3.0]), fleet.finish(3.0, [1.0])] == finishes
    assert fleet.busy_seconds == 7.0


def test_a_fleet_without_slots_is_refused():
    with pytest.raises(InputError, match="0 slots"):
        Fleet(0)


@pytest.mark.parametrize("hint_format", [JsonFormat(), TextFormat()])
@pytest.mark.parametrize("slots", [1, 12, FREE])
def test_both_ladders_draw_the_same_and_keep_the_opening_level(slots, hint_format):
    # Separate traces, so that neither design can see what the other drew.
    together = ladder(Traces(LOAD, 1), slots, hint_format)
    apart = barrier(Traces(LOAD, 1), slots, hint_format)
    assert together.visits == apart.visits
    opens_at = Traces(LOAD, 1).opens_at
    assert {0, 1, 2, 3, 4} == set(opens_at.values())
    for visit in together.visits:
        opening = opens_at[visit.problem.key]
        assert [g.level for g in visit.groups] == list(range(min(opening, 3) + 1))
        assert visit.kept.failed == (opening == 4)
        assert not visit.refused


def test_with_free_slots_the_ladder_lasts_as_long_as_its_longest_problem():
    outcome = ladder(Traces(LOAD, 2), FREE, JsonFormat())
    chains = [hint_seconds(v) + sum(group_seconds(g) for g in v.groups) for v in outcome.visits]
    assert outcome.seconds == pytest.approx(max(chains))


def test_with_free_slots_the_barrier_lasts_as_long_as_the_longest_group_of_every_level():
    outcome = barrier(Traces(LOAD, 2), FREE, JsonFormat())
    levels = [[group_seconds(v.groups[level]) for v in outcome.visits if len(v.groups) > level] for level in range(4)]
    hints = max(hint_seconds(v) for v in outcome.visits)
    assert outcome.seconds == pytest.approx(hints + sum(max(level) for level in levels))


def test_one_slot_is_never_idle_whatever_the_design():
    traces = Traces(LOAD, 3)
    together, apart = ladder(traces, 1, JsonFormat()), barrier(traces, 1, JsonFormat())
    work = sum(LOAD.seconds(c.num_tokens) for v in apart.visits for g in v.groups for c in g.completions)
    assert apart.seconds == pytest.approx(work + sum(hint_seconds(v) for v in apart.visits))
    assert together.seconds == pytest.approx(apart.seconds)
    assert together.slot_use == pytest.approx(1.0)


def test_without_failing_problems_all_designs_are_plain_grpo():
    outcomes = compare(Traces(replace(LOAD, failing=0.0), 4), 10)
    assert len({round(o.seconds, 6) for o in outcomes.values()}) == 1
    assert {o.completions for o in outcomes.values()} == {FREE}


def test_plain_grpo_draws_one_group_whatever_fails():
    outcome = plain(Traces(LOAD, 5), 10)
    assert {len(v.groups) for v in outcome.visits} == {1}
    assert sum(v.kept.failed for v in outcome.visits) == 12


def test_a_repeat_gives_the_same_times():
    first, again = (compare(Traces(LOAD, 6), 7) for _ in range(2))
    assert first == again


def test_designs_that_draw_differently_are_not_compared(monkeypatch):
    class Another(rollout_fleet.BarrierFleetEngine):
        def sample(self, requests):
            drawn = super().sample(requests)
            return [[Completion(c.text, c.num_tokens + 1) for c in group] for group in drawn]

    monkeypatch.setattr(rollout_fleet, "BarrierFleetEngine", Another)
    with pytest.raises(RuntimeError, match="drew different groups"):
        compare(Traces(LOAD, 1), 7)
