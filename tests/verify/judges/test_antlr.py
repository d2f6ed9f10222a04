from __future__ import annotations

from typing import Any

import pytest
from latex2sympy2_extended import latex2sympy
from latex2sympy2_extended.latex2sympy2 import _Latex2Sympy

from selfhint.verify.judges import antlr

TEXTS = [
    "(2,-3)",
    r"\frac{1}{2}",
    r"[-1,-\frac{1}{2}) \cup (3, \infty)",
    r"\left( 8, \frac{\pi}{3}, \frac{2 \pi}{3} \right)",
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
    r"x \in [-2,7]",
    r"\{1, 2, 3\}",
    r"n^{2}-n+1",
    r"3 < x \leq 5",
    r"\log_{2} 3 + \binom{4}{2}!",
    r"y = 2x + 3, z = 4",
    r"\sum_{k=1}^{n} k^2",
    r"\int_{0}^{1} x dx",
    r"|x-1| + \sqrt[3]{2}",
    r"1,234,567",
    r"f(x) = \cos(2 t) e^{-3 t}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_two_stages_give_the_same_expression(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Latex2Sympy, "create_parser", antlr._create_full_parser)
    full = latex2sympy(text)
    antlr.parse_in_two_stages()
    assert latex2sympy(text) == full


def test_a_text_the_first_stage_refuses_is_parsed_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    stages: list[str] = []

    def create(self: Any, text: str) -> Any:
        parser = usual(self, text)
        stages.append(text)
        if len(stages) == 1:
            monkeypatch.setattr(parser, "math", lambda: (_ for _ in ()).throw(Exception("syntax error")))
        return parser

    usual = antlr._create_full_parser
    monkeypatch.setattr(antlr, "_create_full_parser", create)
    antlr.parse_in_two_stages()
    assert latex2sympy("12") == 12
    assert stages == ["12", "12"]


@pytest.mark.parametrize("text", [r"\frac{1", ")(", r"1 + + \text{", ""])
def test_no_maths_is_an_error_all_the_same(text: str) -> None:
    antlr.parse_in_two_stages()
    with pytest.raises(Exception, match=r"."):
        latex2sympy(text)
