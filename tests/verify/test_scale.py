from __future__ import annotations

import pytest

from selfhint.verify.scale import scaled


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("2 million", "2000000"),
        (r"2\text{ million}", "2000000"),
        (r"2 \text{ million people}", r"2000000\text{ people}"),
        ("-1.5 Billion dollars", "-1500000000 dollars"),
        ("1,200 thousand", "1200000"),
        ("3 dozen eggs, 2 hundred apples", "36 eggs, 200 apples"),
        ("1/2 million", "500000"),
        ("3 1/2 million", "3500000"),
        (r"2\frac{1}{2} million", "2500000"),
        ("1/7 million", r"\frac{1000000}{7}"),
        ("5 thousandths", "5 thousandths"),
        ("a million", "a million"),
        ("x2 million", "x2 million"),
        ("10^6 million", "10^6 million"),
        ("1,2 million", "1,2 million"),
        ("1/0 million", "1/0 million"),
    ],
)
def test_sizes(text: str, written_out: str) -> None:
    assert scaled(text) == written_out


@pytest.mark.parametrize("piece", ["1,", "1 1/", r"\frac{1}{", "2 ", "2~", "1.1", "5 dozen", r"5\text{ "])
def test_long_texts_end(piece: str) -> None:
    """Each of these would take minutes in quadratic time."""
    assert scaled(piece * 50_000)
