"""What reaches the terminal: our own lines, from the first process only, and the libraries' warnings."""

from __future__ import annotations

import os

from rich.console import Console


def is_main_process() -> bool:
    """The first of the processes that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


def plain_console() -> Console:
    """Writes text as it stands: brackets and colons in a path are no markup, and long lines are not broken."""
    return Console(quiet=not is_main_process(), markup=False, emoji=False, highlight=False, soft_wrap=True)


def calm_libraries() -> None:
    """Keeps progress bars and advice of the libraries away; their warnings and download bars stay."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "warning")
    from transformers.utils import logging

    logging.disable_progress_bar()
