"""The fitted policy shows the paper's shares: in the expectation that fits it, and when it is simulated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scale_fit import PAPER, fitted, never_solved
from scale_policy import Learner
from scale_run import Scale, make_problems, simulate

from selfhint.core.errors import InputError
from selfhint.schedulers import NoHints

SCALE = Scale(problems=4_000, batch=40, steps=100)
ROW = PAPER["Llama-3.2-3B"]


@pytest.fixture(scope="module")
def learner():
    return fitted(Learner(ability_mean=0.0), ROW, SCALE.steps)


def test_both_rows_are_met_in_expectation(learner):
    assert never_solved(replace(learner, shared_rate=0.0), 8, 1) == pytest.approx(ROW.never_base, abs=1e-5)
    assert never_solved(learner, 8, SCALE.steps) == pytest.approx(ROW.never_grpo, abs=1e-5)


def test_a_simulated_training_shows_the_same_share(learner):
    run = simulate(SCALE, learner, NoHints(), make_problems(SCALE.problems), seed=1)
    assert run.never_solved == run.never_solved_without_hint
    assert run.never_solved == pytest.approx(ROW.never_grpo, abs=0.025)  # 3 standard errors of 4,000 problems


def test_a_share_that_no_learning_reaches():
    with pytest.raises(InputError, match="never_grpo"):
        fitted(Learner(ability_mean=0.0), replace(ROW, never_grpo=0.0), 3)
