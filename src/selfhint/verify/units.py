r"""Numbers with units: `0.64 N`, `3 \times 10^{8} \text{ m/s}`, `10 cm^2`, `45^\circ`, `28\%`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from selfhint.verify.number import Number, plain_number

Dimension = tuple[tuple[str, int], ...]
"""Base units with their exponents, sorted; empty for a pure number."""

_PREFIXES = {
    "p": -12, "n": -9, "μ": -6, "µ": -6, "u": -6, r"\mu": -6, "m": -3, "c": -2, "d": -1, "k": 3, "M": 6,
    "G": 9, "T": 12,
    "pico": -12, "nano": -9, "micro": -6, "milli": -3, "centi": -2, "deci": -1, "kilo": 3, "mega": 6,
    "giga": 9, "tera": 12,
}  # fmt: skip
_SI: dict[str, dict[str, int]] = {
    "m": {"m": 1}, "g": {"g": 1}, "s": {"s": 1}, "A": {"A": 1}, "K": {"K": 1}, "mol": {"mol": 1}, "rad": {},
    "Hz": {"s": -1}, "N": {"g": 1, "m": 1, "s": -2}, "J": {"g": 1, "m": 2, "s": -2}, "W": {"g": 1, "m": 2, "s": -3},
    "Pa": {"g": 1, "m": -1, "s": -2}, "C": {"A": 1, "s": 1}, "V": {"g": 1, "m": 2, "s": -3, "A": -1},
    "F": {"g": -1, "m": -2, "s": 4, "A": 2}, "T": {"g": 1, "s": -2, "A": -1}, "L": {"m": 3},
    "eV": {"g": 1, "m": 2, "s": -2},
}  # fmt: skip
_SCALE = {unit: Fraction(1000) for unit in ("N", "J", "W", "Pa", "V")} | {
    "F": Fraction(1, 1000), "T": Fraction(1000), "L": Fraction(1, 1000), "eV": Fraction("1.602176634e-16"),
}  # fmt: skip
_WORDS = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "sec": "s", "ampere": "A", "amp": "A", "kelvin": "K",
    "mole": "mol", "hertz": "Hz", "newton": "N", "joule": "J", "watt": "W", "pascal": "Pa", "coulomb": "C", "volt": "V",
    "farad": "F", "tesla": "T", "liter": "L", "litre": "L", "l": "L", "radian": "rad", "electronvolt": "eV",
}  # fmt: skip
_OTHERS: dict[str, tuple[Fraction, dict[str, int]]] = {
    "min": (Fraction(60), {"s": 1}),
    "minute": (Fraction(60), {"s": 1}),
    "h": (Fraction(3600), {"s": 1}),
    "hr": (Fraction(3600), {"s": 1}),
    "hour": (Fraction(3600), {"s": 1}),
    "day": (Fraction(86400), {"s": 1}),
    "week": (Fraction(604800), {"s": 1}),
    "year": (Fraction(1), {"year": 1}),
    "month": (Fraction(1), {"month": 1}),
    "inch": (Fraction("0.0254"), {"m": 1}),
    "inches": (Fraction("0.0254"), {"m": 1}),
    "in": (Fraction("0.0254"), {"m": 1}),
    "ft": (Fraction("0.3048"), {"m": 1}),
    "foot": (Fraction("0.3048"), {"m": 1}),
    "feet": (Fraction("0.3048"), {"m": 1}),
    "yard": (Fraction("0.9144"), {"m": 1}),
    "yd": (Fraction("0.9144"), {"m": 1}),
    "mile": (Fraction("1609.344"), {"m": 1}),
    "mi": (Fraction("1609.344"), {"m": 1}),
    "lb": (Fraction("453.59237"), {"g": 1}),
    "pound": (Fraction("453.59237"), {"g": 1}),
    "oz": (Fraction("28.349523125"), {"g": 1}),
    "ounce": (Fraction("28.349523125"), {"g": 1}),
    "ton": (Fraction(10**6), {"g": 1}),
    "tonne": (Fraction(10**6), {"g": 1}),
    "mph": (Fraction("0.44704"), {"m": 1, "s": -1}),
    "kmph": (Fraction(5, 18), {"m": 1, "s": -1}),
    "gallon": (Fraction("0.003785411784"), {"m": 3}),
    "quart": (Fraction("0.000946352946"), {"m": 3}),
    "hectare": (Fraction(10**4), {"m": 2}),
    "acre": (Fraction("4046.8564224"), {"m": 2}),
    "atm": (Fraction(101325000), {"g": 1, "m": -1, "s": -2}),
    "bar": (Fraction(10**8), {"g": 1, "m": -1, "s": -2}),
    "cal": (Fraction(4184), {"g": 1, "m": 2, "s": -2}),
    "kcal": (Fraction(4184000), {"g": 1, "m": 2, "s": -2}),
    "erg": (Fraction(1, 10**4), {"g": 1, "m": 2, "s": -2}),
    "dyne": (Fraction(1, 100), {"g": 1, "m": 1, "s": -2}),
    "ohm": (Fraction(1000), {"g": 1, "m": 2, "s": -3, "A": -2}),
    "Å": (Fraction(1, 10**10), {"m": 1}),
    "angstrom": (Fraction(1, 10**10), {"m": 1}),
    "unit": (Fraction(1), {}),
    "dollar": (Fraction(1), {"$": 1}),
    "cent": (Fraction(1, 100), {"$": 1}),
    "degree": (Fraction(1), {"degree": 1}),
    "%": (Fraction(1, 100), {}),
    "percent": (Fraction(1, 100), {}),
    "percentage": (Fraction(1, 100), {}),
    "pct": (Fraction(1, 100), {}),
    "deg": (Fraction(1), {"degree": 1}),
    r"^\circ": (Fraction(1), {"degree": 1}),
    "euro": (Fraction(1), {"€": 1}),
}

_NUMBER = re.compile(
    r"\s*(?P<number>[-+]?\s*(?:[\d.,/]|\d?\\frac\s*\{\s*\d+\s*\}\s*\{\s*\d+\s*\}|\\frac\s*\d\d"
    r"|(?<=[\d}])\s*(?:\\times|\\cdot|\*)\s*10\s*\^\s*(?:\{[-+]?\d+\}|\d))++)(?P<unit>.*)",
    re.DOTALL,
)
_MARKUP = re.compile(r"\\(?:text|mathrm|mbox)\s*(?=\{)|\\[,;:!~ ]|[{}]|~")
_TOKEN = re.compile(
    r"\s*(?:(?P<op>/|\\cdot|\\times|\*|·|per(?![a-zA-Z]))|(?P<power>square|sq\.?|cubic|cu\.?)(?![a-zA-Z])"
    r"|(?P<name>\\?%|\^\\circ|\\mu\s*[a-zA-Z]+|\\Omega|[a-zA-ZμµÅΩ]+)\.?(?:(?:\s*\^\s*)?(?P<exponent>-?\d))?)\s*"
)
_DOLLARS = re.compile(r"\s*(-?)\s*\\?\$\s?(-?[\d.,]++)\s*")
_MONEY = re.compile(r"(?<![a-zA-Z])(?:dollar|cent)s?(?![a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of units: `scale` of the base units in `dimension`."""

    scale: Fraction
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, with a unit or without."""

    number: Number
    unit: Unit | None

    def matches(self, answer: Quantity, same: Callable[[Quantity, Quantity], bool]) -> bool:
        """Same number and unit, or, in another unit of the same dimension, the number that belongs to it.

        A unit missing on one side is taken to be the other's, or, of a percentage, to be none: 28 and 0.28 are 28%.
        """
        if self.unit == answer.unit:
            return same(self, answer)
        if self.unit is None or answer.unit is None:
            return same(self, answer) or same(self.pure(), answer.pure())
        if self.unit.dimension != answer.unit.dimension:
            return False
        value = answer.number.value * answer.unit.scale / self.unit.scale
        return same(self, Quantity(Number(value, True), self.unit))

    def pure(self) -> Quantity:
        """A percentage as the number it is."""
        if self.unit is None or self.unit.dimension:
            return self
        return Quantity(Number(self.number.value * self.unit.scale, self.number.decimal), None)


def quantity(text: str) -> Quantity | None:
    """The number, and unit if any, that a tidy text is; None where it is neither."""
    match = _NUMBER.fullmatch(text)
    if match is None or (number := plain_number(match["number"].strip().rstrip(","))) is None:
        return None
    rest = _MARKUP.sub(" ", match["unit"]).strip()
    if not rest:
        return Quantity(number, None)
    unit = read_unit(rest)
    return None if unit is None else Quantity(number, unit)


def in_dollars(text: str, other: str) -> str:
    r"""`\$0.50` as `0.50 dollars`, where the other side names a unit of money; any other text as it is.

    Elsewhere the sign says nothing that counts, and `tidy` drops it.
    """
    match = _DOLLARS.fullmatch(text)
    return text if match is None or not _MONEY.search(other) else f"{match[1]}{match[2]} dollars"


def is_money(text: str) -> bool:
    """Whether a text is a number of dollars by its sign, or names a unit of money."""
    return _DOLLARS.fullmatch(text) is not None or _MONEY.search(text) is not None


def read_unit(text: str) -> Unit | None:
    """A unit such as `m/s^2`, `square meters`, `kg m / s`, `km per hour`; None where it is no unit we know."""
    scale, dimension = Fraction(1), dict[str, int]()
    position, sign, pending = 0, 1, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.end() == position:
            return None
        position = match.end()
        if match["op"]:
            sign = -1 if match["op"] in ("/", "per") else sign
            continue
        if match["power"]:
            pending = 2 if match["power"].startswith("s") else 3
            continue
        known = _simple("".join(match["name"].split()).removeprefix("\\%") or "%")
        if known is None:
            return None
        exponent = sign * int(match["exponent"] or pending)
        pending = 1
        if match["exponent"] and abs(exponent) > 6:
            return None
        scale *= known[0] ** exponent
        for base, power in known[1].items():
            dimension[base] = dimension.get(base, 0) + power * exponent
    return Unit(scale, tuple(sorted((base, power) for base, power in dimension.items() if power)))


def _simple(name: str) -> tuple[Fraction, dict[str, int]] | None:
    singular = name[:-1] if len(name) > 3 and name.endswith("s") else name
    name = {"Ω": "ohm", r"\Omega": "ohm"}.get(name, name)
    for candidate in (name, singular):
        if candidate in _OTHERS:
            return _OTHERS[candidate]
        prefixes = [("", 0), *((p, e) for p, e in _PREFIXES.items() if candidate.startswith(p))]
        for prefix, exponent in prefixes:
            rest = candidate[len(prefix) :]
            symbol = _WORDS.get(rest, rest)
            if symbol in _SI and (len(prefix) < 2 or prefix == r"\mu" or rest in _WORDS):
                return _SCALE.get(symbol, Fraction(1)) * Fraction(10) ** exponent, _SI[symbol]
    return None
