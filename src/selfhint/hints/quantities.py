"""The answer in another unit: 2 h 30 min for 2.5 hours, 0.06 m^3 for 60 litres."""

from __future__ import annotations

import re
from fractions import Fraction

from selfhint.hints.number_words import with_digits

_UNITS: tuple[tuple[str, str, Fraction], ...] = (
    ("time", r"s|secs?|seconds?", Fraction(1)),
    ("time", r"min|mins|minutes?", Fraction(60)),
    ("time", r"h|hrs?|hours?", Fraction(3600)),
    ("time", r"days?", Fraction(86_400)),
    ("time", r"weeks?", Fraction(604_800)),
    ("length", r"mm|millimet(?:er|re)s?", Fraction(1, 1000)),
    ("length", r"cm|centimet(?:er|re)s?", Fraction(1, 100)),
    ("length", r"dm|decimet(?:er|re)s?", Fraction(1, 10)),
    ("length", r"m|met(?:er|re)s?", Fraction(1)),
    ("length", r"km|kilomet(?:er|re)s?", Fraction(1000)),
    ("volume", r"ml|millilit(?:er|re)s?|cm\^3|cubic centimet(?:er|re)s?", Fraction(1, 1000)),
    ("volume", r"l|L|lit(?:er|re)s?|dm\^3|cubic decimet(?:er|re)s?", Fraction(1)),
    ("volume", r"m\^3|cubic met(?:er|re)s?", Fraction(1000)),
    ("mass", r"g|grams?", Fraction(1)),
    ("mass", r"kg|kilograms?|kilos?", Fraction(1000)),
    ("mass", r"tonnes?|tons?", Fraction(1_000_000)),
    ("money", r"cents?|ct|pence", Fraction(1)),
    ("money", r"euros?|dollars?|€|pounds?", Fraction(100)),
    ("angle", r"'|arc ?minutes?", Fraction(1, 60)),
    ("angle", r"°|degrees?", Fraction(1)),
    ("angle", r"full turns?|turns?|revolutions?", Fraction(360)),
    ("angle", r"right angles?", Fraction(90)),
)
_UNIT = "|".join(f"({names})" for _, names, _ in _UNITS)
_QUANTITY = re.compile(
    rf"(?<![\w.^])(\d{{1,12}}(?:\.\d{{1,6}})?(?:/\d{{1,6}})?)(?: of an? |[ -])?(?:{_UNIT})(?![A-Za-z^])"
)
_ASKED_UNIT = re.compile(rf"\b(?:in|how many|number of) (?:{_UNIT})(?![\w^])", re.IGNORECASE)
_JOINED = re.compile(r"(?:,? and |,? )?")


def names_in_other_unit(text: str, number: Fraction, answer: str, question: str) -> bool:
    """Whether a text gives the quantity in another unit than the one that the answer has or the question asks for."""
    asked = _unit_of(answer) or _unit_of_question(question)
    if asked is None:
        return False
    kind, factor = asked
    known = {value for value, _, _ in _quantities(question, kind)}
    wanted = number * factor
    return wanted not in known and any(
        value == wanted and own != factor for value, own, _ in _quantities(with_digits(text), kind)
    )


def _quantities(text: str, kind: str) -> list[tuple[Fraction, Fraction, int]]:
    """Value in the basic unit, the factor of its (largest) unit, end. 2 h 30 min is one quantity as a whole."""
    found: list[tuple[Fraction, Fraction, int]] = []
    for match in _QUANTITY.finditer(text):
        name, factor = _unit_in(match.groups()[1:])
        number = _number(match[1])
        if name != kind or number is None:
            continue
        if found and factor < found[-1][1] and _JOINED.fullmatch(text, found[-1][2], match.start()):
            found[-1] = (found[-1][0] + number * factor, Fraction(0), match.end())
        else:
            found.append((number * factor, factor, match.end()))
    return found


def _number(text: str) -> Fraction | None:
    top, _, bottom = text.partition("/")
    return None if bottom and not int(bottom) else Fraction(top) / int(bottom or 1)


def _unit_in(groups: tuple[str | None, ...]) -> tuple[str, Fraction]:
    index = next(i for i, group in enumerate(groups) if group)
    return _UNITS[index][0], _UNITS[index][2]


def _unit_of(answer: str) -> tuple[str, Fraction] | None:
    match = _QUANTITY.fullmatch(answer.strip())
    return _unit_in(match.groups()[1:]) if match else None


def _unit_of_question(question: str) -> tuple[str, Fraction] | None:
    found = list(_ASKED_UNIT.finditer(question))
    return _unit_in(found[-1].groups()) if found else None
