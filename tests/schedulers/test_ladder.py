"""SAGE: climb within one visit until something succeeds."""

from __future__ import annotations

import itertools

import pytest

from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.core.levels import NUM_LEVELS
from selfhint.schedulers import Ladder
from support.episodes import ScriptedHints, episodes_for, outcome_engine, play, problems, refusals

(PROBLEM,) = problems(1)
FAILED, MIXED, SOLVED = "0000", "0100", "1111"


def climb(by_level, record=None, without_hint=()):
    """The visit over these outcomes; drawing at a level not in the table is an error."""
    ledger = Ledger({PROBLEM.key: record} if record else {})
    hints = ScriptedHints(refuse=refusals([PROBLEM], levels=without_hint))
    (episode,) = episodes_for([PROBLEM], ledger, Ladder(), 4, hints=hints)
    visit, _ = play(episode, outcome_engine(by_level))
    return visit


def levels(visit):
    return [group.level for group in visit.groups]


@pytest.mark.parametrize("stop", range(NUM_LEVELS + 1))
@pytest.mark.parametrize("outcomes", [MIXED, SOLVED])
def test_the_climb_ends_at_the_first_level_with_a_correct_completion(stop, outcomes):
    visit = climb({**dict.fromkeys(range(stop), FAILED), stop: outcomes})
    assert levels(visit) == list(range(stop + 1))
    assert visit.kept.level == stop
    assert visit.kept.num_correct > 0


def test_an_all_wrong_group_at_the_last_level_is_kept():
    visit = climb(dict.fromkeys(range(NUM_LEVELS + 1), FAILED))
    assert levels(visit) == [0, 1, 2, 3]
    assert visit.kept.level == NUM_LEVELS
    assert visit.kept.failed


def test_all_correct_never_triggers_hints():
    visit = climb({0: SOLVED})
    assert levels(visit) == [0]
    assert visit.hints == ()


@pytest.mark.parametrize(
    "record", [ProblemRecord(visits=1, level=0, rate=0.0), ProblemRecord(visits=9, level=3, rate=0.0, solved=True)]
)
def test_every_visit_starts_without_a_hint(record):
    assert levels(climb({0: FAILED, 1: MIXED}, record)) == [0, 1]


@pytest.mark.parametrize("missing", [c for n in range(1, 4) for c in itertools.combinations((1, 2, 3), n)])
def test_levels_without_a_usable_hint_are_skipped(missing):
    drawn = [level for level in range(NUM_LEVELS + 1) if level not in missing]
    visit = climb(dict.fromkeys(drawn, FAILED), without_hint=missing)
    assert levels(visit) == drawn
    assert visit.kept.level == drawn[-1]


def test_an_unscored_group_is_not_hinted():
    assert levels(climb({0: "00?0"})) == [0]
