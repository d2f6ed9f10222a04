"""The visible dict of schedulers."""

from __future__ import annotations

import pytest

from selfhint.core.ledger import Ledger, ProblemRecord
from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.schedulers import SCHEDULERS

ARGUMENTS = {"fixed": {"level": 2}}


@pytest.mark.parametrize("name", SCHEDULERS)
def test_each_is_found_under_its_own_name_and_plans_a_visit(name):
    scheduler = SCHEDULERS[name](**ARGUMENTS.get(name, {}))
    assert scheduler.name == name
    for level in range(NO_HINT, NUM_LEVELS + 1):
        for rate in (None, 0.0, 0.2, 1.0):
            ledger = Ledger({"k": ProblemRecord(visits=1, level=level, rate=rate)})
            (plan,) = scheduler.plans(ledger, [("k", 1)])
            assert NO_HINT <= plan.levels[0] <= NUM_LEVELS
