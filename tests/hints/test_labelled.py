from __future__ import annotations

import pytest

from selfhint.hints.labelled import labelled
from selfhint.hints.reasons import Refused


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("Level 1: a\nLevel 2: b", {1: "a", 2: "b"}),
        ("Level 1: a\n\nb\nLevel 2: c", {1: "a", 2: "c"}),
        ("> **Hint 2 (the way):** b", {2: "b"}),
        ("# Level 1\n$x$", {1: "$x$"}),
        ("Level 1 — a\nLevel 2) b\nLevel 3. c", {1: "a", 2: "b", 3: "c"}),
        ("_Level 1_: a\n__Hint 2:__ b\n[Level 3]: c", {1: "a", 2: "b", 3: "c"}),
        ("level_1: a\nlevel_2: $b_1$", {1: "a", 2: "$b_1$"}),
        ("Level 1: a! Level 2: b", {1: "a!", 2: "b"}),
        ("Level 1: a on level 2: b", {1: "a on level 2: b"}),
        ("Level 1-2: a", {}),
        ("Level 1.5 is a", {}),
        ("Level 1 is a", {}),
        ("Level 1:\nLevel 2:", {}),
        ("Level 1: a\nLevel 1:", {1: "a"}),
        ('Level 1: "a b"\nLevel 2: "c', {1: "a b", 2: Refused("unparsable")}),
        ("{ level_1: a", {}),
        ("", {}),
    ],
)
def test_labelled(text: str, levels: dict[int, str | Refused]) -> None:
    assert labelled(text) == levels
