from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.occurrences import occurrences
from selfhint.hints.orders import candidates, is_singled_out, rules_out_rivals, tells_order
from selfhint.hints.plain import plain

RACE = "Lena, Oskar, Pia, Ravi and Tom ran a race. Who came third?"
FRUIT = "3 peaches cost 5 plums, 4 plums cost 3 figs, 2 kiwis cost 2 figs and 1 plum. Which is the most expensive?"


@pytest.mark.parametrize(
    ("text", "answer", "question"),
    [
        ("That forces Lena – Pia – Ravi – Tom – Oskar.", "Ravi", RACE),
        ("Lena > Pia > Ravi > Tom > Oskar", "Ravi", RACE),
        ("1. Lena\n2. Pia\n3. Ravi\n4. Tom\n5. Oskar", "Ravi", RACE),
        ("The order is Lena, then Pia, then Ravi, then Tom, then Oskar.", "Ravi", RACE),
        ("Ranking from cheap to dear: plum, fig, peach, kiwi.", "kiwi", FRUIT),
    ],
)
def test_orders(text: str, answer: str, question: str) -> None:
    assert tells_order(plain(text), answer, question)


@pytest.mark.parametrize(
    "text",
    [
        "Lena – Ravi – Tom – Oskar is the chain without Pia.",
        "Is it Lena – Pia – Ravi – Tom – Oskar?",
        "If it were Lena – Pia – Ravi – Tom – Oskar, what then",
        "Write down Lena, Oskar, Pia, Ravi and Tom.",
        "First sort Lena, Oskar, Pia, Ravi and Tom.",
        "Ann – Bob – Ravi",
    ],
)
def test_no_orders(text: str) -> None:
    assert not tells_order(plain(text), "Ravi", RACE)


def test_candidates() -> None:
    assert candidates("Ravi", RACE) == {"lena", "oskar", "pia", "ravi", "tom"}
    assert candidates("river", "Which of 'level', 'river', 'rotor' is none?") == {"level", "river", "rotor"}
    assert candidates("kiwi", "Which fruit?") == {"kiwi"}


def test_rivals_ruled_out() -> None:
    question = "Which switch (left, middle, right) is it?"
    assert rules_out_rivals("Not the middle one, nor the right one.", "left", question)
    assert not rules_out_rivals("Not the middle one.", "left", question)
    assert not rules_out_rivals("Not the middle one, not the right one, so left.", "left", question)
    assert not rules_out_rivals("Why not the middle one, why not the right one?", "left", question)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("There are fewest blue ones.", True),
        ("Blue is just a sixth.", True),
        ("Is blue the least frequent?", False),
        ("If blue is the least frequent", False),
        ("Blue is less than the red share, the least.", False),
        ("The smallest share is never blue", False),
        ("Find the blue share.", False),
    ],
)
def test_singled_out(text: str, told: bool) -> None:
    question = "There are red, green and blue balls. Which colour is the least frequent?"
    (span,) = occurrences(text, answer_forms("blue"))
    assert is_singled_out(text, span, "blue", question) == told
