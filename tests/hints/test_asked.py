from __future__ import annotations

from selfhint.hints.asked import asked, content


def test_the_asking_sentence() -> None:
    assert asked("He has 5 pens. How many pens are left? He wonders.") == "How many pens are left?"
    assert asked("Find x.") == "Find x."


def test_words_of_some_meaning() -> None:
    assert content("How many of the 12 pens has the Teacher?") == {"12", "pen", "teache"}
