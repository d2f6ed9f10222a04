"""The visible dict of schedulers."""

from __future__ import annotations

import pytest

from selfhint.core.ledger import ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.schedulers import SCHEDULERS

ARGUMENTS = {"fixed": {"level": 2}}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_each_is_found_under_its_own_name_and_starts_at_a_level(name):
    scheduler = SCHEDULERS[name](**ARGUMENTS.get(name, {}))
    assert scheduler.name == name
    for level in range(NO_HINT, NUM_LEVELS + 1):
        for rate in (None, 0.0, 0.2, 1.0):
            assert NO_HINT <= scheduler.start(ProblemRecord(visits=1, level=level, rate=rate)) <= NUM_LEVELS
