"""Two small runs of opposite fate."""

from __future__ import annotations

import pytest

from support.runs import write_run


@pytest.fixture
def starved(tmp_path):
    """Two problems that always fail: 4 steps of 8 tokens."""
    return write_run(tmp_path / "grpo", [{0: ["0000"], 1: ["0000"]}] * 4, held_out={2: 0.0, 4: 0.0})


@pytest.fixture
def fading(tmp_path):
    """Hints of level 2, then of level 1, then none: 4 steps of 24, 16, 8 and 8 tokens."""
    return write_run(
        tmp_path / "sage",
        [
            {0: ["0000", "0000", "0010"], 1: ["0000", "0000", "0110"]},
            {0: ["0000", "0111"], 1: ["0000", "1111"]},
            {0: ["0111"], 1: ["1110"]},
            {0: ["1111"], 1: ["1111"]},
        ],
        held_out={2: 0.5, 3: 0.95, 4: 1.0},
    )
