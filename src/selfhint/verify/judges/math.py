"""Mathematical equality, by math-verify where it can be asked, and by parts, sets and samples where it cannot.

Only this module loads math-verify. It never prints a parsed expression: turning one into text can take for ever.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from latex2sympy2_extended.latex2sympy2 import normalize_latex
from latex2sympy2_extended.logic import And
from math_verify import LatexExtractionConfig, parse, verify
from math_verify.parser import parse_latex_cached
from sympy import Eq, Expr, FiniteSet, Float, I, Interval, Set, Symbol, UnevaluatedExpr, Union
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from selfhint.verify.judges.antlr import parse_in_two_stages
from selfhint.verify.judges.size import too_large
from selfhint.verify.kinds.base import Request
from selfhint.verify.latex import MAX_LINE, ascii_digits, is_line, tidy
from selfhint.verify.number import Number, close, plain_number, same_number
from selfhint.verify.parts import Part, parts, split, spread
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import has_delimiter
from selfhint.verify.units import Quantity, quantity

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

_ELLIPSIS = re.compile(r"\\[cdlv]?dots|\.\.\.|…")
_TEXT = re.compile(r"\\text\s*\{([^{}]*)\}")
_LETTERS = re.compile(r"[^\W\d_]{2,}(?:[ '-][^\W\d_]+)*")
_RELATION = re.compile(r"[<>=]|\\(?:le|ge|ne|in)(?![a-zA-Z])")
_BUILDER = re.compile(
    r"\s*\\?\{\s*(?P<name>[a-zA-Z])\s*(?:\\in\s*\\mathbb\s*\{?R\}?\s*)?(?:\||:|\\mid(?![a-zA-Z]))(?P<condition>.+?)\\?\}\s*"
)
_OR = re.compile(r"(?<![a-zA-Z\\])or(?![a-zA-Z])|\\(?:lor|vee)(?![a-zA-Z])")
_SPACED = re.compile(r"(\d)\s+(?=\d)(?!\d{3}(?!\d))")
_BASED = re.compile(r"[0-9A-Fa-f]+\s*_\s*\{?\s*(?P<base>\d+)\s*\}?")
_CONGRUENCE = re.compile(r"(?P<left>[^=]+?)\\equiv\s*(?P<right>-?\d{1,9})\s*\\pmod\{0*(?P<modulus>[1-9]\d{0,8})\}")
_COLUMN = re.compile(r"\\begin\s*\{(?P<kind>[pb]?matrix)\}(?P<rows>.*)\\end\s*\{(?P=kind)\}", re.DOTALL)
_DOMAIN = re.compile(
    r"[,;]?\s*(?:\\text\s*\{[^{}]{0,12}\})?\s*\(?\s*[a-zA-Z]\s*\\in\s*\\?(?:mathbb)?\s*\{?\s*[ZNQR]\s*\}?\s*\)?$"
)
_DUNDER = re.compile(r"__[a-zA-Z]+__")
_DEGREES = re.compile(r"\s*(?P<value>[^a-zA-Z]{1,30}?)\s*(?:\^\\circ|(?:\\text\s*\{)?\s*degrees?\s*\}?)\s*")
parse_in_two_stages()
_NORMALISATION = LatexExtractionConfig().normalization_config

Parsed = list[Any]
"""What math-verify read: an expression, where it could, and the text it came from."""


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `MathKind`."""
    reason, extracted = verdict(request["gold"], request["answer"], request["whole"])
    return {"reason": reason, "extracted": extracted}


def verdict(gold: str, answer: str | None, whole: bool) -> tuple[str, str | None]:
    """The reason of a verdict, and the answer as the prediction spells it.

    A gold that cannot be turned into an expression can be matched as text, but nothing else is known of it.

    Args:
        gold: the bare gold answer.
        answer: what the prediction says, None where it is too long to be read.
        whole: the answer stands by itself; otherwise it is a text that may hold one.
    """
    expected = tidy(gold)
    spelt = answer if whole else None
    if answer is not None and not whole and _stands_alone(expected, answer):
        whole, spelt = True, answer.strip()
    if answer is not None and whole:
        found: Sequence[Any] = read_answer(tidy(answer))
        right = same(expected, tidy(answer))
    else:
        found = [] if answer is None or _is_code(answer) else _parse(ascii_digits(answer))
        spelt = next((item for item in found if isinstance(item, str)), None)
        right = bool(found) and _same_found(expected, found, spelt)
    if right:
        return MATCH, spelt
    if _expression(read_answer(expected)) is None:
        return GOLD_UNREADABLE, spelt
    return (MISMATCH if found else NO_ANSWER), spelt


