from __future__ import annotations

import pytest

from selfhint.hints.spoken import spoken


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("four times the square root of three", "4 * sqrt(3)"),
        ("half of n(n+1)", "1/2*n(n+1)"),
        ("a third of pi", "1/3*pi"),
        ("x squared plus two", "x^2 + 2"),
        ("a over b", "a / b"),
    ],
)
def test_spoken(text: str, signs: str) -> None:
    assert spoken(text) == signs
