"""What travels between the driver and its workers."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Completion, Hint
from selfhint.core.ledger import Ledger, StoredHint, stored_hints_of
from selfhint.core.plan import Plan
from selfhint.engines.verl.report import ACCOUNT, account_in, assignment, attach, first_line, original
from selfhint.runlog import group_line, hint_line, step_metrics
from selfhint.schedulers import Gate
from support.episodes import problems
from support.visits import group, visit

SECRET = "the text of a completion"


def a_visit():
    made = visit(
        problems(1)[0],
        group(0, "000"),
        group(2, "010", tokens=7),
        hints=(Hint("k-0-2-0", "k", 2, "a hint", "self", None, keep=True),),
        hint_tokens=5,
        number=3,
    )
    made = replace(made, missing=(1,), why={"rule": "score"})
    completions = tuple(Completion(SECRET, 7, raw=[SECRET]) for _ in range(3))
    groups = tuple(
        replace(g, completions=completions, prompt=[{"role": "user", "content": SECRET}]) for g in made.groups
    )
    return replace(made, groups=groups)


def test_the_account_survives_and_says_the_same_in_the_logs():
    sent, fields = a_visit(), {"theirs": 1}
    attach(sent, fields)
    assert fields["theirs"] == 1
    came = account_in(pickle.loads(pickle.dumps(fields)))
    assert came.problem == sent.problem
    assert (came.number, came.scheduled_level, came.hint_tokens) == (3, 0, 5)
    assert came.hints == sent.hints
    assert (came.missing, came.why) == (sent.missing, sent.why)
    assert [g.verdicts for g in came.groups] == [g.verdicts for g in sent.groups]
    assert [g.num_tokens for g in came.groups] == [21, 21]
    assert group_line(came, 1, 0) == group_line(sent, 1, 0)
    assert [hint_line(h, 1) for h in came.hints] == [hint_line(h, 1) for h in sent.hints]
    ledgers = Ledger(), Ledger()
    for ledger, each in zip(ledgers, (came, sent), strict=True):
        ledger.add_step([each])
    assert ledgers[0].state_dict() == ledgers[1].state_dict()
    assert step_metrics([came], ledgers[0]) == step_metrics([sent], ledgers[1])


def test_neither_texts_nor_the_engines_records_travel():
    fields = {}
    attach(a_visit(), fields)
    assert SECRET.encode() not in fields[ACCOUNT]
    assert all(c.raw is None and c.text == "" for g in account_in(fields).groups for c in g.completions)


def test_the_visit_itself_is_left_as_it_was():
    sent = a_visit()
    attach(sent, {})
    assert sent.kept.completions[0].raw == [SECRET]


def test_an_assignment_gives_plan_and_stored_hints_back():
    stored = {1: StoredHint("kept", 7, 1), 3: StoredHint("also kept", 2, 0)}
    plan = Gate().plans(Ledger(), [("k", 0)])[0]
    sent = assignment(plan, stored, 4, 1, {2: ("given",)})
    came = pickle.loads(pickle.dumps(sent))
    assert (came["visit"], came["epoch"], came["hints"]) == (4, 1, {2: ("given",)})
    assert Plan(came["levels"], came["why"]) == plan
    assert stored_hints_of(came["stored"]) == stored


class WrappedError(Exception):
    """As Ray raises what another process raised."""

    def __init__(self, cause):
        self.cause = cause
        super().__init__(f"ray::Worker.run() (pid=1)\n  Traceback\n{cause!r}")


@pytest.mark.parametrize("wrap", [lambda e: e, WrappedError, lambda e: WrappedError(WrappedError(e))])
def test_an_error_in_one_line_is_what_was_raised_first(wrap):
    assert first_line(wrap(KeyError("nothing here"))) == "KeyError: 'nothing here'"
    assert first_line(wrap(ValueError("one\ntwo"))) == "ValueError: one"
    assert first_line(wrap(ValueError())) == "ValueError: "
    mine = InputError("mine")
    assert original(wrap(mine)) is mine


def test_a_cause_that_is_no_error_is_none():
    error = OSError("x")
    error.cause = "a word"
    assert original(error) is error
