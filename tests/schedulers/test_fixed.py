"""One level at every visit."""

from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.schedulers import Fixed
from support.episodes import ScriptedHints, episodes_for, outcome_engine, play, problems, refusals

(PROBLEM,) = problems(1)


def run(level, by_level, record=None, hints=None):
    ledger = Ledger({PROBLEM.key: record or ProblemRecord()})
    (episode,) = episodes_for([PROBLEM], ledger, Fixed(level), 4, hints=hints)
    return play(episode, outcome_engine(by_level))[0]


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("outcomes", ["0000", "0100", "1111"])
@pytest.mark.parametrize("record", [ProblemRecord(), ProblemRecord(visits=4, level=1, rate=1.0)])
def test_one_group_at_the_level_whatever_comes_of_it(level, outcomes, record):
    visit = run(level, {level: outcomes}, record)
    assert [g.level for g in visit.groups] == [level]


def test_without_a_hint_the_group_is_drawn_bare():
    visit = run(2, {0: "0100"}, hints=ScriptedHints(refuse=refusals([PROBLEM], levels=[2])))
    assert [g.level for g in visit.groups] == [0]
    assert visit.hint_missing


@pytest.mark.parametrize("level", [-1, 0, 4])
def test_other_levels_are_refused(level):
    with pytest.raises(InputError, match=rf"level {level} is not between 1 and 3; set scheduler\.level"):
        Fixed(level)
