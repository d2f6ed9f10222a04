"""What reaches the terminal: our own lines, from the first process only, and the libraries' warnings."""

from __future__ import annotations

import logging
import os
import re
from typing import Any

from rich.console import Console


def is_main_process() -> bool:
    """The first of the processes that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Controls but for tab and line end, and halves of surrogate pairs: names in data may hold them, and a terminal would
obey the former and cannot write the latter."""


def visible(text: str) -> str:
    """A text without power over the terminal: what cannot be seen is spelled out."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class PlainConsole(Console):
    """A terminal that what is printed has no power over."""

    def print(self, *objects: Any, **options: Any) -> None:
        """As rich's, but texts are made visible."""
        super().print(*(visible(each) if isinstance(each, str) else each for each in objects), **options)


def plain_console() -> Console:
    """Writes text as it stands: brackets and colons in a path are no markup, and long lines are not broken."""
    return PlainConsole(quiet=not is_main_process(), markup=False, emoji=False, highlight=False, soft_wrap=True)


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
