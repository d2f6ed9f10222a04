from __future__ import annotations

import pytest

from selfhint.data.overlap.near import Compared, is_near

STORY = (
    "Weng is on a trip to the mountains. On Monday Weng walks 12 miles in 4 hours with a heavy bag. "
    "The next day it rains, so that only 5 miles are done before noon. How many miles does Weng walk on both days?"
)
ANSWER = "17"
NEAR = {
    "typing errors": STORY.replace("mountains", "montains").replace("before", "befroe"),
    "another person": STORY.replace("Weng", "Oluchi"),
    "a prefix with a number": f"Here are 3 hints on style. Be brief. {STORY}",
    "sentences in another order": " ".join(f"{sentence.strip('.')}." for sentence in reversed(STORY.split(". "))),
}
OTHERS = {
    "other numbers": STORY.replace("12", "15").replace("5 miles", "6 miles"),
    "one other number": STORY.replace("4 hours", "3 hours"),
    "two numbers change places in one sentence": STORY.replace("12 miles in 4", "4 miles in 12"),
    "two numbers change places between sentences": STORY.replace("12 miles", "5 miles ").replace("only 5", "only 12"),
    "another question": "What is the distance in miles between 12, 5 and 4 on the number line of a small school?",
}


def compared(text, answer=ANSWER):
    return Compared.of(text, answer)


@pytest.mark.parametrize("text", NEAR.values(), ids=NEAR)
def test_the_same_problem_in_other_words(text):
    assert is_near(compared(STORY), compared(text))
    assert is_near(compared(text), compared(STORY))


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_another_problem_of_the_same_template(text):
    assert not is_near(compared(STORY), compared(text))
    assert not is_near(compared(text), compared(STORY))


def test_another_answer_makes_another_problem():
    question = "Determine the number of ways to arrange the letters of the word {} in a row."
    one, other = (compared(question.format(word), answer) for word, answer in (("RADII", "60"), ("ELLIPSE", "1260")))
    assert not is_near(one, other)
    assert is_near(one, compared(question.format("RADII") + " Explain.", "60"))


def test_without_an_answer_more_of_the_text_must_agree():
    wrong = STORY
    for word in ("trip", "mountains", "heavy", "rains", "noon"):
        wrong = wrong.replace(word, word[::-1])
    assert is_near(compared(STORY), compared(wrong))
    assert not is_near(compared(STORY, None), compared(wrong))
    assert not is_near(compared(STORY, "C"), compared(wrong, "C"))
    assert is_near(compared(STORY, None), compared(NEAR["a prefix with a number"]))
    assert not is_near(compared(STORY, "C"), compared(STORY, "D"))


def test_short_texts_count_only_as_a_whole():
    one = compared("Evaluate log 8 of base 2.", "3")
    assert is_near(one, compared("Please think first. Evaluate log 8 of base 2.", "3"))
    assert not is_near(one, compared("Evaluate log 8 with base 2.", "3"))
    assert not is_near(compared("What is 2?", "2"), compared("Please: what is 2?", "2"))


def test_formulas_that_differ_in_one_sign_or_letter():
    formula = "Simplify (p ∧ q) → (r ∨ ¬s) ↔ (t → u) ∧ (v ∨ w) and say for certain whether the result is always true."
    assert is_near(compared(formula, "yes"), compared(formula.replace("for certain ", ""), "yes"))
    assert not is_near(compared(formula, "yes"), compared(formula.replace("q) →", "q) ∨"), "yes"))
    bare = formula.partition(" and say")[0]
    assert not is_near(compared(bare, "yes"), compared(bare.replace("w", "p"), "yes"))
