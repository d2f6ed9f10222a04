from __future__ import annotations

import pytest

from diagnosis.looks import look
from selfhint.diagnosis import advice, advise, method_costs, openings, share_of, signal_of

N = 40


def advised(by_kind, *, hint_tokens=4, at_limit=0.0, no_hints_because=None, again=0.0, num_without_solution=0):
    """The advice for so many looks of each kind, given as outcomes by level."""
    looks = []
    for levels, num in by_kind:
        looks += [look(f"{len(looks) + i}", levels, costs={1: (1, hint_tokens)}) for i in range(num)]
    failed = [one for one in looks if one.bare.failed]
    return advise(
        signal_of(looks),
        openings(looks, (1, 2, 3)),
        share_of(sum(len(one.groups) > 1 for one in failed), len(failed)),
        method_costs(looks, shared_requests=False),
        again=again,
        num_without_solution=num_without_solution,
        at_limit=at_limit,
        no_hints_because=no_hints_because,
    )


SOLVED = {0: "1111"}
MIXED = {0: "0101"}
OPENED_FIRST = {0: "0000", 1: "0001", 2: "0011", 3: "0111"}
OPENED_LAST = {0: "0000", 1: "0000", 2: "0000", 3: "0001"}
CLOSED = {0: "0000", 1: "0000", 2: "0000", 3: "0000"}
UNHINTED = {0: "0000"}
UNREADABLE = {0: "????"}


@pytest.mark.parametrize(
    ("by_kind", "method", "title"),
    [
        ([(OPENED_FIRST, 20), (MIXED, 20)], "sage", "SAGE"),
        ([(OPENED_LAST, 35), (MIXED, 5)], "sage", "SAGE"),
        ([(MIXED, 30), (SOLVED, 4), (CLOSED, 6)], "grpo", "plain GRPO: the signal is dense"),
        ([(SOLVED, 30), (OPENED_FIRST, 8), (MIXED, 2)], "sage", "SAGE"),
        ([(SOLVED, 36), (MIXED, 4)], None, "wrong data: too easy"),
        ([(CLOSED, 38), (MIXED, 2)], None, "wrong data: too hard even with the strongest hint"),
        (
            [(CLOSED, 20), (MIXED, 20)],
            "grpo",
            "plain GRPO: hints do not help here, and enough groups teach without them",
        ),
        ([(UNREADABLE, 10), (OPENED_FIRST, 30)], None, "wrong data: gold answers that cannot be read"),
        ([(UNREADABLE, 40)], None, "wrong data: gold answers that cannot be read"),
        ([(UNHINTED, 30), (OPENED_FIRST, 10)], None, "better hints first"),
        ([(OPENED_FIRST, 19)], None, "too few problems looked at to say"),
    ],
)
def test_recommendations(by_kind, method, title):
    made = advised(by_kind)
    assert (made.method, made.title) == (method, title)
    assert made.reasons
    assert all(reason and "\n" not in reason and "None" not in reason for reason in made.reasons)


def test_hints_that_cost_more_than_a_group_speak_for_one_group_a_visit():
    made = advised([(OPENED_LAST, 35), (MIXED, 5)], hint_tokens=80)
    assert made.method == "sage-light"
    assert any("SAGE would sample 5." in reason and "SAGE-light" in reason for reason in made.reasons)


def test_no_solutions():
    made = advised([(UNHINTED, N)], no_hints_because="data.jsonl: no column 'solution'")
    assert made.title == "wrong data: no reference solutions to write hints from"
    assert "no column 'solution'" in made.reasons[0]


def test_dense_signal_needs_no_solutions():
    assert advised([(MIXED, N)], no_hints_because="none").method == "grpo"


def test_completions_that_are_cut_off_are_said_whatever_the_advice():
    assert "--max-tokens" in advised([(CLOSED, N)], at_limit=advice.MAX_AT_LIMIT).reasons[-1]
    assert "--max-tokens" not in advised([(CLOSED, N)], at_limit=advice.MAX_AT_LIMIT - 0.01).reasons[-1]


def test_an_interval_over_the_threshold_is_said():
    """10 of 40 is above 20 %, but its interval is not."""
    made = advised([(OPENED_FIRST, 10), (MIXED, 30)])
    assert made.method == "sage"
    assert "the interval includes 20 %" in made.reasons[-1]
    assert not any("the interval includes" in r for r in advised([(OPENED_FIRST, 30), (MIXED, 10)]).reasons)


@pytest.mark.parametrize(
    ("by_kind", "threshold"),
    [
        ([(UNREADABLE, 5), (OPENED_FIRST, 35)], "10 %"),
        ([(MIXED, 10), (SOLVED, 28), (CLOSED, 2)], "20 %"),
        ([(UNHINTED, 18), (OPENED_FIRST, 14), (MIXED, 8)], "50 %"),
        ([(CLOSED, 26), (OPENED_FIRST, 4), (MIXED, 10)], "10 %"),
    ],
)
def test_every_threshold_that_decides_may_be_unsettled(by_kind, threshold):
    assert any(f"the interval includes {threshold}" in reason for reason in advised(by_kind).reasons)


@pytest.mark.parametrize(("failed", "method"), [(int(N * advice.DENSE), "grpo"), (int(N * advice.DENSE) + 1, "sage")])
def test_dense_is_at_most_the_threshold(failed, method):
    assert advised([(OPENED_FIRST, failed), (MIXED, N - failed)]).method == method


def test_figures_stand_in_the_reasons():
    made = advised([(OPENED_FIRST, 20), (MIXED, 20)])
    assert made.reasons[0].startswith("50 % (35 % to 65 %) of the groups are all wrong")
    assert "opens 100 %" in made.reasons[1]
    assert "50 % without hints, 100 % with SAGE" in made.reasons[3]


def test_hints_must_open_more_than_drawing_again():
    half_opened = [(OPENED_FIRST, 10), (CLOSED, 10), (MIXED, 20)]
    assert advised(half_opened, again=0.2).method == "sage"
    doubtful = advised(half_opened, again=0.4)
    assert doubtful.method == "sage"
    assert any("the interval includes" in reason and "40 %" in reason for reason in doubtful.reasons)
    assert advised(half_opened, again=0.6).title == "plain GRPO: hints open no more than drawing again does"
    assert advised([(OPENED_FIRST, 20), (CLOSED, 20)], again=0.6).title == "better hints first, or larger groups"


def test_groups_that_cannot_be_hinted_are_named():
    assert any("7 of the groups" in reason for reason in advised([(OPENED_FIRST, 40)], num_without_solution=7).reasons)
