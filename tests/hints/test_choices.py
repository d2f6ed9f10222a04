from __future__ import annotations

import pytest

from selfhint.hints.choices import Choice, choice_of, names_letter, names_place, options_of, rules_out_others

QUESTION = "A bag is full. Which is a prime? (A) 21 (B) 29 (C) 35"


def test_options_and_stem() -> None:
    assert options_of(QUESTION) == ({"A": "21", "B": "29", "C": "35"}, "A bag is full. Which is a prime? ")
    assert options_of("Which?\nA. Mars\nB) Venus\nC: Saturn")[0] == {"A": "Mars", "B": "Venus", "C": "Saturn"}
    assert options_of("Plan A. is good.")[0] == {"A": "is good"}
    assert options_of("none") == ({}, "none")


@pytest.mark.parametrize("answer", ["B", "(B)", "B.", r"\text{(B)}", r"$\textbf{B}$", "b", "option B", "29"])
def test_choice_by_letter_or_text(answer: str) -> None:
    assert choice_of(answer, QUESTION) == Choice("B", "29", ("21", "35"), "A bag is full. Which is a prime? ")


@pytest.mark.parametrize(("answer", "question"), [("B", "Which?"), ("D", QUESTION), ("7", QUESTION), ("", QUESTION)])
def test_no_choice(answer: str, question: str) -> None:
    assert choice_of(answer, question) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The answer is B", True),
        ("(B)", True),
        ("Option B: it is prime", True),
        ("so B.", True),
        ("B is correct", True),
        ("B) 29", True),
        ("A) 21\nB) 29", False),
        ("answer A or B", False),
        ("option B or C", False),
        ("B has two digits", False),
        ("the answer Bob gave", False),
        ("", False),
    ],
)
def test_names_letter(text: str, named: bool) -> None:
    assert names_letter(text, "B") == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Choose the second option.", True),
        ("option number 2 is correct", True),
        ("The second answer works", True),
        ("second choice", True),
        ("Look at the second option", False),
        ("Choose the third option.", False),
        ("Pick the last one", False),
    ],
)
def test_names_place(text: str, named: bool) -> None:
    assert names_place(text, Choice("B", "29", ("21", "35"), "Which is a prime?")) == named


def test_last_place() -> None:
    assert names_place("Pick the last one", Choice("C", "29", ("21", "35"), "Which is a prime?"))


FIVE = "Which gas? (A) oxygen (B) nitrogen (C) helium (D) argon"
THREE = "Which gas? (A) oxygen (B) nitrogen (C) helium"


@pytest.mark.parametrize(
    ("text", "answer", "question", "told"),
    [
        ("(A), (B) and (D) are too heavy.", "C", FIVE, True),
        ("A claims too much, B and D too little.", "C", FIVE, True),
        ("Oxygen, nitrogen and argon are heavier.", "C", FIVE, True),
        ("(A), (B), (C) and (D) differ.", "C", FIVE, False),
        ("(A) and (B) are too heavy.", "C", FIVE, False),
        ("(A) and (B) are gases.", "C", THREE, False),
        ("It is not (A) and not (B).", "C", THREE, True),
        ("Neither oxygen nor nitrogen.", "C", THREE, True),
        ("It isn't (A).", "B", "Which? (A) red (B) green", False),
        (
            "Draw A, B and D.",
            "C",
            "In the square ABCD with corner A, which? (A) red (B) blue (C) green (D) pink",
            False,
        ),
    ],
)
def test_all_others_ruled_out(text: str, answer: str, question: str, told: bool) -> None:
    choice = choice_of(answer, question)
    assert choice
    assert rules_out_others(text, choice) == told
