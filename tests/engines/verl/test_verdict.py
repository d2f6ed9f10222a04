"""What verl's reward loop returns for a completion, read as a verdict."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.group import Verdict
from selfhint.engines.verl.verdict import verdict_of
from support.refusals import refused

UNJUDGED = Verdict(correct=None, reward=None, reason="no reward")


def judged(correct, reward):
    return Verdict(correct=correct, reward=reward)


@pytest.mark.parametrize(("score", "correct"), [(1.0, True), (1, True), (True, True), (0.0, False), (-1.0, False)])
def test_a_score_alone_is_the_reward_that_decides(score, correct):
    assert verdict_of(score, {}, None, 1.0) == judged(correct, float(score))
    assert verdict_of(score, {"score": score}, None, 1.0) == judged(correct, float(score))
    assert verdict_of(score, {"acc": score}, None, 1.0) == judged(correct, float(score)), "as verl wraps a number"


def test_acc_decides_where_it_is_returned():
    returned = {"score": -1.0, "acc": True, "format": 0.5, "pred": "7"}
    assert verdict_of(-1.0, returned, None, 1.0) == judged(True, 1.0)


@settings(deadline=None)
@given(st.floats(-2, 2), st.floats(-2, 2))
def test_correct_is_at_least_the_threshold(score, threshold):
    verdict = verdict_of(score, {}, "score", threshold)
    assert verdict == judged(score >= threshold, score)


def test_several_rewards_without_acc_must_be_told_apart():
    returned = {"score": 1.0, "format": 1.0, "length": 3}
    refused(
        lambda: verdict_of(1.0, returned, None, 1.0), "returns format, length, score", "for example selfhint.correct="
    )
    assert verdict_of(1.0, returned, "score", 1.0) == judged(True, 1.0)
    assert verdict_of(1.0, returned, "length", 4.0) == judged(False, 3.0)


def test_what_is_no_number_is_no_reward():
    returned = {"score": 1.0, "pred": "7", "why": None, "all": [1, 2], "vector": np.zeros(3)}
    assert verdict_of(1.0, returned, None, 1.0) == judged(True, 1.0)
    refused(lambda: verdict_of(1.0, returned, "pred", 1.0), "selfhint.correct=pred", "no such number", "returns score")


def test_an_unknown_name_is_refused_with_those_that_there_are():
    refused(lambda: verdict_of(1.0, {"acc": 1.0}, "accuracy", 1.0), "selfhint.correct=accuracy", "acc, score")


@pytest.mark.parametrize(
    "value", [np.float32(1), np.float64(1), np.int64(1), np.bool_(True), np.array(1.0), True, 1], ids=repr
)
def test_numbers_of_numpy_and_truth_values(value):
    for verdict in (verdict_of(0.0, {"acc": value}, None, 1.0), verdict_of(value, {}, None, 1.0)):
        assert verdict == judged(True, 1.0)
        assert type(verdict.reward) is float
        assert type(verdict.correct) is bool


@pytest.mark.parametrize("flag", [True, 1.0, np.bool_(True)])
def test_an_unreadable_gold_answer_leaves_nothing_to_say(flag):
    returned = {"score": 0.0, "acc": 0.0, "gold_unreadable": flag}
    assert verdict_of(0.0, returned, None, 1.0) == Verdict(correct=None, reward=None, reason="gold unreadable")


def test_a_readable_one_is_no_second_reward():
    returned = {"score": 1.0, "gold_unreadable": False}
    assert verdict_of(1.0, returned, None, 1.0) == judged(True, 1.0)
    refused(lambda: verdict_of(1.0, returned, "gold_unreadable", 1.0), "no such number (it returns score)")


@pytest.mark.parametrize("missing", [None, math.nan, np.float64("nan")])
@pytest.mark.parametrize("correct", [None, "acc"])
def test_a_deciding_reward_that_is_missing_this_time_says_nothing(missing, correct):
    assert verdict_of(0.5, {"score": 0.5, "acc": missing}, correct, 0.5) == UNJUDGED


@pytest.mark.parametrize("score", [None, "1.0", math.nan, math.inf, -math.inf, [1.0], np.zeros(2), {"score": 1.0}])
@pytest.mark.parametrize("returned", [{}, {"acc": 1.0}, {"gold_unreadable": True}])
def test_a_score_that_nobody_can_train_on_is_refused(score, returned):
    refused(lambda: verdict_of(score, returned, None, 1.0), "the reward function's score is", "finite number")


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_a_reward_that_decides_is_finite(value):
    refused(lambda: verdict_of(0.0, {"logp": value}, "logp", 1.0), "selfhint.correct=logp", "finite")
