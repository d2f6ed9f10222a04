"""Hinted groups weigh less as problems are solved without hints."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.schedulers import HintWeight
from support.episodes import problems
from support.visits import group, visit

FAILED, MIXED, SOLVED = "0000", "0100", "1111"
(PROBLEM,) = problems(1)


def step(*outcomes):
    """One visit for each group drawn without a hint; failed ones were hinted then."""
    return [visit(PROBLEM, group(0, o), *([group(2, MIXED)] if o == FAILED else [])) for o in outcomes]


def test_the_weight_of_one_step():
    """Shares 0.5 and 0.25: p = 2/3, solved groups do not count in it."""
    weight = HintWeight(kappa=0.9, decay=0.0)
    assert weight.after(step(FAILED, FAILED, MIXED, SOLVED)) == pytest.approx(0.9 * (2 / 3) ** 5, rel=1e-4)


def test_shares_are_averaged_over_steps():
    weight = HintWeight(kappa=1.0, decay=0.75, gamma=1.0)
    assert weight.after(step(FAILED)) == pytest.approx(1.0, rel=1e-4)
    assert weight.after(step(MIXED)) == pytest.approx(0.75, rel=1e-4)  # 0.75 and 0.25
    assert weight.after(step(SOLVED)) == pytest.approx(0.75, rel=1e-4)  # both shrink alike


def test_hinted_and_unscored_groups_do_not_count():
    weight = HintWeight(kappa=0.5, decay=0.5, gamma=1.0)
    assert weight.after([visit(PROBLEM, group(2, SOLVED)), visit(PROBLEM, group(0, "???0"))]) == 0.5  # nothing seen yet
    seen = weight.after(step(FAILED, MIXED))
    assert seen == pytest.approx(0.25, rel=1e-4)
    assert weight.after([visit(PROBLEM, group(3, FAILED))]) == seen


def test_it_is_clipped_at_1():
    assert HintWeight(kappa=7.0, decay=0.0).after(step(FAILED)) == 1.0


@given(
    st.lists(st.lists(st.sampled_from([FAILED, MIXED, SOLVED, "?000"]), max_size=6), max_size=8),
    st.floats(0, 0.99),
    st.floats(0.01, 10),
)
def test_it_stays_between_0_and_1_and_goes_on_from_its_state(steps, decay, kappa):
    weight = HintWeight(kappa, decay)
    for outcomes in steps:
        restored = HintWeight(kappa, decay)
        restored.load_state_dict(json.loads(json.dumps(weight.state_dict())))
        assert 0.0 <= (value := weight.after(step(*outcomes))) <= 1.0
        assert restored.after(step(*outcomes)) == value
        assert restored.state_dict() == weight.state_dict()
