from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.parts import MAX_PARTS, parts, split, spread


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("1", ["1"]),
        ("1, 2; 3", ["1", "2", "3"]),
        (r"1 \text{ and } 2 or 3", ["1", "2", "3"]),
        ("(1, 2), [3, 4)", ["(1, 2)", "[3, 4)"]),
        ("f(1, 2), {3, 4}", ["f(1, 2)", "{3, 4}"]),
        ("1,234, 5,678", ["1234", "5678"]),
        ("1,3,59,177", ["1", "3", "59", "177"]),
        ("sand", ["sand"]),
        ("", []),
    ],
)
def test_split(text: str, pieces: list[str]) -> None:
    assert split(text) == pieces


@pytest.mark.parametrize(
    ("text", "labelled"),
    [
        ("5", [(None, "5")]),
        ("p=3, q = 4", [("p", "3"), ("q", "4")]),
        ("Minimum: 1, Maximum: 3", [("Minimum", "1"), ("Maximum", "3")]),
        ("T(10)=2", [("T(10)", "2")]),
        (r"\angle APC = 74^\circ", [(r"\angleAPC", r"74^\circ")]),
        ("2 = y", [("y", "2")]),
        ("x = 1, 2, 3", [(None, "1"), (None, "2"), (None, "3")]),
        (r"\{1, 2\}", [(None, "1"), (None, "2")]),
        (r"1 \pm x, 3", [(None, "1 + x"), (None, "1 - x"), (None, "3")]),
        (r"(\pm 1, \mp 2)", [(None, "(+ 1, - 2)"), (None, "(- 1, + 2)")]),
        (r"(\pm 1, \pm 2)", [(None, f"({a} 1, {b} 2)") for a in "+-" for b in "+-"]),
        (r"f(x) = x \text{ for all } x \in \mathbb{R}", [("f(x)", "x")]),
        ("2x + 3y = 5", [(None, "2x + 3y = 5")]),
        ("2:1", [(None, "2:1")]),
    ],
)
def test_parts(text: str, labelled: list[tuple[str | None, str]]) -> None:
    assert [(part.label, part.value) for part in parts(text)] == labelled


def test_spread() -> None:
    assert [(part.label, part.value) for part in spread("(f(n), g(n)) = (n, 1)")] == [("f(n)", "n"), ("g(n)", "1")]
    assert spread("(a, b) = (1, 2, 3)") == spread("a = 1") == spread("(1, 2)") == ()


def test_many_values_are_left_alone() -> None:
    assert len(parts(",".join("1" * MAX_PARTS))) == MAX_PARTS
    assert parts(",".join("1" * (MAX_PARTS + 1))) == ()


@given(st.text(alphabet="ab12 ,;=:()[]{}\\pm\n", max_size=80))
def test_any_text_has_parts(text: str) -> None:
    assert all(part.value for part in parts(text))
    spread(text)
