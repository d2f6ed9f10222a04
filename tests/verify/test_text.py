from __future__ import annotations

import pytest

from selfhint.verify.text import (
    MAX_ANSWER,
    MAX_DEPTH,
    as_text,
    last_formula,
    normalised,
    readable,
    tagged,
    undelimited,
)


@pytest.mark.parametrize(
    ("gold", "text"), [(None, ""), (42, "42"), (0.5, "0.5"), ("a", "a"), ([1, 2], "[1, 2]"), (True, "True")]
)
def test_gold_of_any_type_is_text(gold: object, text: str) -> None:
    assert as_text(gold) == text


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        (" $5$ ", "5"),
        ("$$ 5 $$", "5"),
        (r"\(x\)", "x"),
        (r"\[x\]", "x"),
        ("5", "5"),
        ("$1$ and $2$", "$1$ and $2$"),
        (r"\$5", r"\$5"),
        (r"$\$5$", r"\$5"),
        (r"$5\$", r"$5\$"),
        ("$", "$"),
        ("$$", ""),
    ],
)
def test_undelimited(text: str, inner: str) -> None:
    assert undelimited(text) == inner


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("15 + 5\n20 + 0\n20\n", "20"),
        ("20 + 0\r\n\r\n20", "20"),
        ("5 + 5 = 10\n10 + 10 = 20", "10 + 10 = 20"),
        ("20 + 1", "20 + 1"),
        ("x^2\n+ 3", "x^2\n+ 3"),
        ("3 x\n= 12", "3 x\n= 12"),
        ("3 /\n4", "3 /\n4"),
        ("It is 20\n+ 1", "It is 20\n+ 1"),
        ("20 + 1\nis 21", "20 + 1\nis 21"),
        ("$x = 4$\n3", "$x = 4$\n3"),
        ("\\frac{1}\n{2}", "\\frac{1}\n{2}"),
        ("0\n.", "0\n."),
        ("", ""),
    ],
)
def test_last_line_of_plain_formulas(text: str, last: str) -> None:
    assert last_formula(text) == last


def test_normalised() -> None:
    assert normalised(" e\u0301 \n\t b ") == "\u00e9 b"


def test_integers_of_any_length_and_lists_without_end() -> None:
    assert as_text(-(10**20_000)) == "-1" + "0" * 20_000
    assert as_text([10**20_000]) == ""
    nested: list[object] = []
    for _ in range(5000):
        nested = [nested]
    assert as_text(nested) == ""


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("5", "5"),
        ("<think>1</think><answer> 5 </answer>", "5"),
        ("<answer>4</answer> no: <answer>5</answer>.", "5"),
        ("<answer> </answer> 5", "<answer> </answer> 5"),
        ("5 </answer>", "5 </answer>"),
        ("<answer>5", "<answer>5"),
    ],
)
def test_answer_tags(text: str, inside: str) -> None:
    assert tagged(text) == inside


def test_readable() -> None:
    assert readable("1" * MAX_ANSWER)
    assert not readable("1" * (MAX_ANSWER + 1))
    assert readable("(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH)
    assert not readable("()" + "{" * (MAX_DEPTH + 1))
