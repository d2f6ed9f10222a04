from __future__ import annotations

import re

import pytest

from selfhint.hints.unit_signs import CURRENCY, GLUED_UNIT


@pytest.mark.parametrize("unit", ["cm", "km/h", "m/s^2", "kg", "cm^2", "hours", "miles", "kilometres", "g/mL", "kWh"])
def test_units(unit: str) -> None:
    assert re.fullmatch(GLUED_UNIT, unit)


@pytest.mark.parametrize("letters", ["m", "mg", "xy", "x/s", "m^2", "min(a", "cm/x", "pi", "k", ""])
def test_what_may_be_variables_is_none(letters: str) -> None:
    assert not re.fullmatch(GLUED_UNIT, letters)


def test_currency() -> None:
    assert re.fullmatch(f"{CURRENCY}+", "€£¥₹")
    assert not re.fullmatch(CURRENCY, "$")
