r"""Reads a formula in plain writing: numbers, letters, + - * / ^ !, roots, functions, brackets, implicit products.

A small recursive descent: no evaluation of code, strict limits on length and depth, no exception on any text.
"""

from __future__ import annotations

import re

from selfhint.hints.formula import FUNCTION_NAMES, FUNCTIONS, MINUS_ONE, Formula

MAX_CHARACTERS = 160
MAX_DEPTH = 24

GREEK = "alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|xi|rho|sigma|tau|phi|varphi|psi|omega"
_TOKEN = re.compile(
    rf"\s*(?:(\d+(?:\.\d+)?|\.\d+)|\\?({FUNCTION_NAMES}|pi)(?![A-Za-z])|\\(frac|binom|{GREEK})(?![A-Za-z])"
    rf"|({FUNCTION_NAMES}|pi)|([A-Za-z])(?:_\{{?\w\}}?)?|([-+*/^()!]))"
)
_BARS = re.compile(r"\|([^|]{1,40})\|")
_BRACKETS = str.maketrans("[]{}", "()()")


def read_formula(text: str) -> Formula | None:
    """The formula that `text` in plain writing is; None where it is none, too long or too deep."""
    if not 0 < len(text) <= MAX_CHARACTERS:
        return None
    text = _BARS.sub(r"abs(\1)", text).translate(_BRACKETS)
    tokens: list[str] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if not match:
            return None
        tokens.append(next(group for group in match.groups() if group))
        position = match.end()
    reader = _Reader(tokens)
    try:
        formula = reader.sum(0)
    except _NoFormulaError:
        return None
    return formula if reader.at_end() else None


class _NoFormulaError(Exception):
    """The tokens are no formula."""


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    def at_end(self) -> bool:
        return self._at == len(self._tokens)

    def _next(self) -> str:
        return "" if self.at_end() else self._tokens[self._at]

    def _take(self, wanted: str = "") -> str:
        token = self._next()
        if not token or (wanted and token != wanted):
            raise _NoFormulaError
        self._at += 1
        return token

    def sum(self, depth: int) -> Formula:
        if depth > MAX_DEPTH:
            raise _NoFormulaError
        terms = [self._signed(depth)]
        while self._next() in ("+", "-"):
            terms.append(self._signed(depth))
        return terms[0] if len(terms) == 1 else Formula("+", tuple(terms))

    def _signed(self, depth: int) -> Formula:
        negative = False
        if self._next() in ("+", "-"):
            negative = self._take() == "-"
        term = self._product(depth)
        return _negated(term) if negative else term

    def _product(self, depth: int) -> Formula:
        factors = [self._power(depth)]
        while (token := self._next()) and token not in "+-)":
            if token == "*":
                self._take()
                factors.append(self._negatable_power(depth))
            elif token == "/":
                self._take()
                factors.append(Formula("^", (self._negatable_power(depth), MINUS_ONE)))
            else:
                factors.append(self._power(depth))
        return factors[0] if len(factors) == 1 else Formula("*", tuple(factors))

    def _negatable_power(self, depth: int) -> Formula:
        if self._next() == "-":
            self._take()
            return _negated(self._power(depth))
        return self._power(depth)

    def _power(self, depth: int) -> Formula:
        base = self._atom(depth)
        while self._next() == "!":
            self._take()
            base = Formula("!", (base,))
        if self._next() == "^":
            self._take()
            if depth > MAX_DEPTH:
                raise _NoFormulaError
            sign = self._next() == "-" and self._take()
            exponent = self._power(depth + 1)
            return Formula("^", (base, _negated(exponent) if sign else exponent))
        return base

    def _atom(self, depth: int) -> Formula:
        token = self._take()
        if token[0].isdigit() or token[0] == ".":
            if len(token) > 30:
                raise _NoFormulaError
            return Formula("number", number=float(token))
        if token == "(":
            return self._closed(depth)
        if token in ("frac", "binom"):
            first = self._group(depth)
            second = self._group(depth)
            if token == "frac":
                return Formula("*", (first, Formula("^", (second, MINUS_ONE))))
            return Formula("binom", (first, second))
        if token in FUNCTIONS:
            return self._call(token, depth)
        if token in "+-*/^()!":
            raise _NoFormulaError
        return Formula("letter", name=token)

    def _closed(self, depth: int) -> Formula:
        inner = self.sum(depth + 1)
        self._take(")")
        return inner

    def _group(self, depth: int) -> Formula:
        r"""A bracket, or the single sign that LaTeX takes without one (`\frac{x}2`)."""
        if len(self._next()) == 1 and self._next().isalnum():
            return self._atom(depth)
        self._take("(")
        return self._closed(depth)

    def _call(self, name: str, depth: int) -> Formula:
        """f(x), f^2 x and f 2x: without brackets the argument is what follows up to a sign or a function."""
        if depth > MAX_DEPTH:
            raise _NoFormulaError
        exponent = None
        if self._next() == "^":
            self._take()
            exponent = self._atom(depth + 1)
        if self._next() == "(":
            argument = self._group(depth)
        else:
            factors = [self._power(depth + 1)]
            while (token := self._next()) and (token[0].isalnum() and token not in FUNCTIONS):
                factors.append(self._power(depth + 1))
            argument = factors[0] if len(factors) == 1 else Formula("*", tuple(factors))
        call = Formula(name, (argument,))
        return Formula("^", (call, exponent)) if exponent else call


def _negated(formula: Formula) -> Formula:
    if formula.kind == "number":
        return Formula("number", number=-formula.number)
    return Formula("*", (MINUS_ONE, formula))
