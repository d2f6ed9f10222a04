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
    ],
)
def test_unescape(raw: str, text: str) -> None:
    assert unescape(raw) == text


@settings(deadline=None)
@given(st.text())
def test_unescape_leaves_text_that_can_be_encoded(text: str) -> None:
    unescape(text).encode("utf-8")
