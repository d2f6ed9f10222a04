from __future__ import annotations

import random

import pytest

from diagnosis.looks import look
from selfhint.diagnosis import opened_by_drawing_again


def bare(*outcomes):
    return [look(str(i), {0: text}).bare for i, text in enumerate(outcomes)]


def test_by_hand():
    """G = 2, k = 0, 0, 1, 2: m = 3/8, E[k²] = 5/4, ρ = (5/4 − 9/16 − 15/32)/(15/32) = 7/15, a + b = 8/7."""
    a, b = 3 / 7, 5 / 7
    fails = [1.0]
    for i in range(6):
        fails.append(fails[-1] * (b + i) / (a + b + i))
    groups = bare("00", "00", "01", "11")
    assert opened_by_drawing_again(groups, 1) == pytest.approx(1 - fails[4] / fails[2])
    assert opened_by_drawing_again(groups, 2) == pytest.approx(1 - fails[6] / fails[2])


def test_problems_that_are_alike_are_opened_by_drawing_again():
    """p = 0.1 for all: a group of 8 fails with 0.43, and so do three of four groups that follow at least once."""
    rng = random.Random(0)
    groups = bare(*("".join("1" if rng.random() < 0.1 else "0" for _ in range(8)) for _ in range(400)))
    assert opened_by_drawing_again(groups, 1) == pytest.approx(0.57, abs=0.06)
    assert opened_by_drawing_again(groups, 3) == pytest.approx(0.92, abs=0.08)


def test_problems_that_are_solved_or_never_are_not():
    groups = bare(*["00000000"] * 20, *["11111111"] * 20)
    assert opened_by_drawing_again(groups, 3) < 0.05
    assert opened_by_drawing_again(bare("0000", "0000"), 3) == 0.0
    assert opened_by_drawing_again([], 3) is None
