from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms, occurrences


@pytest.mark.parametrize(
    ("answer", "numbers", "fractions"),
    [
        ("72", {"72"}, set()),
        ("72.50", {"72.5"}, {("145", "2")}),
        ("$1,520", {"1520"}, set()),
        ("5 cents", {"5"}, set()),
        (r"12\text{ cm}^2", {"12"}, set()),
        (r"50\%", {"50", "0.5"}, {("1", "2")}),
        ("x = -3", {"-3"}, set()),
        (r"-\frac{2}{4}", {"-0.5"}, {("-2", "4"), ("-1", "2")}),
        ("1/3", {"0.33", "0.333", "0.3333", "0.33333", "0.333333"}, {("1", "3")}),
        ("1/0", set(), {("1", "0")}),
        ("073", {"073", "73"}, set()),
        ("000", {"000"}, set()),
        ("6xy", set(), set()),
        ("9" * 40, {"9" * 40}, set()),
    ],
)
def test_forms(answer: str, numbers: set[str], fractions: set[tuple[str, str]]) -> None:
    forms = answer_forms(answer)
    assert (forms.numbers, forms.fractions) == (numbers, fractions)


@pytest.mark.parametrize("answer", ["", " ", "$$", r"\,"])
def test_a_blank_answer_stands_nowhere(answer: str) -> None:
    assert list(occurrences("any text 0 . $", answer_forms(answer))) == []


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ("5 or 15 or 5.5 or 5.0", "5", ["5", "5.0"]),
        ("20-5, 20 -5, x -5, gives -5, (-5)", "-5", ["-5", "-5"]),
        ("20-5, 20 -5, x -5, gives -5, (-5)", "5", ["5", "5", "5"]),
        ("x_5 x^5 x^{5} 5x 5th 5cm", "5", ["5"]),
        ("6 xy and 6xyz and 16xy and 6xy", "6xy", ["6 xy", "6xy"]),
    ],
)
def test_occurrences(text: str, answer: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span in occurrences(text, answer_forms(answer))] == found
