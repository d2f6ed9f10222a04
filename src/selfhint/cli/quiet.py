"""What reaches the terminal: our own lines, from the first process only, and the libraries' warnings."""

from __future__ import annotations

import logging
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
    from transformers.utils import logging as library_logging

    library_logging.disable_progress_bar()
    for handler in logging.getLogger("transformers").handlers:
        handler.addFilter(_is_news)


NO_NEWS = (
    "Ignoring clean_up_tokenization_spaces=True for BPE tokenizer",  # decoding is right without it
    "missing keys in the checkpoint model loaded: ['lm_head.weight']",  # the last layer shares the embedding's weights
    "arguments do not match the ones in the `trainer_state.json`",  # what a resumed run may change is checked by us
)


def _is_news(record: logging.LogRecord) -> bool:
    message = record.getMessage()
    return not any(part in message for part in NO_NEWS)
