from __future__ import annotations

from selfhint.hints.asked import asked, asked_letters, content


def test_the_asking_sentence() -> None:
    assert asked("He has 5 pens. How many pens are left? He wonders.") == "How many pens are left?"
    assert asked("Find x.") == "Find x."
    assert asked("He has 5 pens. Then determine his rest. It is late.") == "Then determine his rest."
    assert asked("Find his pens. How many are left?") == "How many are left?"
    assert asked("He has 5 pens. He finds one.") == "He has 5 pens. He finds one."


def test_letters_asked_for() -> None:
    assert asked_letters("Solve for x: 2x + 3 = 9.") == {"x"}
    assert asked_letters("Find the value of K such that k < 3, and compute m.") == {"K", "m"}
    assert asked_letters("Find f(x) for the largest x.") == frozenset()


def test_words_of_some_meaning() -> None:
    assert content("How many of the 12 pens has the Teacher?") == {"12", "pen", "teache"}
