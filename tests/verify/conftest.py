from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from selfhint.verify import MathVerifier

SHARED = Path(__file__).parents[3] / "shared"


@pytest.fixture(scope="session")
def verifier() -> Iterator[MathVerifier]:
    """One worker for all tests that only ask."""
    verifier = MathVerifier()
    yield verifier
    verifier.close()


@pytest.fixture
def rows() -> Callable[[str], list[dict[str, Any]]]:
    """Rows of a file in the local data folder; skips the test where it is absent."""

    def read(name: str) -> list[dict[str, Any]]:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"the local data folder has no {name}")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return read
