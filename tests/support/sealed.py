"""A directory that this process may not look into, also when the tests run as root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def sealed_folder(path: Path) -> Iterator[Path]:
    """Inside, nobody may look into the folder; root takes another user's rights meanwhile."""
    path.chmod(0)
    user = os.geteuid()
    try:
        if user == 0:
            try:
                os.seteuid(NOBODY)
            except OSError:
                pytest.skip("root cannot take another user's rights here")
        yield path
    finally:
        if user == 0:
            os.seteuid(0)
        path.chmod(0o700)
