from __future__ import annotations

import pytest

from selfhint.hints.players import names_player


@pytest.mark.parametrize(
    ("text", "answer", "named"),
    [
        ("Whoever goes second can always win.", "the second player", True),
        ("The second player wins.", "second", True),
        ("Player 2 has a strategy.", "Player 2", True),
        ("Bob has the winning strategy.", "Bob", True),
        ("The first player wins.", "the second player", False),
        ("If the first player takes 1, can the second player win?", "the second player", False),
        ("Look at what the second player does.", "the second player", False),
    ],
)
def test_names_player(text: str, answer: str, named: bool) -> None:
    assert names_player(text, answer, "Who has a winning strategy?") == named


def test_only_where_somebody_wins() -> None:
    assert not names_player("Bob always has more.", "Bob", "Who is older?")
