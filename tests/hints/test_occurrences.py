from __future__ import annotations

import pytest

from selfhint.hints.answer_forms import answer_forms
from selfhint.hints.occurrences import occurrences


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
        ("it is minus 5, or negative 5", "-5", ["minus 5", "negative 5"]),
        ("x minus 5, 10 minus 5, the width minus 5, - 5", "-5", ["- 5"]),
        ("x minus 5, 10 minus 5, the width minus 5, - 5", "5", ["5", "5", "5"]),
        ("e^(2x) or e^2x or e^(2)x or e^2", "e^{2x}", ["e^(2x)", "e^2x"]),
        ("2 thousand, -2 thousand, 2k, 2000, 2 thousandths", "2000", ["2000", "2 thousand", "2k"]),
        ("6 xy and 6xyz and 16xy and 6xy", "6xy", ["6 xy", "6xy"]),
    ],
)
def test_occurrences(text: str, answer: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span in occurrences(text, answer_forms(answer))] == found