def same(gold: str, answer: str) -> bool:
    """Whether two tidy answers are equal: as they stand, as intervals and inequalities, or value by value."""
    if not gold or not answer:
        return False
    values = parts(gold)
    if len(values) > 1 and all(part.label for part in values) and _names_differ(values):
        return _squeezed(gold) == _squeezed(answer) or _same_parts(gold, answer)  # which is which matters
    return _same_value(gold, answer) or _same_structure(gold, answer)


def _same_found(gold: str, found: Sequence[Any], spelt: str | None) -> bool:
    """Whether what math-verify found in a text is the gold; it knows more of it than its spelling."""
    if _same_expression(read_answer(gold), found):
        return True
    return spelt is not None and _same_structure(gold, tidy(spelt))


def _same_structure(gold: str, answer: str) -> bool:
    if _ELLIPSIS.search(gold) or _ELLIPSIS.search(answer):
        return False
    if _same_sets(gold, answer) or _same_parts(gold, answer):
        return True
    bare = [_DOMAIN.sub("", side) for side in (gold, answer)]  # x = k\pi, k \in \mathbb{Z}
    return (bare[0] == gold) != (bare[1] == answer) and all(bare) and same(*bare)


def _stands_alone(gold: str, text: str) -> bool:
    """Whether a text without a box is an answer by itself: a line of maths, of labelled values, or the gold's word."""
    if len(text) > 2 * MAX_LINE or not (line := tidy(text)) or _is_code(text):
        return False
    if _is_list(line) or _squeezed(gold) == _squeezed(line) or _same_word(gold, line) or quantity(line) is not None:
        return True
    return is_line(line) and _expression(read_answer(line)) is not None


# One value


def _same_value(gold: str, answer: str) -> bool:
    if _squeezed(gold) == _squeezed(answer) or _same_word(gold, answer):
        return True
    if _SPACED.search(answer) and not _SPACED.search(gold):
        return False  # "2 1" is not 21, nor 2 · 1
    if r"\equiv" in gold or r"\equiv" in answer:
        return _same_congruence(gold, answer)
    based = _BASED.fullmatch(gold), _BASED.fullmatch(answer)
    if based[0] and based[1] and based[0]["base"] != based[1]["base"]:
        return False
    numbers = plain_number(gold), plain_number(answer)
    if numbers[0] is not None and numbers[1] is not None:
        return same_number(numbers[0], numbers[1])
    units = _same_quantity(gold, answer)
    if units is not None:
        return units
    if _same_angle(gold, answer) or _same_vector(gold, answer):
        return True
    return _same_expression(read_answer(gold), read_answer(answer))


def _squeezed(text: str) -> str:
    return "".join(_SPACED.sub(r"\1_", _TEXT.sub(r"\1", text)).split())


def _same_word(gold: str, answer: str) -> bool:
    """Words are the same in any case; single letters, which may be variables, are not."""
    gold, answer = (_TEXT.sub(r"\1", text).strip() for text in (gold, answer))
    return _LETTERS.fullmatch(gold) is not None and gold.casefold() == answer.casefold()


def _same_quantity(gold: str, answer: str) -> bool | None:
    """Of numbers with units: whether they are the same, where both or only the answer have a unit we know."""
    of_answer = quantity(answer)
    if of_answer is None or of_answer.unit is None:
        return None
    of_gold = quantity(gold)
    if of_gold is None:
        return None
    return of_gold.matches(of_answer, _same_magnitude)


def _same_magnitude(gold: Quantity, answer: Quantity) -> bool:
    return same_number(gold.number, answer.number)


def _same_congruence(gold: str, answer: str) -> bool:
    r"""Congruences: n \equiv 1 \pmod{3} and n \equiv 4 \pmod{3}; math-verify sees no more of these than n."""
    sides = _CONGRUENCE.fullmatch(gold), _CONGRUENCE.fullmatch(answer)
    if sides[0] is None or sides[1] is None or len(gold) > MAX_LINE or len(answer) > MAX_LINE:
        return False
    if any(_squeezed(sides[0][name]) != _squeezed(sides[1][name]) for name in ("left", "modulus")):
        return False
    return (int(sides[0]["right"]) - int(sides[1]["right"])) % int(sides[0]["modulus"]) == 0


