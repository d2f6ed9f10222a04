from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.occurrences import occurrences
from selfhint.hints.stated_words import is_stated_word


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Max won easily", True),
        ("It is Max.", True),
        ("so Max wins", True),
        ("Only Max is left.", True),
        ("Nobody was faster than Max", True),
        ("Max, since Lea stopped", True),
        ("Max is the winner", True),
        ("Max ran 58 s", False),
        ("It is Max if Lea stopped", False),
        ("Is it Max?", False),
        ("If it is Max, stop.", False),
        ("It is Max or Lea.", False),
    ],
)
def test_is_stated_word(text: str, stated: bool) -> None:
    span = next(iter(occurrences(text, answer_forms("Max"))))
    assert is_stated_word(text, span, "Max and Lea ran. Who won?") == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("the terms add up to an odd number", True),
        ("the sum is odd", True),
        ("1^2+2^2 = 5 is odd", False),
        ("91, which is odd", False),
        ("all three of the factors are odd", False),
        ("x^2 is odd", False),
    ],
)
def test_a_property_of_something_else(text: str, stated: bool) -> None:
    spans = occurrences(text, answer_forms("odd"))
    assert any(is_stated_word(text, span, "Is the sum even or odd?") for span in spans) == stated
