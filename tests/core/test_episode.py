"""One visit's story, request by request."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.episode import run_visit
from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.core.plan import Plan
from selfhint.core.ports import Judge, Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.engines.drive import drive_lockstep
from selfhint.engines.scripted import ScriptedEngine
from selfhint.hints import SelfHints
from selfhint.schedulers import EpochLevels, Fixed, Ladder, NoHints
from support.episodes import (
    ScriptedHints,
    episodes_for,
    hinted,
    outcome_engine,
    play,
    problems,
    refusals,
    script_of,
)

(PROBLEM,) = problems(1)
GROUP_SIZE = 4
FAILED = "0000"
LADDER = Plan((0, 1, 2, 3))
SCHEDULERS = {"none": NoHints, "ladder": Ladder, "epoch": EpochLevels, "fixed": lambda: Fixed(2)}


def episode_of(scheduler, hints=None, problem=PROBLEM, ledger=None):
    (episode,) = episodes_for([problem], ledger or Ledger(), scheduler, GROUP_SIZE, hints=hints)
    return episode


def asked(requests):
    """(purpose, level, number) of every draw."""
    return [(r.purpose, r.level, r.num) for r in requests if isinstance(r, Sample)]


def test_a_visit_that_needs_no_hint():
    visit, requests = play(episode_of(Ladder()), outcome_engine({0: "0110"}))

    completions = visit.kept.completions
    assert [c.text for c in completions] == ["0", "1", "1", "0"]
    assert requests == [
        Sample(PROBLEM.key, visit=0, level=0, purpose="solve", prompt=PROBLEM.prompt, num=4),
        Judge(PROBLEM, 0, PROBLEM.prompt, completions),
    ]
    assert visit.groups == (visit.kept,)
    assert visit.kept.prompt == PROBLEM.prompt
    assert visit.kept.hint is None
    assert visit.kept.rewards == [0.0, 1.0, 1.0, 0.0]
    assert (visit.problem, visit.number, visit.scheduled_level) == (PROBLEM, 0, 0)
    assert (visit.hints, visit.hint_tokens) == ((), 0)


def test_a_hinted_group_is_drawn_judged_and_kept_under_the_hinted_prompt():
    visit, requests = play(episode_of(Ladder()), outcome_engine({0: FAILED, 1: "0010"}))

    (hint,) = visit.hints
    assert visit.kept.hint == hint
    assert visit.kept.prompt == hinted(PROBLEM.prompt, hint.text) != PROBLEM.prompt
    drawn, judged = requests[-2:]
    assert drawn == Sample(PROBLEM.key, 0, 1, "solve", visit.kept.prompt, GROUP_SIZE)
    assert judged == Judge(PROBLEM, visit.number, visit.kept.prompt, visit.kept.completions)
    assert visit.hint_tokens == len("a hint")


def test_the_visit_number_is_in_every_request():
    ledger = Ledger({PROBLEM.key: ProblemRecord(visits=7)})
    visit, requests = play(episode_of(Ladder(), ledger=ledger), outcome_engine({0: FAILED, 1: "1111"}))
    assert visit.number == 7
    assert [r.visit for r in requests if isinstance(r, Sample)] == [7, 7, 7]


def test_levels_without_a_hint_are_skipped_without_drawing():
    hints = ScriptedHints(refuse=refusals([PROBLEM], levels=[1, 2]))
    visit, requests = play(episode_of(Ladder(), hints), outcome_engine({0: FAILED, 3: "0001"}))
    assert [draw for draw in asked(requests) if draw[0] == "solve"] == [("solve", 0, 4), ("solve", 3, 4)]
    assert [g.level for g in visit.groups] == [0, 3]


def test_every_hint_made_is_in_the_visit():
    hints = ScriptedHints(refuse={(PROBLEM.key, 1, 0), *refusals([PROBLEM], levels=[2])})
    visit, _ = play(episode_of(Ladder(), hints), outcome_engine({0: FAILED, 1: FAILED, 3: FAILED}))
    made = [(h.level, h.refused) for h in visit.hints]
    assert made == [(1, "scripted"), (1, None), *[(2, "scripted")] * 3, (3, None)]
    assert visit.hint_tokens == len("a hint") * 6
    assert len({h.id for h in visit.hints}) == 6


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("outcomes", ["????", "000?", "?111"])
def test_an_unscored_group_ends_the_visit(scheduler, outcomes):
    visit, requests = play(episode_of(SCHEDULERS[scheduler]()), outcome_engine({0: outcomes, 2: outcomes}))
    assert len(visit.groups) == 1
    assert asked(requests)[-1] == ("solve", visit.scheduled_level, 4)


def test_an_unscored_hinted_group_ends_the_climb():
    visit, _ = play(episode_of(Ladder()), outcome_engine({0: FAILED, 1: "00?0"}))
    assert [g.level for g in visit.groups] == [0, 1]


def test_no_plan_can_hint_an_unscored_group():
    class Restless(Plan):
        def goes_on(self, group):
            return True

    context = VisitContext(step=1, visit=0, hinted=hinted, fits=lambda prompt: True)
    episode = run_visit(PROBLEM, Restless((0, 1)), ScriptedHints(), GROUP_SIZE, context)
    visit, _ = play(episode, outcome_engine({0: "11?1"}))
    assert [g.level for g in visit.groups] == [0]


def test_a_group_of_one():
    (episode,) = episodes_for([PROBLEM], Ledger(), Ladder(), 1)
    visit, _ = play(episode, outcome_engine({0: "0", 1: "0", 2: "1"}))
    assert [g.rewards for g in visit.groups] == [[0.0], [0.0], [1.0]]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_scheduler_decides_by_the_record_from_before_the_step(scheduler):
    record = ProblemRecord(visits=1, level=1, rate=0.0)
    ledger = Ledger({PROBLEM.key: record})
    visit, _ = play(episode_of(SCHEDULERS[scheduler](), ledger=ledger), outcome_engine(dict.fromkeys(range(4), "0001")))
    assert visit.scheduled_level == visit.kept.level == {"none": 0, "ladder": 0, "epoch": 2, "fixed": 2}[scheduler]
    assert record == ProblemRecord(visits=1, level=1, rate=0.0)


class _Short(ScriptedEngine):
    """Loses a reply."""

    def __init__(self, lose):
        super().__init__(lambda request, i: "0")
        self._lose = lose

    def sample_one(self, request):
        return super().sample_one(request)[self._lose == "completion" :]

    def judge_one(self, request):
        return super().judge_one(request)[self._lose == "verdict" :]


@pytest.mark.parametrize("lose", ["completion", "verdict"])
def test_a_reply_of_the_wrong_length_is_an_error(lose):
    with pytest.raises(RuntimeError, match=f"problem {PROBLEM.key}: wanted 4 completions"):
        play(episode_of(NoHints()), _Short(lose))


def test_where_no_level_of_a_plan_has_a_hint_level_0_is_drawn():
    hints = ScriptedHints(refuse=refusals([PROBLEM]))
    context = VisitContext(step=1, visit=0, hinted=hinted, fits=lambda prompt: True)
    visit, _ = play(run_visit(PROBLEM, Plan((1, 3)), hints, GROUP_SIZE, context), outcome_engine({0: "0000"}))
    assert [g.level for g in visit.groups] == [0]
    assert (visit.scheduled_level, visit.missing) == (1, (1, 3))


# Traps of earlier implementations


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(range(8)))
def test_shuffled_rows_change_nothing(seed, order):
    """Trap: groups found by their position in a batch that was re-ordered meanwhile."""
    batch = problems(8)
    ledgers = Ledger(), Ledger()
    for step in range(4):
        in_order, shuffled = (
            drive_lockstep(episodes_for(rows, ledger, EpochLevels(), GROUP_SIZE, step), ScriptedEngine(script_of(seed)))
            for rows, ledger in zip((batch, [batch[i] for i in order]), ledgers, strict=True)
        )
        assert [shuffled[order.index(i)] for i in range(8)] == in_order
        for visit in shuffled:
            assert visit.problem.question in visit.kept.prompt[-1]["content"]
            for completion, verdict in zip(visit.kept.completions, visit.kept.verdicts, strict=True):
                assert verdict.correct is (completion.text == visit.problem.answer)
        ledgers[0].add_step(in_order)
        ledgers[1].add_step(random.Random(seed).sample(shuffled, len(shuffled)))
    assert ledgers[0].records == ledgers[1].records


def test_problems_without_an_index_do_not_share_a_level():
    """Trap: a row without an index gets index 0, so that all problems share one level."""
    solved, failed = problems(2)
    ledger = Ledger()
    engine = ScriptedEngine(lambda r, i: "a hint" if r.purpose == "hint" else ("0" if r.key == solved.key else "no"))
    for _ in range(3):
        ledger.add_step(drive_lockstep(episodes_for([solved, failed], ledger, EpochLevels(), GROUP_SIZE), engine))
    assert (ledger.record(solved.key).level, ledger.record(failed.key).level) == (0, 2)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 12))
def test_only_failing_problems_are_drawn_again(seed, size):
    """Trap: every level draws the whole batch again. Drawn: G · (B + Σ failing per level)."""
    played = [
        play(e, ScriptedEngine(script_of(seed))) for e in episodes_for(problems(size), Ledger(), Ladder(), GROUP_SIZE)
    ]
    drawn = sum(num for _, requests in played for purpose, _, num in asked(requests) if purpose == "solve")
    failing = [sum(g.failed for visit, _ in played for g in visit.groups if g.level == level) for level in range(3)]
    assert drawn == GROUP_SIZE * (size + sum(failing))
    hints = sum(purpose == "hint" for _, requests in played for purpose, _, _ in asked(requests))
    assert hints == sum(failing)


def test_each_try_for_a_hint_is_a_request_of_its_own():
    """Trap: retries that repeat the same failure. An engine that seeds by identity draws anew for each."""
    hints = ScriptedHints(refuse=refusals([PROBLEM]))
    engine = ScriptedEngine(script_of(0, dict.fromkeys(range(4), 0.0)))
    visit, requests = play(episode_of(Ladder(), hints), engine)
    tries = [r for r in requests if isinstance(r, Sample) and r.purpose == "hint"]
    assert [(r.level, r.attempt, r.num) for r in tries] == [(level, i, 1) for level in (1, 2, 3) for i in range(3)]
    assert len({(r.key, r.visit, r.level, r.purpose, r.attempt) for r in tries}) == 9
    assert len({h.text for h in visit.hints}) > 1


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_step_without_any_hint_goes_on(scheduler):
    """Trap: all hints failing in one step raises."""
    batch = problems(3)
    ledger = Ledger({p.key: ProblemRecord(visits=1, level=1, rate=0.0) for p in batch})
    episodes = episodes_for(batch, ledger, SCHEDULERS[scheduler](), GROUP_SIZE, hints=ScriptedHints(refusals(batch)))
    visits = drive_lockstep(episodes, outcome_engine({0: FAILED}))
    assert [[g.level for g in v.groups] for v in visits] == [[0]] * 3
    num_refused = {"none": 0, "ladder": 9, "epoch": 3, "fixed": 3}[scheduler]
    assert [sum(v.refused.values()) for v in visits] == [num_refused] * 3
    ledger.add_step(visits)
    assert ledger.num_never_solved == 3


def test_a_hint_that_does_not_fit_is_counted():
    """Trap: a prompt that is too long is dropped without a count."""
    context = VisitContext(step=1, visit=0, hinted=hinted, fits=lambda prompt: False)
    episode = run_visit(PROBLEM, LADDER, SelfHints(), GROUP_SIZE, context)
    visit, requests = play(episode, outcome_engine({0: FAILED}))
    assert asked(requests) == [("solve", 0, 4)]
    assert sum(visit.refused.values()) == 3


@pytest.mark.parametrize("solution", [None, "", " \n"])
def test_no_hint_is_asked_for_without_a_solution(solution):
    """Trap: hints written from the gold answer where the solution is missing."""
    problem = Problem("question", solution, "the gold answer", "question")
    context = VisitContext(step=1, visit=0, hinted=hinted, fits=lambda prompt: True)
    episode = run_visit(problem, LADDER, SelfHints(), GROUP_SIZE, context)
    visit, requests = play(episode, outcome_engine({0: FAILED}))
    assert asked(requests) == [("solve", 0, 4)]
    assert visit.kept.level == 0
    assert [h.refused for h in visit.hints] == ["no_solution"] * 3
    assert "gold" not in repr([h.text for h in visit.hints])
