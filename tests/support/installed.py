"""What an environment may lack."""

from __future__ import annotations

import importlib.metadata

import pytest


def has_verl() -> bool:
    # Not by looking for a module of that name: the folder tests/verl can be imported as one.
    try:
        importlib.metadata.version("verl")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


needs_verl = pytest.mark.skipif(not has_verl(), reason="verl is not installed; make test-verl makes its environment")
