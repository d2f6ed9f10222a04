from __future__ import annotations

import pytest

from selfhint.hints.numbering import without_numbering


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("1. Isolate y. 2. Substitute it.", "Isolate y. Substitute it."),
        ("Steps: (1) isolate y, (2) substitute, and (3) solve", "Steps: isolate y, substitute, and solve"),
        ("1) isolate y; 2) substitute", "isolate y; substitute"),
        ("1. Isolate y.\n2. Solve.", "Isolate y.\nSolve."),
        ("1. Add. 2. Halve. The answer is 2. Check it.", "Add. Halve. The answer is 2. Check it."),
    ],
)
def test_marks_go(text: str, rest: str) -> None:
    assert without_numbering(text) == rest


@pytest.mark.parametrize(
    "text",
    [
        "1. Isolate y.",
        "2. Substitute it. 3. Solve.",
        "1. Solve: 2. Check it.",
        "1. You get y = 2. Check it.",
        "Answer: 2. Check: 1. plug it in",
        "1. Isolate y. (2) Solve.",
        "The roots are 1, 2. Check: 1. and 2.",
        "1. Add; it is 3, 2. Then stop.",
        "1. 72 2. 48",
        "",
    ],
)
def test_what_is_no_list_stays(text: str) -> None:
    assert without_numbering(text) == text
