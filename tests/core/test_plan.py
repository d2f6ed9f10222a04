"""A plan is a rising sequence of levels."""

from __future__ import annotations

import pytest

from selfhint.core.plan import Plan
from support.visits import group


@pytest.mark.parametrize("levels", [(), (1, 0), (2, 2), (-1, 0), (0, 4)])
def test_other_sequences_are_refused(levels):
    with pytest.raises(ValueError, match="no rising sequence between 0 and 3"):
        Plan(levels)


@pytest.mark.parametrize(("outcomes", "goes_on"), [("0000", True), ("0001", False), ("1111", False)])
def test_it_goes_on_while_every_completion_fails(outcomes, goes_on):
    assert Plan((0, 1)).goes_on(group(0, outcomes)) is goes_on
