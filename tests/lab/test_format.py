"""Requests for hints, and a whole visit with hints that the ideal reader writes."""

from __future__ import annotations

import pytest

from selfhint.core.episode import run_visit
from selfhint.core.plan import Plan
from selfhint.core.ports import VisitContext
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.scripted import ScriptedEngine
from selfhint.hints import SelfHints, insert_hint
from selfhint.lab.format import LabFormat
from selfhint.lab.ideal import IdealReader
from selfhint.lab.task import HINT_BLOCK, LabTask, true_hint


def test_the_request_names_word_solution_and_level():
    task = LabTask()
    problem = task.problem("ijklm")
    assert LabFormat().request(problem, 2) == [{"role": "user", "content": f"Hijklm|{problem.answer}|2"}]
    assert LabFormat().without_request(problem, 2) is None


def test_a_level_that_shows_nothing_is_not_asked_for():
    problem = LabTask().problem("ij")
    assert LabFormat().request(problem, 1) is None
    assert LabFormat().without_request(problem, 1) == ""


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_answer_is_the_hint_of_its_level(level: int):
    problem = LabTask().problem("ijklm")
    assert LabFormat().parse("0123", problem, level) == {level: "0123"}
    assert LabFormat().levels_asked(level) == (level,)


def test_a_ladder_of_visits_with_an_ideal_policy():
    task = LabTask()
    problems = task.problems("hard").train[:64]
    reader = IdealReader(task, seed=5)

    def hinted(prompt, text):
        return insert_hint(prompt, text, HINT_BLOCK)

    source = SelfHints(LabFormat())
    episodes = [
        run_visit(p, Plan((0, 1, 2, 3)), source, 8, VisitContext(0, 0, hinted, lambda prompt: True)) for p in problems
    ]
    visits = drive_lockstep(episodes, ScriptedEngine(lambda request, i: reader.complete(request.prompt)))
    hints = [hint for visit in visits for hint in visit.hints]
    assert {hint.level for hint in hints} == {1, 2, 3}
    by_key = {p.key: p for p in problems}
    assert all(hint.refused is None and hint.text == true_hint(by_key[hint.key], hint.level) for hint in hints)
    # each visit ends with a signal with probability 1 - (1 - 1/8)^8 = 0.66 at least: 64 visits, five deviations down
    assert sum(visit.kept.has_signal for visit in visits) >= 64 * 0.66 - 5 * (64 * 0.66 * 0.34) ** 0.5
    assert all(len(group.prompt) == 1 for visit in visits for group in visit.groups)
