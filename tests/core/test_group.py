"""What a group and a visit say about themselves."""

from __future__ import annotations

import pytest

from selfhint.core.group import Completion, Group, Hint, Verdict
from support.episodes import problems
from support.visits import group, visit

(PROBLEM,) = problems(1)


@pytest.mark.parametrize(
    ("outcomes", "num_correct", "true"),
    [
        ("0000", 0, {"failed"}),
        ("0100", 1, {"has_signal"}),
        ("1111", 4, {"all_correct"}),
        ("????", 0, {"unscored"}),
        ("000?", 0, {"unscored"}),
        ("111?", 3, {"unscored"}),
        ("01?0", 1, {"unscored", "has_signal"}),
        ("0", 0, {"failed"}),
        ("1", 1, {"all_correct"}),
    ],
)
def test_group_properties(outcomes, num_correct, true):
    drawn = group(0, outcomes)
    properties = ("failed", "all_correct", "unscored", "has_signal")
    assert {name for name in properties if getattr(drawn, name)} == true
    assert drawn.num_correct == num_correct
    assert drawn.size == len(outcomes)
    assert drawn.success_rate == num_correct / len(outcomes)


def test_rewards_keep_the_order_and_the_gaps():
    assert group(0, "01?1").rewards == [0.0, 1.0, None, 1.0]


def test_correct_is_the_verdict_and_not_the_reward():
    """A graded reward below the threshold differs between completions, yet none of them is correct."""
    verdicts = tuple(Verdict(correct=False, reward=r) for r in (0.0, 0.5))
    graded = Group(0, None, "q", (Completion("a", 3), Completion("b", 4)), verdicts)
    assert graded.failed
    assert graded.has_signal
    assert graded.num_tokens == 7


@pytest.mark.parametrize(("correct", "reward"), [(True, 1.0), (False, 0.0), (None, None)])
def test_verdict_of(correct, reward):
    assert Verdict.of(correct, reason="why", seconds=0.5) == Verdict(correct, reward, reason="why", seconds=0.5)


@pytest.mark.parametrize(
    ("groups", "failed_first", "rescued"),
    [
        ([(0, "0100")], False, False),
        ([(0, "0000")], True, False),
        ([(0, "0000"), (1, "0010")], True, True),
        ([(0, "0000"), (1, "0000"), (3, "1111")], True, True),
        ([(0, "0000"), (1, "0000"), (2, "0000"), (3, "0000")], True, False),
        ([(0, "????")], False, False),
        ([(2, "0000")], False, False),
        ([(2, "0001")], False, False),
        ([(1, "0000"), (0, "0001")], False, False),
    ],
)
def test_failed_first_and_rescued(groups, failed_first, rescued):
    made = visit(PROBLEM, *(group(level, outcomes) for level, outcomes in groups))
    assert (made.failed_first, made.rescued) == (failed_first, rescued)


@pytest.mark.parametrize(
    ("scheduled", "drawn", "missing"),
    [(0, [0], False), (0, [0, 2], False), (2, [2], False), (2, [0], True), (1, [2], True)],
)
def test_hint_missing(scheduled, drawn, missing):
    made = visit(PROBLEM, *(group(level, "00") for level in drawn), scheduled=scheduled)
    assert made.hint_missing is missing


def test_the_last_group_is_kept_and_the_others_are_discarded():
    groups = (group(0, "00", tokens=5), group(1, "00", tokens=7), group(2, "01", tokens=11))
    made = visit(PROBLEM, *groups)
    assert made.kept is groups[-1]
    assert made.kept.num_tokens == 22
    assert made.tokens_discarded == 24


def test_refused_hints_are_counted_by_reason():
    reasons = ["answer", None, "empty", "answer"]
    hints = tuple(Hint(f"h{i}", PROBLEM.key, 1, "text", "self", reason) for i, reason in enumerate(reasons))
    assert visit(PROBLEM, group(0, "00"), hints=hints).refused == {"answer": 2, "empty": 1}
