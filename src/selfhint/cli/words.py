"""Words of a command: perhaps a name first, then `key=value`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

_OVERRIDE = re.compile(r"[\w.-]+=")


def name_and_values(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The first word is a name unless it reads `key=value` and there is no such file."""
    if words and (not _OVERRIDE.match(words[0]) or os.path.isfile(words[0])):
        return words[0], list(words[1:])
    return None, list(words)
