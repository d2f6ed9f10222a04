"""Hint levels: 0 is no hint, larger reveals more of the reference solution."""

from __future__ import annotations

NO_HINT = 0
NUM_LEVELS = 3
"""L, the strongest level."""

TEXT_STRENGTH: dict[int, float] = {1: 0.3, 2: 0.6, 3: 1.0}
"""How strong a hint the one-request-per-level wording asks for."""

PREFIX_SHARE: dict[int, float] = {1: 0.25, 2: 0.5, 3: 0.75}
"""Share of the reference solution that a prefix hint shows."""
