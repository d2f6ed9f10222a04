from __future__ import annotations

import pytest

from selfhint.hints.scaled import scaled_answer, scaled_numbers


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("2 million people", ["2000000"]),
        ("1.5 million and 2-thousand", ["1500000", "2000"]),
        ("it is 2k.", ["2000"]),
        ("1.2500 thousand", ["1250"]),
        ("2k + 1, 3(2k), n = 2k, 2kg, x_2k", []),
        ("k is even: 2k", []),
        ("2 thousandths, 2 millionaires, 2. million", []),
    ],
)
def test_scaled_numbers(text: str, digits: list[str]) -> None:
    assert [number for number, _, _ in scaled_numbers(text)] == digits


@pytest.mark.parametrize(
    ("answer", "digits"),
    [("2 million", "2000000"), ("-€1.5 thousand a year", "-1500"), ("2k", None), ("2", None), ("2 thousandths", None)],
)
def test_scaled_answer(answer: str, digits: str | None) -> None:
    assert scaled_answer(answer) == digits
