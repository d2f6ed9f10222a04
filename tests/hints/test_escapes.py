from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.escapes import unescape


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"\frac{1}{2} \beta \bmod", r"\frac{1}{2} \beta \bmod"),
        (r"\nabla \nu \neq \not\in", r"\nabla \nu \neq \not\in"),
        (r"\theta\times\text{cm}", r"\theta\times\text{cm}"),
        (r"\rho \right) \rangle", r"\rho \right) \rangle"),
        (r"a\nThen\tb\rc", "a\nThen\tb"[:-1] + "b" + "c"),
        (r"a\nnext", "a\nnext"),
        (r"\\frac \\\\ x", r"\frac \\ x"),
        (r"\"q\" \'s\' \/", "\"q\" 's' /"),
        (r"\u03b1 \ud83d\ude00 \ud83d", "α 😀 �"),
        ("\ufeffx\x00\x08y", "xy"),
        # a line end in front of "u", "e", "less", …
        (r"Set:\nu = x^2, so \\frac{du}{dx}", "Set:\nu = x^2, so " + r"\frac{du}{dx}"),
        (r"Take \\sqrt{x},\nless of it,\nexists or not", "Take " + r"\sqrt{x}" + ",\nless of it,\nexists or not"),
        (r"Set this.\nu_n = n", "Set this.\nu_n = n"),
        (r"Look:\n\nu = x", "Look:\n\nu = x"),
        (
            r"Small cases,\ne.g. 1\nless than 9,\nmid-points\nparallel lines",
            "Small cases,\ne.g. 1\nless than 9,\nmid-points\nparallel lines",
        ),
        (r"Multiply\ne^x by\ne = 2.7", "Multiply\ne^x by\ne = 2.7"),
        (r"Try\nu-substitution", "Try\nu-substitution"),
        (r"\\alpha (v,\nu), b \ne c", r"\alpha" + " (v,\nu), b \ne c"),
        # and what stays LaTeX
        (r"\nu grows, x \ne 0, x\ne y", r"\nu grows, x \ne 0, x\ne y"),
        (r"f(\mu,\nu), T(x;\nu), \;\nu, n!\ne 1", r"f(\mu,\nu), T(x;\nu), \;\nu, n!\ne 1"),
        (
            r"a\nless b, a \nmid b, \nexists x, so \nexists integer n",
            r"a\nless b, a \nmid b, \nexists x, so \nexists integer n",
        ),
        (r"\\frac12 and \theta \times \nabla \neq \beta", r"\frac12 and \theta \times \nabla \neq \beta"),
    ],
)
def test_unescape(raw: str, text: str) -> None:
    assert unescape(raw) == text


@settings(deadline=None)
@given(st.text())
def test_unescape_leaves_text_that_can_be_encoded(text: str) -> None:
    unescape(text).encode("utf-8")
