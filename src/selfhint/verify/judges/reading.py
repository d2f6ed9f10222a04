"""Answers as math-verify reads and compares them. Only this module loads math-verify."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from latex2sympy2_extended.latex2sympy2 import normalize_latex
from math_verify import LatexExtractionConfig, parse, verify
from math_verify.parser import parse_latex_cached

from selfhint.verify.judges.antlr import parse_in_two_stages
from selfhint.verify.latex import is_line
from selfhint.verify.text import has_delimiter

ELLIPSIS = re.compile(r"\\[cdlv]?dots|\.\.\.|…")
_COMMAND = re.compile(r"\\text\s*\{[^{}]*\}|\\[a-zA-Z]+")
_RELATION = re.compile(r"[=<>|:]|\\(?:equiv|mid|in|leq?|geq?|neq?)\b")
_VARIABLE = re.compile(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])")
parse_in_two_stages()
_NORMALISATION = LatexExtractionConfig().normalization_config

Parsed = list[Any]
"""What math-verify read: an expression, where it could, and the text it came from."""


@lru_cache(maxsize=64)
def read_answer(text: str) -> Parsed:
    """An answer that stands by itself: bare maths is wrapped, since math-verify reads little of it otherwise.

    One with an ellipsis stays text: math-verify would read a part of it, so that 1, 2, …, n equals 1, 2, …, 2n.
    """
    if ELLIPSIS.search(text):
        return [text]
    if has_delimiter(text):
        return read_text(text)
    latex = " ".join(text.split())
    if not is_line(text):
        return read_text(f"${latex}$")
    try:
        normal = normalize_latex(latex, config=_NORMALISATION)
        return [parse_latex_cached(normal), normal]
    except Exception:  # the grammar raises whatever it meets; math-verify's own reading is more patient
        found = read_text(f"${latex}$")
        return [latex] if _lost_variables(latex, expression_of(found)) else found


def _lost_variables(latex: str, expression: Any) -> bool:
    r"""Whether math-verify took a number out of a formula it could not read, as the last 2 of E_{0}^{2} / m^{2}."""
    if _RELATION.search(latex):
        return False
    return getattr(expression, "is_number", False) and _VARIABLE.search(_COMMAND.sub(" ", latex)) is not None


def read_text(text: str) -> Parsed:
    """What math-verify finds in a text."""
    # math-verify's own time limit needs signals and scores 0 where they are missing; the parent's limit replaces it.
    parsed: Parsed = parse(text, parsing_timeout=None)
    return parsed


def equal_by_math_verify(gold: Sequence[Any], answer: Sequence[Any]) -> bool:
    """math-verify's own comparison; it holds a set and the relations that describe it for the same."""
    return bool(verify(list(gold), list(answer), allow_set_relation_comp=True, timeout_seconds=None))


def expression_of(parsed: Sequence[Any]) -> Any:
    """The first thing that is no text; None where there is none."""
    return next((item for item in parsed if not isinstance(item, str)), None)
