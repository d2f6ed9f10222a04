from __future__ import annotations

import pytest

from selfhint.hints.pairs import asks_for_pair


@pytest.mark.parametrize(
    ("question", "answer", "pair"),
    [
        ("Find the center of the circle.", "(3,5)", True),
        ("Find the ordered pair (a,b) for which it holds.", "(3, 5)", True),
        ("Give (r, \\theta).", "(3, pi/2)", True),
        ("Where do the lines intersect?", "[3, 5]", True),
        ("Find all x for which the point (x, 1) lies inside.", "(3, 5)", False),
        ("On which interval are all points above it?", "(3, 5)", False),
        ("Solve it.", "(3, 5)", False),
        ("Find the center.", "[3, 5)", False),
        ("Find the center.", "(3, inf)", False),
        ("Find the center.", "(1, 3) ∪ (4, 5)", False),
        ("Find the center.", "x > 3", False),
    ],
)
def test_asks_for_pair(question: str, answer: str, pair: bool) -> None:
    assert asks_for_pair(question, answer) == pair
