"""The gate scheduler: where a visit starts, how it climbs, and what it says of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.ledger import Ledger
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.scripted import ScriptedEngine
from selfhint.schedulers import Gate
from support.episodes import ScriptedHints, episodes_for, problems, refusals, script_of
from support.visits import group, visit

FAILED, MIXED, SOLVED = "0000", "0100", "1111"
FRESH, *OTHERS = problems(13)


def plan_of(ledger, problem=FRESH, gate=None):
    (plan,) = (gate or Gate()).plans(ledger, [(problem.key, ledger.record(problem.key).visits)])
    return plan


def ledger_of(*steps):
    """Each step: (problem, groups of its visit) pairs."""
    ledger = Ledger()
    for step in steps:
        numbers = ledger.visit_numbers(problem.key for problem, _ in step)
        ledger.add_step([visit(p, *groups, number=n) for (p, groups), n in zip(step, numbers, strict=True)])
    return ledger


def shown(*groups, steps=3):
    """A ledger in which all other problems saw these groups at each of some steps."""
    return ledger_of(*[[(p, groups) for p in OTHERS]] * steps)


def test_the_first_step_climbs_the_whole_ladder():
    assert plan_of(Ledger()).levels == (0, 1, 2, 3)


@pytest.mark.parametrize("works", [1, 2, 3])
def test_a_new_problem_starts_where_others_have_mixed_groups(works):
    failing = [group(level, FAILED) for level in range(works)]
    assert plan_of(shown(*failing, group(works, "0110"))).levels[0] == works
    assert plan_of(shown(group(0, "0110"))).levels[0] == 0


def test_a_climb_leaves_out_levels_that_hardly_teach():
    assert plan_of(shown(group(0, "1000"), group(1, FAILED), group(2, FAILED), group(3, "0110"), steps=8)).levels == (
        0,
        3,
    )


def test_equal_gates_go_to_the_weaker_level_and_dear_hints_too():
    """Level 3 teaches twice as often; with the weight of levels it is worth a quarter as much."""
    rarely = [group(0, FAILED), group(1, FAILED), group(2, MIXED), group(3, "0110")]
    assert plan_of(shown(*rarely)).levels[0] == 2


def test_what_a_hint_costs_counts():
    def ledger(hint_tokens):
        groups = (group(0, "0000"), group(1, "0110"))
        ledger = Ledger()
        ledger.add_step(visit(p, *groups, hint_tokens=hint_tokens) for p in OTHERS)
        return ledger

    cheap, dear = (plan_of(ledger(tokens)).why["levels"]["1"] for tokens in (0, 40))
    assert (cheap["tokens"], dear["tokens"]) == (4, 44)
    assert cheap["score"] > 5 * dear["score"]


def test_the_numbers_by_hand():
    """One level seen, G = 2, no history: the Beta prior is the population's."""
    ledger = ledger_of([(OTHERS[0], [group(3, "10", tokens=5)]), (OTHERS[1], [group(3, "11", tokens=5)])])
    why = plan_of(ledger).why
    mean = (1.5 + 2 * 0.5) / 4
    assert why["rule"] == "score"
    one = 2 * mean * (1 - mean)  # variance of the number right of two independent completions
    excess = (1 + 4) - 2 * ((2 * mean) ** 2 + one)
    likeness = (excess / 1 + 2 * one * 0.5) / (4 * one)
    assert likeness == 0.75
    weight = 1 / likeness - 1
    right, wrong = weight * mean, weight * (1 - mean)
    mixed = 2 * right * wrong / (weight * (weight + 1))  # of two draws from a Pólya urn
    failing = wrong * (wrong + 1) / (weight * (weight + 1))
    bare = 1 - mean / 8  # level 0 is not seen: an eighth of the mean at level 3, prior weight 1
    bare_fails = bare * (bare + 1) / 2
    assert why["levels"]["0"]["fails"] == pytest.approx(bare_fails, rel=1e-3)
    score = mixed / 10 / 8 * bare_fails
    expected = {"p": mean, "fails": failing, "gate": mixed, "tokens": 10, "score": score}
    assert why["levels"]["3"] == pytest.approx(expected, rel=1e-3)


def test_where_level_0_is_solved_no_start_is_hinted():
    """Hinted groups were drawn only for the two problems that fail without: they say nothing about the others."""
    ledger = Ledger()
    for number in range(6):
        hard = [visit(p, group(0, FAILED), group(1, "0110"), number=number) for p in OTHERS[:2]]
        ledger.add_step([*hard, *(visit(p, group(0, SOLVED), number=number) for p in OTHERS[2:])])
    assert plan_of(ledger).levels[0] == 0


@pytest.mark.parametrize(
    ("last", "highest"),
    [
        ((group(2, MIXED),), 2),
        ((group(2, SOLVED),), 1),
        ((group(1, FAILED), group(3, MIXED)), 3),
        ((group(0, FAILED), group(1, SOLVED)), 0),
        ((group(0, SOLVED),), 0),
    ],
)
def test_a_success_bounds_the_next_start(last, highest):
    ledger = shown(group(0, FAILED), group(1, FAILED), group(2, FAILED), group(3, "0110"))
    ledger.add_step([visit(FRESH, *last)])
    plan = plan_of(ledger)
    assert plan.levels[0] <= highest
    assert plan.why["highest"] == highest
    if last[-1].all_correct:
        assert plan.levels[-1] <= highest


