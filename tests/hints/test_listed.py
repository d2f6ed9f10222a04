from __future__ import annotations

import pytest

from selfhint.hints.answer_leak import answer_leak

QUESTION = "Find all whole numbers with this property."


@pytest.mark.parametrize("gold", [r"\{4, 9, 16\}", "4, 9, 16", "[4, 9, 16]", "$4, 9, 16$"])
@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("The numbers are 4, 9, 16.", True),
        ("The answer is 16, 9 and 4.", True),
        ("n = 4, 9, 16", True),
        ("You arrive at 4, at 9 and at 16", True),
        ("We end with 4, 9, 16.", True),
        ("Compute gcd(4, 9, 16).", False),
        ("It is true of four, nine and sixteen.", True),
        ("Try n = 4, 9, 16 and look at the rest.", False),
        ("Look at the squares 1, 4, 9, 16.", False),
        ("Squares are 4, 9, 16, ...", False),
        ("Look at 4, 9 first.", False),
    ],
)
def test_a_set_in_any_order(gold: str, text: str, leaks: bool) -> None:
    assert (answer_leak(text, gold, QUESTION) is not None) == leaks


@pytest.mark.parametrize(
    ("text", "leaks"),
    [("The triple is 2, 7, 5.", True), ("It starts 5, 7, 2.", False), ("Test with 2, 7, 5 apples.", False)],
)
def test_a_tuple_in_its_order(text: str, leaks: bool) -> None:
    assert (answer_leak(text, "(2, 7, 5)", "Which triple (2 + a, b, c) fits 7 and 5?") is not None) == leaks


@pytest.mark.parametrize(
    ("text", "leaks"), [("So we get 2, 5, 7.", True), ("Compare 5, 7, 2.", False), ("The numbers 7, 5, 2.", False)]
)
def test_an_order_of_what_the_question_lists(text: str, leaks: bool) -> None:
    assert (answer_leak(text, "2, 5, 7", "Sort the numbers 5, 7, 2.") is not None) == leaks


def test_two_values_that_the_question_names_have_to_be_stated() -> None:
    question = "Solve x^2 = 10x - 24, where 6 is more than 4."
    assert answer_leak("The solutions are 4 and 6.", "4, 6", question)
    assert answer_leak("Use 4 and 6 as it says.", "4, 6", question) is None


def test_a_matrix_is_no_list() -> None:
    gold = r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \\ 5 & 6 \end{pmatrix}"
    assert answer_leak(f"It is {gold}.", gold, "Which matrix is it?")
