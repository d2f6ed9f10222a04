"""Intervals, inequalities and their unions, as sets of real numbers."""

from __future__ import annotations

import re
from functools import lru_cache

from latex2sympy2_extended.logic import And
from sympy import Eq, FiniteSet, Interval, Set, Symbol, Union
from sympy.core.relational import Relational

from selfhint.verify.judges.reading import equal_by_math_verify, expression_of, read_answer
from selfhint.verify.parts import split

_RELATION = re.compile(r"[<>=]|\\(?:le|ge|ne|in)(?![a-zA-Z])")
_BUILDER = re.compile(
    r"\s*\\?\{\s*(?P<name>[a-zA-Z])\s*(?:\\in\s*\\mathbb\s*\{?R\}?\s*)?(?:\||:|\\mid(?![a-zA-Z]))(?P<condition>.+?)\\?\}\s*"
)


def same_sets(gold: str, answer: str) -> bool:
    """Whether two answers, one of them with a relation and one with a bracket, describe the same set."""
    if not any(_RELATION.search(side) for side in (gold, answer)):
        return False
    if not any(bracket in side for side in (gold, answer) for bracket in "[({|"):
        return False
    sets = _real_set(gold), _real_set(answer)
    if sets[0] is None or sets[1] is None:
        return False
    return equal_by_math_verify([sets[0]], [sets[1]])


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
    expression = expression_of(read_answer(text.strip()))
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
