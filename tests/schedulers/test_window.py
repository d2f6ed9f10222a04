"""Hints of random, fading strength while most of the last groups failed."""

from __future__ import annotations

from collections import Counter

import pytest

from selfhint.core.ledger import KEPT_FLAGS, Ledger
from selfhint.schedulers import Window
from support.episodes import problems
from support.visits import group, visit

FAILED, MIXED, SOLVED = "0000", "0100", "1111"
IDS = [(f"problem {i}", i % 5) for i in range(300)]


def ledger_after(*outcomes, steps=1):
    """`outcomes` in the last of so many steps."""
    ledger = Ledger()
    for _ in range(steps - 1):
        ledger.add_step([])
    ledger.add_step([visit(p, group(0, o)) for p, o in zip(problems(len(outcomes)), outcomes, strict=True)])
    return ledger


def levels(scheduler, ledger):
    plans = scheduler.plans(ledger, IDS)
    assert all(len(plan.levels) == 1 for plan in plans)
    return [plan.levels[0] for plan in plans]


@pytest.mark.parametrize(
    ("outcomes", "hinting"),
    [
        ([], True),
        ([SOLVED] * 4, True),  # fewer than five seen
        ([SOLVED] * 5, False),
        ([FAILED] * 3 + [SOLVED] * 2, True),  # more than half
        ([FAILED] * 2 + [MIXED] * 3, False),
        ([FAILED] * 20 + [SOLVED] * 2 + [MIXED] * 3, False),  # only the last five count
        ([SOLVED] * 20 + [FAILED] * 3, True),
        (["????"] * 5 + [FAILED] * 4, True),  # what could not be scored is not in the list
    ],
)
def test_when_hints_are_on(outcomes, hinting):
    drawn = levels(Window(), ledger_after(*outcomes))
    assert min(drawn) == max(drawn) == 0 or hinting
    assert (0 not in drawn) is hinting


def test_exactly_the_share_is_not_more():
    ledger = ledger_after(FAILED, FAILED, SOLVED, SOLVED)
    assert set(levels(Window(groups=4), ledger)) == {0}
    assert 0 not in levels(Window(groups=4, share=0.49), ledger)


def test_strengths_are_drawn_evenly_and_depend_on_seed_problem_and_visit_alone():
    counts = Counter(levels(Window(seed=1), Ledger()))
    assert counts.keys() == {1, 2, 3}
    assert min(counts.values()) > 70  # 100 each, standard deviation 8
    assert levels(Window(seed=1), Ledger()) != levels(Window(seed=2), Ledger())
    backwards = Window(seed=1).plans(Ledger(), IDS[::-1])[::-1]
    assert [plan.levels[0] for plan in backwards] == levels(Window(seed=1), Ledger())


@pytest.mark.parametrize(
    ("done", "faded"),
    [
        (0, {1: 1, 2: 2, 3: 3}),
        (2, {1: 1, 2: 2, 3: 2}),  # 0.8, 1.6, 2.4
        (5, {1: 1, 2: 1, 3: 2}),  # 0.5, 1, 1.5: halves go up
        (8, {1: 0, 2: 0, 3: 1}),  # 0.2, 0.4, 0.6
        (10, {1: 0, 2: 0, 3: 0}),
        (12, {1: 0, 2: 0, 3: 0}),  # a resumed run that was given fewer steps
    ],
)
def test_drawn_strengths_fade_linearly_over_the_steps(done, faded):
    drawn = levels(Window(), Ledger())
    later = levels(Window(steps=10), Ledger(num_steps=done))
    assert later == [faded[level] for level in drawn]


def test_the_decision_says_why():
    (plan,) = Window(steps=4).plans(ledger_after(FAILED, FAILED, SOLVED), [("k", 0)])
    assert plan.why == {"failed": 2, "seen": 3, "left": 0.75}


@pytest.mark.parametrize("groups", [0, KEPT_FLAGS + 1])
def test_a_window_the_ledger_does_not_keep_is_refused(groups):
    with pytest.raises(ValueError, match=f"it can have 1 to {KEPT_FLAGS}"):
        Window(groups=groups)
