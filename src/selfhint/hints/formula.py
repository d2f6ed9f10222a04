"""A formula as a tree, and its value at a point.

Two formulas that agree at a few points are taken for equal (a random check of polynomial identities).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass

MAX_BINOMIAL = 12
POINTS = (0.0, 1.0, 2.0)
TOLERANCE = 1e-9

FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "sqrt": cmath.sqrt,
    "exp": cmath.exp,
    "ln": cmath.log,
    "log": cmath.log,
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "cot": lambda z: 1 / cmath.tan(z),
    "sec": lambda z: 1 / cmath.cos(z),
    "csc": lambda z: 1 / cmath.sin(z),
    "arcsin": cmath.asin,
    "arccos": cmath.acos,
    "arctan": cmath.atan,
    "sinh": cmath.sinh,
    "cosh": cmath.cosh,
    "tanh": cmath.tanh,
    "abs": abs,
}
FUNCTION_NAMES = "|".join(sorted(FUNCTIONS, key=len, reverse=True))
_CONSTANTS = {"pi": math.pi, "e": math.e, "i": 1j}


@dataclass(frozen=True, slots=True)
class Formula:
    """A node: an operation (`+ * ^ !`, a function, `binom`), a number or a letter with its parts."""

    kind: str
    parts: tuple[Formula, ...] = ()
    number: float = 0.0
    name: str = ""

    def letters(self) -> frozenset[str]:
        """Its variables; e, pi and i are constants."""
        if self.kind == "letter":
            return frozenset() if self.name in _CONSTANTS else frozenset((self.name,))
        return frozenset().union(*(part.letters() for part in self.parts))

    def canonical(self) -> str:
        """The same text for formulas that differ in the order of terms and factors alone."""
        if self.kind == "number":
            return f"{self.number:.12g}"
        if self.kind == "letter":
            return self.name
        parts = [part.canonical() for part in self._flat()]
        if self.kind == "*" and len(parts) > 1 and "1" in parts:
            parts.remove("1")
            if len(parts) == 1:
                return parts[0]
        return f"{self.kind}({','.join(sorted(parts) if self.kind in '+*' else parts)})"

    def unfinished(self) -> bool:
        """Whether like terms or numbers are left to be added or multiplied, or i stands twice or below a line."""
        return self._unfinished() or self._num_units(below=False) > 1

    def _num_units(self, below: bool) -> int:
        if self.kind == "letter":
            return (2 if below else 1) if self.name == "i" else 0
        return sum(part._num_units(below or self.kind == "^") for part in self.parts)

    def _unfinished(self) -> bool:
        if self.kind == "+":
            kinds = [part._beside_number() for part in self._flat()]
            if len(set(kinds)) < len(kinds) or ("" in kinds and any(part._spreads_number() for part in self._flat())):
                return True
        several = self.kind == "*" and sum(_is_numeric(part) for part in self._flat()) > 1
        return several or any(part._unfinished() for part in self.parts)

    def _beside_number(self) -> str:
        """What a term is besides its number: terms that agree in it are still to be added up."""
        parts = self._flat() if self.kind == "*" else [self]
        return "*".join(sorted(part.canonical() for part in parts if part.kind != "number"))

    def _spreads_number(self) -> bool:
        """A number times a bracket with a number in it: beside another number something is left to collect."""
        parts = self._flat()
        return (
            self.kind == "*"
            and all(part.kind in ("number", "+") for part in parts)
            and any(leaf.kind == "number" for part in parts if part.kind == "+" for leaf in part._flat())
        )

    def size(self) -> int:
        """How many numbers and letters it is written with."""
        if self.kind in ("number", "letter"):
            return 0 if self is MINUS_ONE else 1
        return sum(part.size() for part in self.parts)

    def factors(self) -> list[Formula]:
        """The factors of a product; a formula that is none is its own only factor."""
        return self._flat() if self.kind == "*" else [self]

    def above_and_below(self) -> tuple[Formula, Formula | None]:
        """What stands above the fraction line and what below it; None where nothing does."""
        above = [part for part in self.factors() if not _is_divided_by(part)]
        below = [part.parts[0] for part in self.factors() if _is_divided_by(part)]
        return _product(above), _product(below) if below else None

    def _flat(self) -> list[Formula]:
        if self.kind not in ("+", "*"):
            return list(self.parts)
        return [leaf for part in self.parts for leaf in (part._flat() if part.kind == self.kind else [part])]


MINUS_ONE = Formula("number", number=-1.0)


def _is_divided_by(formula: Formula) -> bool:
    return formula.kind == "^" and formula.parts[1] == MINUS_ONE


def _product(factors: list[Formula]) -> Formula:
    if len(factors) == 1:
        return factors[0]
    return Formula("*", tuple(factors)) if factors else Formula("number", number=1.0)


def _is_numeric(formula: Formula) -> bool:
    """A number that is not ±1 and no denominator."""
    return formula.kind == "number" and abs(formula.number) != 1.0


def values(formula: Formula) -> tuple[complex, ...] | None:
    """The values at the fixed points; None where one is not finite or not defined."""
    found = []
    for point in POINTS:
        try:
            value = _value(formula, point)
        except (ArithmeticError, ValueError):
            return None
        if not cmath.isfinite(value):
            return None
        found.append(value)
    return tuple(found)


def same_values(one: tuple[complex, ...], other: tuple[complex, ...]) -> bool:
    """Whether two formulas agree at all points."""
    return all(abs(a - b) <= TOLERANCE * max(1.0, abs(a)) for a, b in zip(one, other, strict=True))


def _value(formula: Formula, point: float) -> complex:
    kind = formula.kind
    if kind == "number":
        return formula.number
    if kind == "letter":
        return _CONSTANTS.get(formula.name) or _letter_value(formula.name, point)
    parts = [_value(part, point) for part in formula.parts]
    if kind == "+":
        return sum(parts)
    if kind == "*":
        return math.prod(parts)
    if kind == "^":
        return complex(parts[0]) ** parts[1]
    if kind == "!":
        return math.gamma(_real(parts[0]) + 1)
    if kind == "binom":
        return _binomial(parts[0], _real(parts[1]))
    return FUNCTIONS[kind](parts[0])


def _letter_value(name: str, point: float) -> float:
    """A fixed number between 0.4 and 2 for each letter and point."""
    seed = sum(ord(sign) * (i + 1) for i, sign in enumerate(name))
    return 0.4 + 1.6 * math.modf(seed * 0.6180339887 + (point + 1) * 0.7548776662)[0]


def _real(value: complex) -> float:
    number = complex(value)
    if abs(number.imag) > TOLERANCE:
        raise ValueError("a complex number where a real one is needed")
    return number.real


def _binomial(top: complex, bottom: float) -> complex:
    if not (bottom.is_integer() and 0 <= bottom <= MAX_BINOMIAL):
        raise ValueError("a binomial coefficient for small whole numbers only")
    result: complex = 1.0
    for i in range(int(bottom)):
        result *= (top - i) / (i + 1)
    return result
