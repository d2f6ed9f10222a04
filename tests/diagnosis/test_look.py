from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from diagnosis.looks import group, look
from selfhint.core.episode import run_visit
from selfhint.core.group import Visit
from selfhint.core.ports import VisitContext
from selfhint.diagnosis import EveryLevel, HintCost, Look, counting, read_look
from support import visits
from support.episodes import ScriptedHints, hinted, outcome_engine, play, problems, refusals

CONTEXT = VisitContext(step=0, visit=0, hinted=hinted, fits=lambda prompt: True)


def drawn(by_level, levels=(1, 2, 3), *, only_failed=False, refuse=frozenset()):
    """Levels drawn, in order, and what asking for hints took."""
    (problem,) = problems(1)
    costs = {}
    plan = EveryLevel((0, *levels), only_failed=only_failed)
    source = ScriptedHints(refusals([problem], refuse))
    episode = run_visit(problem, plan, source, 2, CONTEXT)
    visit, _ = play(counting(episode, costs), outcome_engine(by_level))
    return [g.level for g in visit.groups], costs


ALL = {0: "00", 1: "11", 2: "00", 3: "10"}


def test_every_level_is_drawn_whatever_came_before():
    assert drawn(ALL)[0] == [0, 1, 2, 3]
    assert drawn({**ALL, 0: "11"})[0] == [0, 1, 2, 3]
    assert drawn(ALL, levels=(1, 3))[0] == [0, 1, 3]


def test_only_failed_groups_are_hinted():
    assert drawn(ALL, only_failed=True)[0] == [0, 1, 2, 3]
    assert drawn({**ALL, 0: "01"}, only_failed=True)[0] == [0]
    assert drawn({**ALL, 0: "11"}, only_failed=True)[0] == [0]


def test_a_group_that_cannot_be_judged_ends_the_look():
    assert drawn({**ALL, 0: "0?"})[0] == [0]


def test_a_level_without_hint_is_skipped():
    assert drawn(ALL, refuse=[2])[0] == [0, 1, 3]


def test_requests_are_counted_by_level():
    """Every hint is six tokens long, and a refused one is tried three times."""
    assert drawn(ALL, refuse=[2])[1] == {1: HintCost(1, 6), 2: HintCost(3, 18), 3: HintCost(1, 6)}


def test_counting_closes_the_episode_that_it_watches():
    closed = []

    def episode():
        try:
            yield None
        finally:
            closed.append(True)

    watched = counting(episode(), {})
    next(watched)
    watched.close()
    assert closed == [True]


def test_look_of_a_visit():
    (problem,) = problems(1)
    hint = visits.group(1, "01", key=problem.key).hint
    visit = Visit(problem, 2, 0, (visits.group(0, "0?"), visits.group(1, "01", tokens=7)), hints=(hint,))
    made = Look.of(visit, {1: HintCost(1, 9)}, len)
    assert (made.key, made.question, made.answer, made.round) == (problem.key, "problem 0", "0", 2)
    assert [g.correct for g in made.groups] == [(False, None), (False, True)]
    assert made.group(1).tokens == (7, 7)
    assert made.group(2) is None
    assert (made.hints[0].text, made.hints[0].tokens) == ("a hint", 6)
    assert made.bare is made.groups[0]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ("00", (0, False, True, False, False)),
        ("01", (1, False, False, False, True)),
        ("11", (2, False, False, True, False)),
        ("0?", (0, True, False, False, False)),
        ("1?", (1, True, False, False, False)),
    ],
)
def test_what_a_group_is(outcomes, expected):
    made = group(0, outcomes)
    assert (made.num_correct, made.unscored, made.failed, made.all_correct, made.mixed) == expected


def test_a_look_survives_json():
    made = look("k", {0: "0?", 2: "01"}, refused=[(1, "answer")], costs={1: (3, 40)}, round=4)
    assert read_look(json.loads(json.dumps(asdict(made)))) == made


def without(key):
    return lambda values: values.pop(key)


def with_value(*place):
    *path, key, value = place

    def change(values):
        for step in path:
            values = values[step]
        values[key] = value

    return change


@pytest.mark.parametrize(
    "damage",
    [
        without("key"),
        without("groups"),
        with_value("more", 1),
        with_value("key", 5),
        with_value("answer", None),
        with_value("round", "0"),
        with_value("groups", []),
        with_value("groups", 5),
        with_value("groups", [5]),
        with_value("groups", 0, "level", 1),
        with_value("groups", 0, "correct", [True]),
        with_value("groups", 0, "correct", ["yes", "no"]),
        with_value("groups", 0, "tokens", ["a", "b"]),
        with_value("hints", None),
        with_value("hints", 0, "text", 5),
        with_value("hints", 0, "refused", 5),
        with_value("hints", 0, "tokens", -1),
        with_value("hint_costs", []),
        with_value("hint_costs", {"one": {}}),
        with_value("hint_costs", "1", "tokens", None),
    ],
)
def test_a_damaged_look_is_refused(damage):
    made = look("k", {0: "0?", 2: "01"}, refused=[(1, "answer")], costs={1: (3, 40)})
    values = json.loads(json.dumps(asdict(made)))
    assert read_look(values) == made
    damage(values)
    with pytest.raises(ValueError, match="not a look"):
        read_look(values)


@pytest.mark.parametrize("values", [5, None, [], {}, "look"])
def test_something_else_is_no_look(values):
    with pytest.raises(ValueError, match="not a look"):
        read_look(values)
