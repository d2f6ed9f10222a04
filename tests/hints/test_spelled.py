from __future__ import annotations

import pytest

from selfhint.hints.spelled import spells


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It is M-A-P-L-E.", True),
        ("So far: M A P _ E", True),
        ("M A _ _ E", False),
        ("M A P L", False),
        ("a b c d e", False),
        ("A-M-A-P-L-E", False),
    ],
)
def test_spelled(text: str, told: bool) -> None:
    assert spells(text, "MAPLE") == told


def test_short_words_are_not_looked_at() -> None:
    assert not spells("a b c d e", "abc")
