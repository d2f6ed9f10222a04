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
        ("twice n minus one", "2 n -1"),
        ("subtract 1 from 2n", "2n - 1"),
        ("the sum of a and b", "the (a + b)"),
        ("n choose 2", "C(n, 2)"),
        ("3^n, then add the 2", "3^n + 2"),
        ("3^n, and then add 2", "3^n + 2"),
        ("sine of x^2", "sin x^2"),
        ("one less than 2^(n+1)", "2^(n+1) - 1"),
        ("two more than n^2", "n^2 + 2"),
        ("multiply n by five and subtract two", "n * 5 - 2"),
    ],
)
def test_spoken(text: str, signs: str) -> None:
    assert spoken(text) == signs
