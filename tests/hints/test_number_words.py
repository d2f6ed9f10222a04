from __future__ import annotations

import pytest

from selfhint.hints.number_words import fraction_words, number_words, with_digits


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("nine cards", [9]),
        ("Twenty-four of them", [24]),
        ("twenty four", [24]),
        ("one hundred and five", [105]),
        ("two thousand three hundred forty-one", [2341]),
        ("twelve hundred", [1200]),
        ("three thousand and two", [3002]),
        ("a hundred", [100]),
        ("one million two hundred thousand", [1_200_000]),
        ("five and six", [5, 6]),
        ("one or two", [1, 2]),
        ("two three", [2, 3]),
        ("twenty thirty", [20, 30]),
        ("twenty eleven", [20, 11]),
        ("five hundred hundred", [500, 100]),
        ("zero", [0]),
        ("three dozen", [3, 36]),
        ("6 dozen", [72]),
        ("1.6 dozen", [12]),
        ("someone often weighed a stone", []),
        ("nineteenth", []),
    ],
)
def test_values(text: str, values: list[int]) -> None:
    assert [value for value, _, _ in number_words(text)] == values


def test_spans_cover_the_words() -> None:
    text = "so five and sixty-one jars"
    assert [text[start:end] for _, start, end in number_words(text)] == ["five", "sixty-one"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("two sevenths and one half", [(2, 7), (1, 2)]),
        ("Half of it, three-quarters, a third", [(3, 4), (1, 3), (1, 2)]),
        ("four and a half, two and six sevenths", [(9, 2), (20, 7)]),
        ("thirteen fifty-fifths, nine halves", [(13, 55), (9, 2)]),
        ("two seventh, one thirds, the third", []),
    ],
)
def test_fractions(text: str, values: list[tuple[int, int]]) -> None:
    assert [value for value, _, _ in fraction_words(text)] == values


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("minus two up to seven", "-2 up to 7"),
        ("7 minus two", "7 minus 2"),
        ("negative three halves", "-3/2"),
        ("three point one four", "3.14"),
        ("no number", "no number"),
    ],
)
def test_with_digits(text: str, digits: str) -> None:
    assert with_digits(text) == digits
