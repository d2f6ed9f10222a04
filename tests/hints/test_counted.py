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
        ("Two is it. Numbers tell.", "Solve for y.", False),
    ],
)
def test_counts_tools(text: str, question: str, counts: bool) -> None:
    span = next(occurrences(text, answer_forms("2")))
    assert counts_tools(text, span, question) == counts


def test_larger_numbers_count_no_tools() -> None:
    text = "Write the 12 equations."
    assert not counts_tools(text, next(occurrences(text, answer_forms("12"))), "Solve for y.")
