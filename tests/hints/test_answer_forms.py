from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms


@pytest.mark.parametrize(
    ("answer", "numbers", "fractions"),
    [
        ("72", {"72"}, set()),
        ("72.50", {"72.5"}, {("145", "2")}),
        ("$1,520", {"1520"}, set()),
        ("5 cents", {"5"}, set()),
        ("12cm", {"12"}, set()),
        ("45km/h", {"45"}, set()),
        ("45°C", {"45"}, set()),
        ("¥1200", {"1200"}, set()),
        ("12€", {"12"}, set()),
        ("2mg", set(), set()),
        ("12m", set(), set()),
        ("+5", {"5"}, set()),
        ("2 million", {"2000000"}, set()),
        ("3:45 PM", set(), set()),
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


def test_a_number_word_is_a_number() -> None:
    assert answer_forms("seven").numbers == {"7"}
    assert answer_forms("seventh").is_word
    assert answer_forms("ln x").expression
    assert not answer_forms("ln x").is_word
