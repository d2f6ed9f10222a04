"""The ledger remembers what schedulers need, by key, in bounded space."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Hint
from selfhint.core.ledger import KEPT_FLAGS, Ledger, Outcome, ProblemRecord, StoredHint, Tally
from support.episodes import problems
from support.visits import group, visit

A, B, C = problems(3)


def ledger_of(*steps):
    ledger = Ledger()
    for step in steps:
        ledger.add_step(step)
    return ledger


def summary(ledger, problem):
    record = ledger.record(problem.key)
    return record.visits, record.level, record.rate, record.solved, record.solved_without_hint


def through_json(state):
    return json.loads(json.dumps(state))


def test_an_unseen_problem_has_an_empty_record_and_stays_unseen():
    ledger = Ledger()
    assert summary(ledger, A) == (0, 0, None, False, False)
    assert ledger.num_seen == 0


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (visit(A, group(0, "0000")), (1, 0, 0.0, False, False)),
        (visit(A, group(0, "0100")), (1, 0, 0.25, True, True)),
        (visit(A, group(0, "0000"), group(1, "0110")), (1, 0, 0.5, True, False)),
        (visit(A, group(2, "0001")), (1, 2, 0.25, True, False)),
        (visit(A, group(0, "0001"), scheduled=2), (1, 2, None, True, True)),
        (visit(A, group(0, "????")), (1, 0, None, False, False)),
        (visit(A, group(2, "0?00")), (1, 2, None, False, False)),
    ],
    ids=["failed", "mixed", "rescued", "scheduled", "hint missing", "unscored", "partly scored"],
)
def test_what_one_visit_leaves(made, expected):
    assert summary(ledger_of([made]), A) == expected


def test_solved_stays_and_rate_is_the_last_visits():
    ledger = ledger_of([visit(A, group(0, "0100"))], [visit(A, group(0, "0000"))])
    assert summary(ledger, A) == (2, 0, 0.0, True, True)
    ledger.add_step([visit(A, group(0, "1111"), scheduled=1)])
    assert summary(ledger, A) == (3, 1, None, True, True)


def test_copies_in_one_step_pool_their_rewards():
    ledger = ledger_of([visit(A, group(1, "0000")), visit(B, group(0, "1111")), visit(A, group(1, "0110"), number=1)])
    assert summary(ledger, A) == (2, 1, 0.25, True, False)
    assert summary(ledger, B) == (1, 0, 1.0, True, True)


@pytest.mark.parametrize("silent", [visit(A, group(0, "1111"), scheduled=1), visit(A, group(1, "111?"))])
def test_a_copy_that_says_nothing_is_left_out_of_the_pool(silent):
    for step in ([silent, visit(A, group(1, "0001"))], [visit(A, group(1, "0001")), silent]):
        record = ledger_of(step).record(A.key)
        assert (record.level, record.rate) == (1, 0.25)


def test_counts_of_problems():
    ledger = ledger_of(
        [
            visit(A, group(0, "0000"), group(1, "0000")),
            visit(B, group(0, "0000"), group(1, "1000")),
            visit(C, group(0, "1000")),
        ]
    )
    assert (ledger.num_seen, ledger.num_never_solved, ledger.num_never_solved_without_hint) == (3, 1, 2)


def test_the_order_within_a_step_does_not_matter():
    batch = problems(20)
    rng = random.Random(0)
    step = [visit(p, group(i % 4, "".join(rng.choices("01", k=4)))) for i, p in enumerate(batch)]
    shuffled = rng.sample(step, len(step))
    assert ledger_of(shuffled).records == ledger_of(step).records


def test_state_goes_through_json():
    ledger = ledger_of(
        [visit(A, group(0, "010")), visit(B, group(0, "0000"), scheduled=3)],
        [visit(A, group(0, "000"), group(2, "011"))],
    )
    restored = Ledger({"gone": ProblemRecord(visits=9)})
    restored.load_state_dict(through_json(ledger.state_dict()))
    assert restored == ledger
    assert restored.state_dict() == ledger.state_dict()

    # The restored one goes on on its own.
    restored.add_step([visit(A, group(0, "111"))])
    assert ledger.record(A.key).visits == 2


def test_a_saved_state_does_not_change_afterwards():
    ledger = ledger_of([visit(A, group(0, "0000"))])
    state = ledger.state_dict()
    before = through_json(state)
    ledger.add_step([visit(A, group(0, "1111")), visit(B, group(0, "1111"))])
    assert through_json(state) == before


@pytest.mark.parametrize("state", [{}, {"version": 0, "records": {}}, {"version": 1, "records": {}}])
def test_a_state_of_another_version_is_refused(state):
    ledger = ledger_of([visit(A, group(0, "0100"))])
    with pytest.raises(InputError, match="resume with the release that wrote the checkpoint"):
        ledger.load_state_dict(state)
    assert ledger.num_seen == 1


def test_state_size_does_not_grow_with_visits():
    """Trap: the whole history in every checkpoint."""
    step = [visit(p, group(0, "0000"), group(1, "0100")) for p in problems(5)]
    few, many = (len(json.dumps(ledger_of(*[step] * num).state_dict())) for num in (100, 1000))
    assert many < 1.02 * few  # the numbers of visits and steps are a digit longer


def test_outcomes_are_kept_by_level_the_last_four_of_them():
    first = replace(visit(A, group(0, "0000", 3), group(3, "0110", 5)), missing=(1, 2))
    ledger = ledger_of([first], *[[visit(A, group(0, "0100"), number=n)] for n in range(1, 6)])
    outcomes = ledger.record(A.key).outcomes
    assert outcomes[0] == [Outcome(n, 1, 4, 4) for n in (2, 3, 4, 5)]
    assert outcomes[1] == outcomes[2] == [Outcome(0, 0, 4, 0)]  # no usable hint: as if all had failed
    assert outcomes[3] == [Outcome(0, 2, 4, 20)]


def test_a_step_is_tallied_by_level():
    hinted = replace(visit(A, group(0, "0000", 3), group(3, "0110", 5), hint_tokens=9), missing=(2,))
    ledger = ledger_of([hinted, visit(B, group(0, "1110"), group(1, "1?10"))])
    assert ledger.steps == [
        {
            0: Tally(groups=2, drawn=2, right=3, size=8, right_squared=9, tokens=16),
            2: Tally(groups=1, size=4, hint_tokens=4.5),
            3: Tally(groups=1, drawn=1, right=2, size=4, right_squared=4, tokens=20, hint_tokens=4.5),
        }
    ]
    assert ledger.num_steps == 1


def test_failures_are_remembered_in_order():
    step = [visit(A, group(0, "0000"), group(1, "0100")), visit(B, group(0, "0000")), visit(C, group(0, "0?00"))]
    ledger = ledger_of(step, step)
    assert ledger.failed == [False, True, False, True]
    assert len(ledger_of(*[step] * 100).failed) == KEPT_FLAGS


def test_the_last_text_worth_keeping_of_each_level_stays():
    def hint(level, text, keep=True):
        return Hint(f"{A.key}-{text}", A.key, level, text, "scripted", None if keep else "answer", keep)

    first = visit(
        A, group(0, "0000"), step=7, epoch=1, hints=(hint(1, "one"), hint(1, "refused", keep=False), hint(2, "two"))
    )
    copy = visit(A, group(0, "0000"), step=7, epoch=1, hints=(hint(2, "newer two"),), number=1)
    ledger = ledger_of([first, copy], [visit(B, group(0, "0000"))])
    assert ledger.record(A.key).hints == {1: StoredHint("one", 7, 1), 2: StoredHint("newer two", 7, 1)}
    assert ledger.record(B.key).hints == {}
    restored = Ledger()
    restored.load_state_dict(through_json(ledger.state_dict()))
    assert restored == ledger
