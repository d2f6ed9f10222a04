"""Whether a formula stands for a number too large to compute with, told without computing it."""

from __future__ import annotations

import math
from typing import Any

from sympy import Add, Basic, Integer, Mul, Number, Pow, Product, Sum, factorial, preorder_traversal

MAX_EXPONENT = 20_000
"""Powers and factorials of more take seconds and more, and nobody's answer is one."""
MAX_TERMS = 10_000
"""Of a sum or product with numbers as its limits."""
MAX_NODES = 5000


def too_large(expression: Any) -> bool:
    """Whether some part is a power with a huge exponent, a huge factorial, or a sum of many terms."""
    if not isinstance(expression, Basic):
        return False
    for count, node in enumerate(preorder_traversal(expression)):
        if count > MAX_NODES:
            return True
        if isinstance(node, Pow) and _size(node.exp) > MAX_EXPONENT and node.base not in (0, 1, -1):
            return True
        if isinstance(node, factorial) and _size(node.args[0]) > MAX_EXPONENT:
            return True
        if isinstance(node, Sum | Product):
            for _, *limits in node.limits:
                if len(limits) == 2 and max(map(_size, limits)) > MAX_TERMS:
                    return True
    return False


def _size(expression: Any) -> float:
    """An estimate of the absolute value, from above; symbols and functions count as 1."""
    try:
        if isinstance(expression, Integer | Number):
            return abs(float(expression))
        if isinstance(expression, Pow):
            return float(_size(expression.base) ** _size(expression.exp))
        if isinstance(expression, Mul):
            return math.prod(map(_size, expression.args))
        if isinstance(expression, Add):
            return sum(map(_size, expression.args))
        if isinstance(expression, factorial):
            return math.gamma(_size(expression.args[0]) + 1)
    except (OverflowError, ZeroDivisionError, ValueError, RecursionError):
        return math.inf
    return 1.0
