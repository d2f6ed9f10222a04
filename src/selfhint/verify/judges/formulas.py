"""Whether two expressions are equal: by their values where they have some, else by math-verify."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sympy import Eq, Expr, Float, I, Symbol, UnevaluatedExpr
from sympy.core.function import AppliedUndef

from selfhint.verify.judges.reading import equal_by_math_verify, expression_of
from selfhint.verify.judges.size import too_large
from selfhint.verify.number import Number, close, same_number

NUM_SAMPLES = 24
"""Points at which two formulas are evaluated …"""
ENOUGH_SAMPLES = 5
"""… and at how many of them both must be real numbers for the comparison to count."""
DIGITS = 30
"""To which numbers without variables are evaluated …"""
SAME_DIGITS = Fraction(1, 10**20)
"""… and how far, relative to their size, two of them may be apart."""
MAX_OPERATIONS = 200
"""Larger formulas are left to math-verify."""


def same_expression(gold: Sequence[Any], answer: Sequence[Any]) -> bool:
    """Whether two answers, as read, are equal expressions."""
    left, right = expression_of(gold), expression_of(answer)
    if too_large(left) or too_large(right):
        return False
    if left is None or right is None:
        return equal_by_math_verify(gold, answer)
    left, right = (_with_unit_i(side) for side in (_explicit(left, right), _explicit(right, left)))
    sampled = _same_constants(left, right)
    if sampled is None:
        sampled = _same_samples(left, right)
    if sampled is None:
        sampled = equal_by_math_verify(gold, answer) and not _apart(left, right)
    return sampled


def _explicit(expression: Any, other: Any) -> Any:
    """The right-hand side of `name = …`, and y of an equation linear in y where the other side is a formula without y.

    Of `-name = …` the negative. Anything else as it is, and equations of two names too: x = 3 is not y = 3.
    """
    if not isinstance(expression, Eq) or (isinstance(other, Eq) and other.lhs != expression.lhs):
        return expression
    if isinstance(expression.lhs, Symbol | AppliedUndef):
        return expression.rhs
    if isinstance(expression.lhs, Expr) and isinstance(-expression.lhs, Symbol | AppliedUndef):
        return -expression.rhs
    y = next((symbol for symbol in expression.free_symbols if symbol.name == "y"), None)
    if y is None or not _is_formula(other) or not other.free_symbols:
        return expression
    residual = expression.lhs - expression.rhs
    slope = residual.diff(y)
    return expression if slope.has(y) or slope.is_zero else -residual.subs(y, 0) / slope


def _with_unit_i(expression: Any) -> Any:
    """A formula whose only letter is i, which is then the imaginary unit: math-verify does not always read it so."""
    if not isinstance(expression, Expr) or {symbol.name for symbol in expression.free_symbols} != {"i"}:
        return expression
    return expression.xreplace(dict.fromkeys(expression.free_symbols, I))


def _same_constants(gold: Any, answer: Any) -> bool | None:
    """Whether two formulas without variables are the same number; None: cannot say.

    Decimals may be rounded: see `same_number`. Other numbers must agree to many more digits than chance allows.
    """
    if not (_is_formula(gold) and _is_formula(answer)) or gold.free_symbols or answer.free_symbols:
        return None
    decimal = gold.has(Float) or answer.has(Float)
    left, right = (_complex_value(side) for side in (gold, answer))
    if left is None or right is None:
        return None
    if decimal:
        if left[1] or right[1]:
            return None
        return same_number(Number(left[0], True), Number(right[0], True))
    size = max(map(abs, (*left, *right)))
    return all(abs(a - b) <= size * SAME_DIGITS for a, b in zip(left, right, strict=True))


def _complex_value(expression: Expr) -> tuple[Fraction, Fraction] | None:
    """Real and imaginary part, to `DIGITS` digits; None where it has none or evaluation does not reach these."""
    try:
        real, imaginary = expression.evalf(DIGITS, maxn=5 * DIGITS).as_real_imag()
        if not (real.is_Number and imaginary.is_Number):
            return None
        return Fraction(str(real)), Fraction(str(imaginary))
    except (TypeError, ValueError, ArithmeticError, AttributeError, NotImplementedError):
        return None


def _same_samples(gold: Any, answer: Any) -> bool | None:
    """Whether two formulas with variables have the same real values at random points; None: cannot say.

    Polynomials and the like that agree at five random points are equal, up to a chance of about zero. Of formulas
    that differ, simplification, the slow way to find out, need not be asked.
    """
    if not (_is_formula(gold) and _is_formula(answer)):
        return None
    known = {symbol.name: symbol for side in (answer, gold) for symbol in side.free_symbols}
    if not known:
        return None
    answer = answer.xreplace({symbol: known[symbol.name] for symbol in answer.free_symbols})
    names = [known[name] for name in sorted(known)]
    draw = random.Random(0)
    compared = 0
    for i in range(NUM_SAMPLES):
        widest = 1.0 if i % 2 else 3.0
        point = {name: Float(draw.uniform(-widest, widest) if i % 3 else draw.uniform(0.05, widest)) for name in names}
        left, right = real_value(gold, point), real_value(answer, point)
        if left is None or right is None:
            continue
        if abs(left - right) > 1e-8 * max(abs(left), abs(right), 1e-8):
            return False
        compared += 1
        if compared == ENOUGH_SAMPLES:
            return True
    return None


def _is_formula(expression: Any) -> bool:
    return (
        isinstance(expression, Expr)
        and not isinstance(expression, Symbol)
        and not expression.has(UnevaluatedExpr, AppliedUndef)
        and expression.is_commutative is not False
        and expression.count_ops() <= MAX_OPERATIONS
    )


def real_value(expression: Expr, point: dict[Any, Any]) -> float | None:
    """The real number that a formula is at a point; None where it is none, complex or beyond 10¹⁰⁰."""
    try:
        value = complex(expression.evalf(15, subs=point))
    except (TypeError, ValueError, ArithmeticError, AttributeError, NotImplementedError):
        return None
    if abs(value.imag) > 1e-9 * max(1.0, abs(value.real)) or not abs(value.real) < 1e100:
        return None
    return value.real


def _apart(gold: Any, answer: Any) -> bool:
    """Two numbers that math-verify calls equal because it rounds to six places, although both are tiny."""
    sides = _explicit(gold, answer), _explicit(answer, gold)
    if not all(isinstance(side, Expr) and not side.free_symbols and not side.has(UnevaluatedExpr) for side in sides):
        return False
    left, right = (real_value(side, {}) for side in sides)
    if left is None or right is None:
        return False
    return max(abs(left), abs(right)) < 1e-2 and not close(left, right)