@pytest.mark.parametrize(
    ("bare", "levels", "rule"),
    [
        ([MIXED, MIXED], (0,), "solved twice without hint"),
        ([FAILED, SOLVED, MIXED], (0,), "solved twice without hint"),
        ([FAILED, MIXED], (0, 3), "solved without hint"),
        ([MIXED, MIXED, FAILED], (3,), "score"),
    ],
)
def test_problems_solved_without_hint_lately_start_there(bare, levels, rule):
    ledger = shown(group(0, FAILED), group(1, FAILED), group(2, FAILED), group(3, "0110"), steps=8)
    for number, outcomes in enumerate(bare):
        ledger.add_step([visit(FRESH, group(0, outcomes), number=number)])
    plan = plan_of(ledger)
    assert plan.why["rule"] == rule
    assert plan.levels == levels


def test_where_no_level_promises_a_signal_a_problem_seen_before_gets_the_whole_ladder():
    hopeless = [group(level, FAILED) for level in range(4)]
    ledger = shown(*hopeless, steps=8)
    seen, new = plan_of(ledger, OTHERS[0]), plan_of(ledger)
    assert (seen.levels, seen.why["rule"]) == ((0, 1, 2, 3), "no level promises a signal")
    assert max(numbers["gate"] for numbers in seen.why["levels"].values()) < 0.25
    assert len(new.levels) == 1
    assert new.why["rule"] == "score"


def test_a_problem_solved_under_its_hint_gets_no_whole_ladder():
    """No level promises a signal there either, but what worked last bounds the visit."""
    ledger = shown(*[group(level, FAILED) for level in range(3)], group(3, SOLVED), steps=8)
    plan = plan_of(ledger, OTHERS[0])
    assert max(numbers["gate"] for numbers in plan.why["levels"].values()) < 0.25
    assert plan.levels == (2,)


def test_a_level_that_never_has_a_usable_hint_is_not_started_at():
    ledger, hints = Ledger(), ScriptedHints(refusals(OTHERS, levels=[3]))
    script = script_of(0, {0: 0.0, 1: 0.0, 2: 0.3, 3: 0.5})
    for step in range(4):
        visits = drive_lockstep(episodes_for(OTHERS, ledger, Gate(), 4, step, hints), ScriptedEngine(script))
        ledger.add_step(visits)
    assert plan_of(ledger).levels[0] == 2


def test_a_hint_that_was_refused_says_nothing_of_weaker_levels():
    ledger, refused = shown(group(0, "0110")), shown(group(0, "0110"))
    ledger.add_step([visit(FRESH, group(0, FAILED))])
    refused.add_step([visit(FRESH, group(0, FAILED), missing=(1, 2, 3))])
    refused.steps = ledger.steps  # what the population shows is not asked here
    p, p_refused = (
        {level: look["p"] for level, look in plan_of(each).why["levels"].items()} for each in (ledger, refused)
    )
    assert p_refused["0"] == p["0"]
    assert all(p_refused[level] < p[level] for level in "123")


def test_a_visit_without_a_usable_hint_bounds_the_next_one_by_what_was_drawn():
    ledger = shown(group(0, FAILED), group(1, FAILED), group(2, FAILED), group(3, "0110"))
    ledger.add_step([visit(FRESH, group(0, SOLVED), scheduled=3, missing=(3,))])
    plan = plan_of(ledger)
    assert (plan.why["highest"], plan.levels) == (0, (0,))


@given(st.lists(st.text("01", min_size=4, max_size=4), max_size=3), st.integers(0, 3))
def test_more_success_never_lowers_the_expected_success(outcomes, level):
    ledger = shown(group(0, FAILED), group(1, MIXED), steps=2)
    better = shown(group(0, FAILED), group(1, MIXED), steps=2)
    for number, text in enumerate(outcomes):
        ledger.add_step([visit(FRESH, group(level, text), number=number)])
        better.add_step([visit(FRESH, group(level, text.replace("0", "1", 1)), number=number)])
    # The population is not what is asked here.
    better.steps = ledger.steps
    numbers = [plan_of(each).why.get("levels") for each in (ledger, better)]
    if None not in numbers:
        assert all(numbers[1][key]["p"] >= numbers[0][key]["p"] for key in numbers[0])


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6), chances=st.lists(st.floats(0, 1), min_size=4, max_size=4), num_steps=st.integers(1, 8)
)
def test_whatever_happens(seed, chances, num_steps):
    """Starts never rise after a success; plans follow from the ledger alone, in any order, also when restored."""
    batch, ledger, gate = problems(6), Ledger(), Gate(seed=seed)
    script = script_of(seed, dict(enumerate(chances)))
    ended = {}
    for step in range(num_steps):
        ids = [(p.key, ledger.record(p.key).visits) for p in batch]
        plans = gate.plans(ledger, ids)
        restored = Ledger()
        restored.load_state_dict(json.loads(json.dumps(ledger.state_dict())))
        assert Gate(seed=seed).plans(restored, ids[::-1])[::-1] == plans
        json.dumps([plan.why for plan in plans], allow_nan=False)
        visits = drive_lockstep(episodes_for(batch, ledger, gate, 4, step), ScriptedEngine(script))
        for plan, made in zip(plans, visits, strict=True):
            before = ended.get(made.problem.key)
            if before is not None and before.num_correct:
                assert plan.levels[0] <= max(before.level - before.all_correct, 0)
            assert made.why == plan.why
            ended[made.problem.key] = made.kept
        ledger.add_step(visits)


def test_levels_not_drawn_for_long_are_tried_again():
    """Level 0 failed once, long ago; at level 2 all goes on being mixed."""
    ledger = shown(group(0, FAILED), group(1, FAILED), group(2, "0110"), steps=1)
    for step in range(1, 40):
        ledger.add_step([visit(p, group(2, "0110"), number=step) for p in OTHERS])
    starts = [plan_of(ledger, p, Gate(seed=seed)).levels[0] for p in OTHERS for seed in range(10)]
    assert 0 < sum(level < 2 for level in starts) < len(starts) / 2