def _same_vector(gold: str, answer: str) -> bool:
    """A column and a tuple of the same numbers."""
    for column, other in ((gold, answer), (answer, gold)):
        match = _COLUMN.fullmatch(column)
        if match is not None and "&" not in match["rows"] and other.startswith("("):
            entries = [row.strip() for row in match["rows"].split(r"\\") if row.strip()]
            return _same_expression(read_answer(f"({', '.join(entries)})"), read_answer(other))
    return False


def _same_angle(gold: str, answer: str) -> bool:
    r"""30^\circ and \pi/6: degrees become radians where the other side is written with \pi."""
    for degrees, radians in ((gold, answer), (answer, gold)):
        if r"\pi" in radians and r"\circ" not in radians and (match := _DEGREES.fullmatch(degrees)):
            return _same_expression(
                *(read_answer(side) for side in (rf"\frac{{{match['value']}}}{{180}} \pi", radians.split("=")[-1]))
            )
    return False


def _same_expression(gold: Sequence[Any], answer: Sequence[Any]) -> bool:
    left, right = _expression(gold), _expression(answer)
    if too_large(left) or too_large(right):
        return False
    if left is None or right is None:
        return _verify(gold, answer)
    left, right = (_with_unit_i(side) for side in (_explicit(left, right), _explicit(right, left)))
    sampled = _same_constants(left, right)
    if sampled is None:
        sampled = _same_samples(left, right)
    if sampled is None:
        sampled = _verify(gold, answer) and not _apart(left, right)
    return sampled


def _explicit(expression: Any, other: Any) -> Any:
    """The right-hand side of `name = …`, and y of an equation linear in y where the other side is a formula without y.

    Anything else as it is, and equations of two names too: x = 3 is not y = 3.
    """
    if not isinstance(expression, Eq) or (isinstance(other, Eq) and other.lhs != expression.lhs):
        return expression
    if isinstance(expression.lhs, Symbol | AppliedUndef):
        return expression.rhs
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


# Intervals and inequalities


def _same_sets(gold: str, answer: str) -> bool:
    if not any(_RELATION.search(side) for side in (gold, answer)):
        return False
    if not any(bracket in side for side in (gold, answer) for bracket in "[({|"):
        return False
    sets = _real_set(gold), _real_set(answer)
    if sets[0] is None or sets[1] is None:
        return False
    return _verify([sets[0]], [sets[1]])


@lru_cache(maxsize=64)
def _real_set(text: str) -> Set | None:
    r"""The set of real numbers that an interval, `\{x | …\}`, inequalities or a union of these describe."""
    builder = _BUILDER.fullmatch(text)
    if builder is not None:
        text = builder["condition"].strip()
    pieces = (
        [piece for part in split(text) for piece in part.split(r"\cup")] if r"\text" in text or "or" in text else [text]
    )
    sets = [_piece_set(piece.strip()) for piece in pieces]
    if not sets or any(one is None for one in sets):
        return None
    return Union(*sets)


def _piece_set(text: str) -> Set | None:
    expression = _expression(read_answer(text.strip()))
    relations = expression._unsorted_args if isinstance(expression, And) else [expression]
    if isinstance(expression, Set):
        return expression
    if not all(isinstance(relation, Relational) for relation in relations):
        return None
    if len(relations) == 1 and isinstance(expression, Eq):
        return FiniteSet(expression.rhs) if isinstance(expression.lhs, Symbol) else None
    try:
        found = expression.as_set()
    except (NotImplementedError, TypeError, ValueError, AttributeError):
        return None
    return found if isinstance(found, Interval | Union | FiniteSet) else None


# Several values


def _same_parts(gold: str, answer: str) -> bool:
    of_gold = parts(gold)
    if any(_match_parts(of_gold, of_answer, gold, answer) for of_answer in (parts(answer), spread(answer))):
        return True
    of_tuple = _inside(answer)
    if len(of_tuple) > 1 and all(part.label for part in of_gold) and _match_parts(of_gold, of_tuple, gold, answer):
        return True
    return bool(spread(gold)) and _match_parts(spread(gold), parts(answer), gold, answer)


def _inside(text: str) -> tuple[Part, ...]:
    """The values of a tuple."""
    return parts(text[1:-1]) if text.startswith("(") and text.endswith(")") else ()


