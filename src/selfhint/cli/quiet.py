"""Keeps the libraries' own progress bars and advice off the terminal; their warnings stay."""

from __future__ import annotations

import os


def is_main_process() -> bool:
    """The first of the processes that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


def calm_libraries() -> None:
    """Settings that must stand before the libraries are imported."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "warning")
    from transformers.utils import logging

    logging.disable_progress_bar()
