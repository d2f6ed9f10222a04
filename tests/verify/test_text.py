from __future__ import annotations

import pytest

from selfhint.verify.text import as_text, normalised, undelimited


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


def test_normalised() -> None:
    assert normalised(" e\u0301 \n\t b ") == "\u00e9 b"