def _match_parts(gold: tuple[Part, ...], answer: tuple[Part, ...], whole_gold: str, whole_answer: str) -> bool:
    if len(gold) != len(answer) or not gold:
        return False
    if len(gold) == 1:
        return (gold[0].value, answer[0].value) != (whole_gold, whole_answer) and _same_part(gold[0], answer[0])
    labelled = [any(part.label for part in side) for side in (gold, answer)]
    if all(labelled):
        return _same_records(gold, answer)
    if labelled[0] and _names_differ(gold):  # p = 3, q = 4 says which is which, so 4, 3 is another answer
        return all(_same_part(*pair) for pair in zip(gold, answer, strict=True))
    return assigned(gold, answer, _same_part)


def _names_differ(side: tuple[Part, ...]) -> bool:
    """Labels that are not x, x, … nor x_1, x_2, …"""
    return len({(part.label or "").split("_")[0] for part in side}) == len(side)


def _same_records(gold: tuple[Part, ...], answer: tuple[Part, ...]) -> bool:
    """Labelled values: p = 5, q = 2; p = 7, q = 2 are two records, in any order; within one, label by label."""
    records = [_records(side) for side in (gold, answer)]
    return len(records[0]) == len(records[1]) and assigned(records[0], records[1], _same_record)


def _records(side: tuple[Part, ...]) -> list[dict[str, Part]]:
    records: list[dict[str, Part]] = [{}]
    for part in side:
        name = _name(part)
        if name in records[-1]:
            records.append({})
        records[-1][name] = part
    return records


def _name(part: Part) -> str:
    """A label without its argument where that is a variable: f(n) = n and f(x) = x are one function."""
    label = part.label or ""
    return label.split("(")[0] if part.of is not None and part.of.isalpha() else label


def _same_record(gold: dict[str, Part], answer: dict[str, Part]) -> bool:
    return gold.keys() == answer.keys() and all(_same_part(part, answer[name]) for name, part in gold.items())


def _same_part(gold: Part, answer: Part) -> bool:
    if gold.label and answer.label and _name(gold) != _name(answer):
        return False
    value = answer.value
    if gold.of and answer.of and gold.of != answer.of and gold.of.isalpha() and answer.of.isalpha():
        if re.search(rf"(?<![a-zA-Z\\]){gold.of}(?![a-zA-Z])", value):
            return False
        value = re.sub(rf"(?<![a-zA-Z\\]){answer.of}(?![a-zA-Z])", gold.of, value)
    return _same_value(gold.value, value)


def assigned(gold: Sequence[Any], answer: Sequence[Any], same: Callable[[Any, Any], bool]) -> bool:
    """Whether the answer's items are the gold's in some order. Equality is transitive here, so greedily."""
    left = list(answer)
    for item in gold:
        found = next((i for i, other in enumerate(left) if same(item, other)), None)
        if found is None:
            return False
        del left[found]
    return True


# math-verify


@lru_cache(maxsize=64)
def read_answer(text: str) -> Parsed:
    """An answer that stands by itself: bare maths is wrapped, since math-verify reads little of it otherwise.

    One with an ellipsis stays text: math-verify would read a part of it, so that 1, 2, …, n equals 1, 2, …, 2n.
    """
    if _ELLIPSIS.search(text):
        return [text]
    if has_delimiter(text):
        return _parse(text)
    latex = " ".join(text.split())
    if not is_line(text):
        return _parse(f"${latex}$")
    try:
        normal = normalize_latex(latex, config=_NORMALISATION)
        return [parse_latex_cached(normal), normal]
    except Exception:  # the grammar raises whatever it meets; math-verify's own reading is more patient
        return _parse(f"${latex}$")


def _parse(text: str) -> Parsed:
    # math-verify's own time limit needs signals and scores 0 where they are missing; the parent's limit replaces it.
    parsed: Parsed = parse(text, parsing_timeout=None)
    return parsed


def _verify(gold: Sequence[Any], answer: Sequence[Any]) -> bool:
    return bool(verify(list(gold), list(answer), allow_set_relation_comp=True, timeout_seconds=None))


def _expression(parsed: Sequence[Any]) -> Any:
    """The first thing that is no text; None where there is none."""
    return next((item for item in parsed if not isinstance(item, str)), None)


def _is_code(text: str) -> bool:
    """A line of Python with names no answer has; what it would give if it were run is no answer."""
    return len(text) <= MAX_LINE and "\n" not in text and _DUNDER.search(text) is not None


def _is_list(text: str) -> bool:
    """A short text of several values, with labels or without, such as "Minimum: 1, Maximum: 3"."""
    if len(text) > MAX_LINE or "\n" in text:
        return False
    values = parts(text)
    return len(values) > 1 and all(is_line(part.value) for part in values)
