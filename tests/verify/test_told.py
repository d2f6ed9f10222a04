from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.told import last_announced, told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The answer is 5.", "5"),
        ("The answer is 3.5.", "3.5"),
        ("It is 5 apples.", "5 apples"),
        ("First 2. So we get 3 and 5", "3 and 5"),
        ("**Answer:** blue", "blue"),
        ("The answer to all of it is 2**3.", "2**3"),
        ("The answer is:\n\n(3, 5)", "(3, 5)"),
        ("The points are:\n- 5", "5"),
        ("The answer is 5, because x is 2.", "5, because x is 2"),
        ("The answer is 5. That is it.", None),
        ("The answer is 5.\nI checked", None),
        ("12", None),
        ("", None),
    ],
)
def test_told(text: str, said: str | None) -> None:
    assert told(text) == said


def test_last_announced() -> None:
    line = "So x is 5, therefore 3 and 5"
    match = last_announced(line)
    assert match is not None
    assert line[match.end() :] == "3 and 5"
    assert last_announced("3 and 5") is None


@given(st.text(alphabet="answeri:=.\n -5*"))
def test_any_text_tells_a_stripped_part_of_it(text: str) -> None:
    said = told(f"the answer is {text}")
    assert said is None or said == said.strip() != ""


def test_long_texts_end() -> None:
    for piece in ("answer ", "is ", "answer:\n", "\n", "** ", ". "):
        told(piece * 200_000)
