from __future__ import annotations

import pytest

from selfhint.hints.clock import clock_pattern


@pytest.mark.parametrize(
    ("answer", "text", "found"),
    [
        ("3:45 PM", "at 3:45.", True),
        ("3:45 p.m.", "at 03:45 pm", True),
        ("3:45 PM", "at 15:45", True),
        ("3:45 AM", "at 15:45", False),
        ("3:45 PM", "at 3:45 AM", False),
        ("12:10 am", "at 0:10", True),
        ("3:45 o'clock", "at 3:45 pm", True),
        ("3:45 PM", "at 13:45, 3:455 or 1:3:45", False),
    ],
)
def test_clock(answer: str, text: str, found: bool) -> None:
    pattern = clock_pattern(answer)
    assert pattern
    assert bool(pattern.search(text)) == found


@pytest.mark.parametrize("answer", ["3:45", "3 PM", "3:4 PM", ""])
def test_no_time(answer: str) -> None:
    assert clock_pattern(answer) is None
