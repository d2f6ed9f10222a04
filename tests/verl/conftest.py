"""Skips without verl; one undisturbed run of each scheduler, which the others are compared with."""

from __future__ import annotations

import importlib.metadata
import importlib.util

import pytest


def has_verl() -> bool:
    # not by importing: this folder, too, can be imported as verl
    try:
        importlib.metadata.version("verl")
    except importlib.metadata.PackageNotFoundError:
        return False
    return importlib.util.find_spec("ray") is not None


if not has_verl():
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def ladder(tmp_path_factory):
    from verl_support import riddle_run

    return riddle_run.run(tmp_path_factory.mktemp("ladder"), "sage")
