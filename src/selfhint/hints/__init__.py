"""Where hints come from, how the policy is asked for them, and which are refused.

Add a source: copy `prefix.py` and add a line to `HINT_SOURCES`. Add a way to ask: satisfy `HintFormat` and hand it to
`SelfHints`, or add a line to `FORMATS`. `REASONS` lists why a hint can be refused.
"""

from __future__ import annotations

from collections.abc import Callable

from selfhint.core.ports import HintSource
from selfhint.hints.formats import HintFormat, JsonFormat, TextFormat
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.none import NoHintSource
from selfhint.hints.prefix import PrefixHints
from selfhint.hints.prompts import HINT_BLOCK, SOLVER_TEMPLATE, insert_hint, solver_prompt
from selfhint.hints.reasons import REASONS, Refused
from selfhint.hints.self_hint import SelfHints

HINT_SOURCES: dict[str, Callable[..., HintSource]] = {
    "self": SelfHints,
    "prefix": PrefixHints,
    "none": NoHintSource,
}
"""Recipe name → class."""

FORMATS: dict[str, Callable[[], HintFormat]] = {
    "text": TextFormat,
    "json": JsonFormat,
}
"""Recipe name → class, for the sources that ask a model."""

__all__ = [
    "FORMATS",
    "HINT_BLOCK",
    "HINT_SOURCES",
    "REASONS",
    "SOLVER_TEMPLATE",
    "Guard",
    "HintFormat",
    "JsonFormat",
    "NoHintSource",
    "PrefixHints",
    "Refused",
    "SelfHints",
    "TextFormat",
    "insert_hint",
    "refusal",
    "solver_prompt",
]
