"""Plain GRPO never hints."""

from __future__ import annotations

import pytest

from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.schedulers import NoHints
from support.episodes import episodes_for, outcome_engine, play, problems

(PROBLEM,) = problems(1)


@pytest.mark.parametrize("outcomes", ["0000", "0100", "1111", "????"])
@pytest.mark.parametrize("record", [ProblemRecord(), ProblemRecord(visits=3, level=2, rate=0.0)])
def test_one_group_without_a_hint_whatever_comes_of_it(record, outcomes):
    (episode,) = episodes_for([PROBLEM], Ledger({PROBLEM.key: record}), NoHints(), 4)
    visit, requests = play(episode, outcome_engine({0: outcomes}))
    assert [g.level for g in visit.groups] == [0]
    assert visit.scheduled_level == 0
    assert len(requests) == 2  # one draw, one judgement
