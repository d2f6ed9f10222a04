from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import AnswerForms, answer_forms
from selfhint.hints.occurrences import Span, occurrences
from selfhint.hints.stated import is_asked, is_incidental, is_stated


def first(text: str, answer: str) -> tuple[str, Span, AnswerForms]:
    forms = answer_forms(answer)
    return text, next(iter(occurrences(text, forms))), forms


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The answer is 24.", True),
        ("72 - 48 = 24, as you see. Now write it down with its unit and be done.", True),
        ("You get 24 of them", True),
        ("24 is the answer", True),
        ("24 hats are left", True),
        ("24", True),
        ("Each of the 24 boxes", False),
        ("She gives 24 to him", False),
        ("Multiply 24 by 3", False),
    ],
)
def test_is_stated(text: str, stated: bool) -> None:
    text, span, _ = first(text, "24")
    assert is_stated(text, span) == stated


@pytest.mark.parametrize(
    ("text", "incidental"),
    [("Step 3: add", True), ("3. Add", True), ("in three steps", True), ("times 3", True), ("3 dogs", False)],
)
def test_is_incidental(text: str, incidental: bool) -> None:
    text, span, forms = first(text, "3")
    assert is_incidental(text, span, forms) == incidental


@pytest.mark.parametrize(
    ("text", "incidental"),
    [
        ("a multiple of the order, e.g. 20", True),
        (r"since \varphi(50)=20 we go on", True),
        ("2023 = 20*101 + 3", True),
        ("work modulo 20", True),
        (r"work in \pmod{20} now", True),
        (r"take mod (20)", True),
        ("it is true for |x| < 20", True),
        ("note that 20 > x", True),
        (r"take the limit as x \to 20", True),
        ("20 * b * h", True),
        ("20 base times height", True),
        ("x >= 20", False),
        ("x = 20 > 0", False),
        ("60/3 => 20", False),
        ("<<60/3=20>>20", False),
        ("slightly less than 20", True),
        ("so there are 20", False),
        ("x = 20", False),
    ],
)
def test_a_number_of_something_else_is_incidental(text: str, incidental: bool) -> None:
    text, span, forms = first(text, "20")
    assert is_incidental(text, span, forms) == incidental


def test_is_asked() -> None:
    question = "He has 5 pens. How many pens are left? He wonders."
    for text, wanted in (("5 pens left", True), ("left are 5", True), ("the 5 pens", False)):
        text, span, _ = first(text, "5")
        assert is_asked(text, span, question) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The value of y is 4.", True),
        ("so y must be 4", True),
        ("y has to be 4, as 3*4 = 12", True),
        ("Now y = 4, since 3*4 + 4 = 16.", True),
        ("Try y = 4 first.", False),
        ("Isolate 3y = 4 + 12", False),
        ("Then y = 4 - 2k", False),
        ("Here z = 4.", False),
        ("Subtract 4 on both sides", False),
    ],
)
def test_the_value_of_a_letter_that_is_asked_for(text: str, wanted: bool) -> None:
    text, span, _ = first(text, "4")
    assert is_asked(text, span, "Solve for y: 3y + 4 = 16.") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The larger part is 7.", True),
        ("The larger part would be 7.", True),
        ("The difference is 7.", False),
        ("The larger part is 7 more than the other.", False),
        ("The larger part is 7 metres longer than it.", False),
    ],
)
def test_what_an_order_asks_for(text: str, wanted: bool) -> None:
    text, span, _ = first(text, "7")
    assert is_asked(text, span, "A rope of 7 metres is cut, the difference is 0. Find the larger part.") == wanted


@pytest.mark.parametrize(
    ("text", "valued"),
    [
        ("The limit is one.", True),
        ("It equals one, as you see.", True),
        ("Here is one.", False),
        ("It is one of the roots.", False),
        ("Use one rule.", False),
    ],
)
def test_one_in_words(text: str, valued: bool) -> None:
    text, span, forms = first(text, "1")
    assert is_incidental(text, span, forms) != valued
