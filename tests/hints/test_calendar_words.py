from __future__ import annotations

from selfhint.hints.calendar_words import names_short


def test_short_names() -> None:
    assert names_short("Count on: Sat, Sun, Mon, Tue.", "Tuesday", "Which day is it?")
    assert not names_short("Start on Tue, then go on", "Tuesday", "Which day is it?")
    assert not names_short("It is Mon.", "Tuesday", "Which day is it?")
    assert not names_short("It is Tue.", "Tuesday", "Is it Tuesday?")
    assert not names_short("It is a rhombus.", "rhombus", "What is it?")
