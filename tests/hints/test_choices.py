from __future__ import annotations

import pytest

from selfhint.hints.choices import (
    Choice,
    choice_of,
    names_letter,
    names_lone_letter,
    names_place,
    options_of,
    rules_out_others,
    with_capital_labels,
    with_options,
)

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
        ("Compute P(B) first", False),
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


SET = {"A": "21", "B": "29", "C": "35"}


@pytest.mark.parametrize(
    "options",
    [
        r"$\textbf{(A)}\ 21 \qquad\textbf{(B)}\ 29 \qquad\textbf{(C)}\ 35$",
        r"$\textbf{(A) } 21 \quad \textbf{(B) } 29 \quad \textbf{(C) } 35$",
        r"$\text{(A) }21$ $\text{(B) }29$ $\text{(C) }35$",
        r"$\mathrm{(A)}\ 21\qquad\mathrm{(B)}\ 29\qquad\mathrm{(C)}\ 35$",
        r"(\mathrm{A}) 21 (\mathrm{B}) 29 (\mathrm{C}) 35",
        r"\textbf{A.} 21 \textbf{B.} 29 \textbf{C.} 35",
        "a) 21 b) 29 c) 35",
        "(a) 21, (b) 29, (c) 35",
    ],
)
def test_labels_in_latex_and_in_small_letters(options: str) -> None:
    question = f"Which is a prime? {options}"
    assert options_of(question)[0] == SET
    for answer in ("B", "b", r"\textbf{(B)}", r"\textbf{(B)}\ 29", "(B) 29", "B. 29", r"$\text{(B) }29$", "29"):
        choice = choice_of(answer, question)
        assert choice
        assert choice[:3] == ("B", "29", ("21", "35"))
    assert choice_of("B. 30", question) is None


@pytest.mark.parametrize(
    "question",
    [
        r"Find $P(\mathrm{A})$ and $P(\mathrm{B})$.",
        r"The sets \text{A} and \text{B} meet.",
        "Find f(a) and f(b).",
        "It holds (b) and then (a).",
    ],
)
def test_names_that_are_no_labels(question: str) -> None:
    assert len(options_of(question)[0]) < 2


@pytest.mark.parametrize(
    ("text", "capital"),
    [
        ("the answer is c.", "the answer is C."),
        ("take (c) here", "take (C) here"),
        ("Choose c", "Choose C"),
        ("the answer is a prime", "the answer is a prime"),
        ("f(c) and side c.", "f(c) and side c."),
    ],
)
def test_small_letters_of_options(text: str, capital: str) -> None:
    assert with_capital_labels(text) == capital


def test_an_answer_with_letter_and_text_without_options() -> None:
    assert choice_of(r"\textbf{(B)}\ 29", "Which?") == Choice("B", "29", (), "Which?")
    assert choice_of("(B)", "Which?") is None
    assert choice_of("(3, 5)", "Which?") is None


def test_options_from_elsewhere() -> None:
    assert options_of(with_options("Which city?", ["Rome", "Oslo"])) == ({"A": "Rome", "B": "Oslo"}, "Which city?\n")
    assert with_options(QUESTION, ["Rome", "Oslo"]) == QUESTION
    assert with_options("Which?", ["Rome"]) == "Which?"


@pytest.mark.parametrize(
    ("text", "letter", "named"),
    [
        ("The midpoint is E.", "E", True),
        ("After D comes E.", "E", True),
        ("Thus it is E, as you see.", "E", True),
        ("We end with E.", "E", True),
        ("The angle at E, seen from D, is right.", "E", False),
        ("Write M = E + F.", "E", False),
        ("Choose E", "E", True),
        ("Let E be the midpoint.", "E", False),
        ("A good way is to draw it.", "A", False),
        ("Take a look. A circle helps.", "A", False),
        ("I suggest to count.", "I", False),
        ("The ninth letter is I.", "I", True),
    ],
)
def test_a_letter_without_options(text: str, letter: str, named: bool) -> None:
    assert names_lone_letter(text, letter) == named
