from __future__ import annotations

import pytest

from selfhint.hints.answer_leak import answer_leak

QUESTION = "A field of 91 square metres is 7 metres wide. How long is it?"


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        (r"$7 \times 13 = 91$", True),
        ("13 times 7 is 91", True),
        ("91 = 13 * 7 as you see", True),
        ("91 / 13 = 7", True),
        ("Thirteen times 7 is 91, and not more.", True),
        ("2 * 13 = 26", False),
        ("7 * 13 = 92", False),
        ("Multiply: 7 * 13 * 2 = 182", False),
        ("Divide 91 by 7.", False),
    ],
)
def test_a_product_with_the_answer(text: str, leaks: bool) -> None:
    assert (answer_leak(text, "13", QUESTION) is not None) == leaks


@pytest.mark.parametrize(
    ("text", "leaks"),
    [("7 + 5 = 12.", True), ("12 minus 5 is 7.", True), ("2 * 5 = 10", False), ("Add 5 - 3.", False)],
)
def test_a_sum_or_difference_with_the_answer(text: str, leaks: bool) -> None:
    assert (answer_leak(text, "5", "He had 7 and has 12 now. How many did he get?") is not None) == leaks


def test_an_answer_that_the_question_names() -> None:
    assert answer_leak("Note that 3 * 4 = 12.", "3", "12 pens are shared by 4 of 3 rooms. How many each?") is None
