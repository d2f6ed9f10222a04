from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.data.overlap.reading import Reading, answer_form, is_option

SAME = [
    (r"Compute $\dfrac{1}{2} + x^{2}$.", r"compute \( \frac12+x^2 \)"),
    (r"Let $x^4 + jx^2 \le 225$.", r"Let $x^{4}+j x^{2} \leq 225$."),
    ("Solve 3 × 4 − 2 ≤ x²", r"Solve $3 \cdot 4-2 \leq x^{2}$"),
    (r"He has \$1,200 and 20\% more", "He has $1200 and 20 percent more"),
    ("Tom’s twelve 9-kilometer-long walks", "Tom's 12 9 kilometer long walks"),
    (r"$\left(1, 2\right)$ at $90^\circ$", "(1,2) at 90 degrees"),
    ("Problem 12. Find $x$.", "Find $x$."),
    ("[AIME 2024] Find $x$.", "Find $x$."),
    ("It costs $2.50.", "It costs $2.5"),
    ("Let $\\triangle ABC$ have $f'(x_1) = 10^{-3}$", "Let △ABC have f'(x₁) = 10⁻³"),
    (r"Find $\text{the area}$ of $\{1,2\}$", "Find the area of {1, 2}"),
    ("The foci are $(3,7)$, and $(d, 7)$", "The foci are (3,7) and (d,7)"),
    ("Let segments $AB, CD$ meet", "Let segments AB, CD meet"),
    ("Q3: Find x.", "Find x."),
    ("[Problem 5, 3 points] Task 2 Find x.", "Find x."),
    ("(2003 AMC 12A) Find x.", "Find x."),
]
DIFFERENT = [
    (r"What is $88 \div 4 \div 2$?", r"What is $88 \div (4 \div 2)$?"),
    ("Solve x + 3 = 4", "Solve x - 3 = 4"),
    ("Tom has three apples", "Tom has four apples"),
    (r"Find $\sin 2$", r"Find $\cos 2$"),
    ("Is 5! even?", "Is 5 even?"),
    ("这是一个问题", "这是两个问题"),
    ("?!", "?"),
    ("Find the mean of the numbers 1, 23, 4.", "Find the mean of the numbers 12, 3, 4."),
    ("Compute gcd(1,24).", "Compute gcd(12,4)."),
    ("Compute ∑ k for k to 5.", "Compute ∏ k for k to 5."),
    ("Simplify p ∧ ¬q", "Simplify p ∨ q"),
    ("What is 5 # 3?", "What is 5 @ 3?"),
    ("What is 3: 7 as ratio?", "What is 37 as ratio?"),
    ("Sort cat, sup", "Sort cats, up"),
    ("What is 3; 7?", "What is 3, 7?"),
    ("Write x_1 2 now", "Write x_12 now"),
    ("Write twenty-five", "Write 205"),
    ("What is 2²3?", "What is 2^23?"),
    ("What is 5½?", "What is 51/2?"),
    ("Compute $2^{3+1}$", "Compute $2^3+1$"),
    ("Find $f'(2)$", "Find $f(2)$"),
    ("की", "का"),
    ("(1234 + 1) x = 0. Find x.", "(4321 + 7) x = 0. Find x."),
    ("(2000 - 1) plus 5 is what?", "(3000 - 1) plus 5 is what?"),
    ("(2000 apples - 1) Add 5.", "(3000 apples - 1) Add 5."),
    ("What does it print? " + "++>-<." * 10, "What does it print? " + "++.>-<" * 10),
    ("Q0 birds sit", "Q13 birds sit"),
    ("Task 3 workers share", "Task 4 workers share"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spelling_makes_no_other_text(one, other):
    assert Reading.of(one).text == Reading.of(other).text


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_means_something_else_is_another_text(one, other):
    assert Reading.of(one).text != Reading.of(other).text


def test_words_between_two_prices_are_no_formula():
    assert "gets" in Reading.of("He pays $5 and gets $3 back.").words


def test_numbers_are_kept_by_sentence():
    reading = Reading.of("Ann has 3 cats and twice as many dogs. Is that so? Ben has twenty-five.")
    assert reading.numbers == (("3", "twice"), ("20", "5"))


def test_names_are_one_word():
    one, other = (Reading.of(f"Now {name} has 3 cats. {name}'s dog sleeps.") for name in ("Ann", "Priya"))
    assert one.shingles & other.shingles
    assert one.text != other.text


def test_capitals_everywhere_are_no_names():
    german = Reading.of("Wie viele Katzen und Hunde hat der Bauer auf dem Feld und im Haus?")
    assert "katzen" in german.words


@pytest.mark.parametrize(
    ("one", "other"),
    [("18", "$18"), ("18", "18 dollars"), ("0.5", r"\frac{1}{2}"), ("1/2", r"\frac12"), ("1,234", "1234.0")],
)
def test_answers_in_one_form(one, other):
    assert answer_form(one) == answer_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("18", "81"),
        ("(2, 3)", "(3, 2)"),
        (r"2\sqrt{3}", r"3\sqrt{2}"),
        ("-1", "1"),
        ("even", "odd"),
        (r"\pi", r"2\pi"),
    ],
)
def test_other_answers_have_other_forms(one, other):
    assert answer_form(one) != answer_form(other)


def test_words_of_a_long_answer_are_part_of_it():
    one = "In all of the 3 cases that the premises leave open we conclude q and r."
    assert answer_form(one) != answer_form(one.replace("q and r", "q or r"))


def test_options():
    assert all(is_option(answer_form(answer)) for answer in ("B", "(C)", r"\text{(D)}"))
    assert not any(is_option(answer_form(answer)) for answer in ("2", "x", "AB", r"\text{even}"))


@given(st.text())
def test_every_text_can_be_read(text):
    reading = Reading.of(text)
    assert reading == Reading.of(text)
    assert reading.shingles
    answer_form(text)


LONG_RUNS = {
    "formulas": r"\(" * 60_000,
    "displays": r"\[" * 60_000,
    "braces": "{" * 60_000,
    "labels": "(Abc 2004 " * 60_000,
    "blanks in a label": "problem" + " " * 60_000 + "x",
}


@pytest.mark.parametrize("text", LONG_RUNS.values(), ids=LONG_RUNS)
def test_the_work_grows_with_the_length_of_a_text(text):
    """Backtracking over the rest of the text at each opening would take minutes."""
    assert Reading.of(text).shingles
