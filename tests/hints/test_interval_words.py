from __future__ import annotations

import math

import pytest

from selfhint.hints.interval_words import Piece, described, end_value
from selfhint.hints.plain import plain


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("]-2; 7]", Piece(False, -2, 7, True)),
        ("[1; 4[", Piece(True, 1, 4, False)),
        ("all x greater than -3 and smaller than 4", Piece(False, -3, 4, False)),
        ("x > 1 here, and so x < 9", Piece(False, 1, 9, False)),
        ("x is at least -4 and less than 6", Piece(True, -4, 6, False)),
        ("from minus two up to seven", Piece(None, -2, 7, None)),
        ("between minus three halves and three halves", Piece(None, -1.5, 1.5, None)),
        ("|y| ≤ 3/2", Piece(True, -1.5, 1.5, True)),
        ("|x| is at most √5", Piece(True, -math.sqrt(5), math.sqrt(5), True)),
        ("|x| > 2", Piece(False, 2, math.inf, False)),
        ("everything except (-1, 5]", Piece(False, 5, math.inf, False)),
        ("everything except (-1, 5]", Piece(False, -math.inf, -1, True)),
        (r"$\mathbb{R}\setminus[-2,2]$", Piece(False, 2, math.inf, False)),
        ("all reals except 3", Piece(False, 3, math.inf, False)),
        ("Minimum 2 at x=3; maximum 11 at x=6", Piece(True, 2, 11, True)),
        ("The roots are 4 and -3. It is negative between them.", Piece(None, -3, 4, None)),
        ("x can't be smaller than 3", Piece(True, 3, math.inf, False)),
        ("x must be 4 or larger", Piece(True, 4, math.inf, False)),
    ],
)
def test_described(text: str, piece: Piece) -> None:
    assert any(piece.agrees(found) for found in described(plain(text)))


@pytest.mark.parametrize(
    "text",
    [
        "The roots are 4 and -3. Test a point between them.",
        "Is it negative between the roots 4 and -3?",
        "-3 and 4 are the critical points",
        "x - 4 < 3",
        "3 ≤ 5",
    ],
)
def test_nothing_described(text: str) -> None:
    wanted = Piece(None, -3, 4, None)
    assert not any(wanted.agrees(found) for found in described(plain(text)))


def test_brackets_must_not_contradict() -> None:
    assert Piece(True, 0, 1, None).agrees(Piece(None, 0, 1, False))
    assert not Piece(True, 0, 1, None).agrees(Piece(False, 0, 1, None))
    assert not Piece(True, 0, 1, True).agrees(Piece(True, 0, 2, True))


def test_end_value() -> None:
    assert end_value("- inf") == -math.inf
    assert end_value("pi/2") == pytest.approx(math.pi / 2)
    assert end_value("x") is None
    assert end_value("sqrt(-1)") is None
