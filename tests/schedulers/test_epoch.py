"""SAGE-light: one level per problem, moved between visits."""

from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.scripted import ScriptedEngine
from selfhint.schedulers import EpochLevels
from support.episodes import ScriptedHints, episodes_for, outcome_engine, problems, refusals, script_of
from support.visits import group, visit

(PROBLEM,) = problems(1)
RULES = ["thresholds", "paper"]
GROUP_SIZE = 20  # 0.1 and 0.35 are 2 and 7 of 20


def outcomes(num_correct):
    return "1" * num_correct + "0" * (GROUP_SIZE - num_correct)


def start(ledger, rule="thresholds", key=PROBLEM.key):
    (plan,) = EpochLevels(rule).plans(ledger, [(key, ledger.record(key).visits)])
    (level,) = plan.levels  # no extra rollouts
    return level


def levels_over(counts, rule, ledger=None):
    """The level drawn at each visit when that visit gets so many of 20 right."""
    ledger, scheduler = ledger or Ledger(), EpochLevels(rule)
    drawn = []
    for count in counts:
        episodes = episodes_for([PROBLEM], ledger, scheduler, GROUP_SIZE)
        visits = drive_lockstep(episodes, outcome_engine(dict.fromkeys(range(4), outcomes(count))))
        assert len(visits[0].groups) == 1  # no extra rollouts
        drawn.append(visits[0].kept.level)
        ledger.add_step(visits)
    return drawn


@pytest.mark.parametrize("rule", RULES)
def test_the_first_visit_has_no_hint(rule):
    assert start(Ledger(), rule) == 0
    assert start(Ledger({PROBLEM.key: ProblemRecord()}), rule) == 0


@pytest.mark.parametrize(
    ("rule", "num_correct", "moved"),
    [
        ("thresholds", 0, +1),
        ("thresholds", 2, +1),  # 0.1: at most 0.1 raises
        ("thresholds", 3, 0),
        ("thresholds", 7, 0),  # 0.35: only above 0.35 lowers
        ("thresholds", 8, -1),
        ("thresholds", 20, -1),
        ("paper", 0, +1),
        ("paper", 6, +1),
        ("paper", 7, 0),  # 0.35: only below 0.35 raises
        ("paper", 8, 0),
        ("paper", 20, 0),
    ],
)
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_the_last_visit_moves_the_level_by_one_at_most(rule, num_correct, moved, level):
    ledger = Ledger()
    ledger.add_step([visit(PROBLEM, group(level, outcomes(num_correct)))])
    assert start(ledger, rule) == min(max(level + moved, 0), 3)


@pytest.mark.parametrize(("rule", "end"), [("thresholds", [3, 2, 1, 0, 0]), ("paper", [3, 3, 3, 3, 3])])
def test_a_problem_that_is_hard_and_then_easy(rule, end):
    assert levels_over([0, 0, 0, 0, 20, 20, 20, 20, 20], rule) == [0, 1, 2, 3, *end]


@pytest.mark.parametrize("rule", RULES)
def test_only_the_previous_visit_counts(rule):
    assert levels_over([0, 7, 7, 7, 0, 7], rule) == [0, 1, 1, 1, 1, 2]


def test_the_two_thresholds_are_the_default():
    assert EpochLevels().rule == "thresholds"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("num_correct", [0, 20])
def test_a_missing_hint_keeps_the_level_and_ignores_the_visits_rate(rule, num_correct):
    ledger = Ledger({PROBLEM.key: ProblemRecord(visits=2, level=1, rate=0.0)})
    hints = ScriptedHints(refuse=refusals([PROBLEM]))
    for visits in (3, 4):
        engine = outcome_engine({0: outcomes(num_correct)})
        (made,) = drive_lockstep(episodes_for([PROBLEM], ledger, EpochLevels(rule), GROUP_SIZE, hints=hints), engine)
        assert (made.scheduled_level, made.kept.level) == (2, 0)
        ledger.add_step([made])
        record = ledger.record(PROBLEM.key)
        assert (record.visits, record.level, record.rate) == (visits, 2, None)
        assert record.solved is record.solved_without_hint is (num_correct > 0)
    assert levels_over([0, 7], rule, ledger) == [2, 3]


@pytest.mark.parametrize("rule", RULES)
def test_an_unscored_visit_keeps_the_level(rule):
    ledger = Ledger()
    ledger.add_step([visit(PROBLEM, group(2, "0000?"))])
    assert start(ledger, rule) == 2


def test_copies_in_one_batch_share_a_level_and_pool_their_rewards():
    ledger = Ledger({PROBLEM.key: ProblemRecord(visits=1, level=1, rate=0.0)})
    first, second = 0, 5  # 0.125 together: neither raises nor lowers, as 0 and 0.25 alone would not do
    by_visit = {1: outcomes(first), 2: outcomes(second)}
    engine = ScriptedEngine(
        lambda request, i: "a hint" if request.purpose == "hint" else by_visit[request.visit][i],
        is_correct=lambda problem, text: text == "1",
    )
    copies = drive_lockstep(episodes_for([PROBLEM, PROBLEM], ledger, EpochLevels(), GROUP_SIZE), engine)
    assert [v.kept.level for v in copies] == [2, 2]
    assert [v.kept.num_correct for v in copies] == [first, second]
    for order in (copies, copies[::-1]):
        fresh = Ledger()
        fresh.add_step(order)
        assert fresh.record(PROBLEM.key).rate == 5 / 40
        assert start(fresh) == 2


def test_each_problem_has_a_level_of_its_own():
    batch = problems(12)
    ledger = Ledger()
    for step in range(6):
        for problem in batch:
            before = ledger.record(problem.key)
            assert abs(start(ledger, key=problem.key) - before.level) <= 1
        ledger.add_step(
            drive_lockstep(episodes_for(batch, ledger, EpochLevels(), 4, step), ScriptedEngine(script_of(step)))
        )
    assert len({ledger.record(p.key).level for p in batch}) > 1


def test_another_rule_is_refused():
    with pytest.raises(InputError, match=r"unknown rule 'code'; set scheduler\.rule to thresholds or paper"):
        EpochLevels("code")
