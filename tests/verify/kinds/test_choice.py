from __future__ import annotations

import pytest

from selfhint.core.group import Verdict
from selfhint.verify.kinds.choice import LETTERS, ChoiceKind, with_options

COLOURS = ["red", "green", "a blue one"]


def verdict(gold: object, prediction: str) -> Verdict:
    given = ChoiceKind().quick(gold, prediction)
    assert isinstance(given, Verdict)
    return given


@pytest.mark.parametrize(
    ("gold", "prediction", "picked"),
    [
        ("C", r"\boxed{C}", "C"),
        ("C", r"\boxed{\text{(C)}}", "C"),
        ("C", r"$\boxed{\textbf{(C) } 42}$", "C"),
        ("C", "c", "C"),
        ("J", "**Answer: J**", "J"),
        ("(D) Anna", "D", "D"),
        ("D", "The answer is for sure D, it can't be A or B", "D"),
        ("D", "The answer: D, since A and B make no sense", "D"),
        ("B", "It's not A because of this, so I think it's B", "B"),
        ("B", "B. Not A", "B"),
        ("B", "B。不是 A", "B"),
        ("A", "A student would pick B. The answer is A.", "A"),
        ("B", "I think that it is B", "B"),
        ("B", "Option (B)", "B"),
    ],
)
def test_letters(gold: str, prediction: str, picked: str) -> None:
    given = verdict(gold, prediction)
    assert (given.reason, given.extracted) == ("match", picked)


@pytest.mark.parametrize(
    ("gold", "prediction", "reason"),
    [
        ("C", r"\boxed{B}", "mismatch"),
        ("C", r"\boxed{A, C}", "mismatch"),
        ("C", r"\boxed{C} and \boxed{D}", "mismatch"),
        ("C", "I do not know", "no answer found"),
        ("C", "", "no answer found"),
        ("C", "A student sees a car", "no answer found"),
        ("", "C", "gold unreadable"),
        (None, "C", "gold unreadable"),
        ("Paris", "london", "mismatch"),
        ("Paris", r"\boxed{\text{paris}}", "match"),
        ({"answer": "Z", "options": COLOURS}, "A", "gold unreadable"),
        ({"answer": 7, "options": COLOURS}, "A", "gold unreadable"),
        ({"answer": 2, "options": ["2", "3", "6", "12"]}, "C", "match"),
        ({"answer": 2, "options": ["2", "3", "6", "12"]}, "A", "mismatch"),
        ({"answer": 2, "options": [2, 3, 6, 12]}, "A", "match"),
        ({"answer": "A", "options": []}, "A", "gold unreadable"),
        ({"answer": "A", "options": ["x"] * 11}, "A", "gold unreadable"),
        ('{"answer": "A', "A", "gold unreadable"),
    ],
)
def test_other_verdicts(gold: object, prediction: str, reason: str) -> None:
    assert verdict(gold, prediction).reason == reason


@pytest.mark.parametrize(
    "gold",
    [
        {"answer": "B", "options": COLOURS},
        {"answer": "green", "options": COLOURS},
        {"answer": 1, "options": COLOURS},
        {"answer": "B", "options": {"A": "red", "B": "green"}},
        with_options("B", COLOURS),
    ],
)
def test_options(gold: object) -> None:
    for right in (r"\boxed{B}", r"\boxed{Green}", "The answer is (B).", "So it is\ngreen", r"\boxed{(B) green}"):
        assert verdict(gold, right).correct is True
    for wrong in (r"\boxed{A}", r"\boxed{red}", "The answer is (A).", r"\boxed{blue}"):
        assert verdict(gold, wrong).correct is False


def test_an_option_that_is_a_number_or_a_letter() -> None:
    assert verdict({"answer": 4, "options": [3, 4]}, r"\boxed{4}").correct is True
    assert verdict({"answer": "A", "options": ["C", "A", "B"]}, r"\boxed{A}").correct is True


@pytest.mark.parametrize("letter", LETTERS)
def test_all_letters(letter: str) -> None:
    assert verdict(letter, f"The final answer is {letter}.").correct is True


LISTED = "A. red is wrong.\nB. blue is right.\n\nSo it is B."
BLUE = {"answer": "B", "options": ["red", "blue", "green"]}
RED = {**BLUE, "answer": "A"}


@pytest.mark.parametrize(
    ("prediction", "picked"),
    [
        (LISTED, "B"),
        ("(A) red\n(B) blue\n(C) green\n\n**B**", "B"),
        ("A) red is wrong. B) blue is right. C) no. So B", "B"),
        ("A.\nred\nB.\nblue\n\nB.", "B"),
        ("Option A: no\nOption B: yes\n\nHence option B", "B"),
        ("B\n\nA) is wrong\nC) is wrong", "B"),
        ("B. Not A", "B"),
        ("A: incorrect\nB: correct\nC: incorrect", None),
        ("Let us see.\nA: correct\nB: incorrect\nC: incorrect", None),
        ("The answer is b.", "B"),
        ("answer: b", "B"),
        ("The answer is a.", "A"),
        ("The answer is a", None),
        ("The answer is a fine one", None),
        ("Answer choices: a) red, b) blue", None),
        ("The answer is b. So the correct option is C.", "C"),
    ],
)
def test_a_list_of_options_picks_none_of_them(prediction: str, picked: str | None) -> None:
    for gold in ("A", "B", "C"):
        given = verdict(gold, prediction)
        assert (given.correct, given.extracted) == (gold == picked, picked)


@pytest.mark.parametrize(("prediction", "correct"), [(LISTED, True), ("\\boxed{A. red\nB. blue}", False)])
def test_a_list_of_options_with_their_texts(prediction: str, correct: bool) -> None:
    assert verdict(BLUE, prediction).correct is correct
    assert verdict(RED, prediction).correct is False


@pytest.mark.parametrize(
    "prediction",
    [
        *("The answer is blue.", "Answer: blue", "The answer is **blue**.", "The answer is b.", "answer: b"),
        *("The answer is blue. It is not red.", "A. red is wrong. The answer is blue."),
        "The answer is red. So the correct option is B.",
    ],
)
def test_an_announced_text_or_small_letter(prediction: str) -> None:
    assert verdict(BLUE, prediction).reason == "match"
    assert verdict(RED, prediction).reason == "mismatch"


@pytest.mark.parametrize("prediction", ["The answer is not blue.", "The answer is blue or red.", "The answer is bl"])
def test_no_text_is_announced(prediction: str) -> None:
    assert verdict(BLUE, prediction).reason == verdict(RED, prediction).reason == "no answer found"


def test_an_announced_decimal() -> None:
    assert verdict({"answer": "B", "options": ["3.5", "4.5"]}, "The answer is 4.5.").correct is True
    assert verdict({"answer": "A", "options": ["3.5", "4.5"]}, "The answer is 4.5.").correct is False
