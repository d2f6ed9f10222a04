from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.counted import counts_tools
from selfhint.hints.occurrences import occurrences


@pytest.mark.parametrize(
    ("text", "question", "counts"),
    [
        ("Write the two equations.", "Solve for y.", True),
        ("Find 2 whole numbers that add up to it.", "What is y?", True),
        ("Find two numbers that add up to it.", "How many apples does a man have?", True),
        ("Use the two given conditions.", "How many equations hold?", True),
        ("There are two equations.", "How many equations hold?", False),
        ("Two numbers fit.", "How many integers fit?", False),
        ("Two numbers fit.", "Find the number of real solutions.", False),
        ("Two apples are left.", "How many apples?", False),
        ("Write it as a difference of two squares.", "How many pairs of squares are there?", True),
        ("Draw the line through the two given points.", "What is the slope?", True),
        ("Split it into two integrals.", "What is the area?", True),
        ("Split it into two integrals.", "What number of integrals is left?", False),
        ("Two squares fit.", "How many squares fit?", False),
        ("Two cakes are bought.", "What is it?", False),
        ("She has two points.", "What is her score?", False),
        ("Two is it. Numbers tell.", "Solve for y.", False),
    ],
)
def test_counts_tools(text: str, question: str, counts: bool) -> None:
    span = next(occurrences(text, answer_forms("2")))
    assert counts_tools(text, span, question) == counts


def test_larger_numbers_count_no_tools() -> None:
    text = "Write the 12 equations."
    assert not counts_tools(text, next(occurrences(text, answer_forms("12"))), "Solve for y.")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("The discriminant is non-zero.", True),
        ("Apply the zero product property.", True),
        ("x is not zero.", True),
        ("x ≠ 0", True),
        ("It comes to zero.", False),
        ("Zero apples are there.", False),
    ],
)
def test_zero_in_a_fixed_phrase(text: str, counts: bool) -> None:
    assert counts_tools(text, next(occurrences(text, answer_forms("0"))), "What is x?") == counts
