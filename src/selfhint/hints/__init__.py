"""Where hints come from, how the policy is asked for them, and which are refused.

Add a source: copy `prefix.py`, or `self_hint.py` for one that asks a model, and add a line to `HINT_SOURCES`. Add a way
to ask: satisfy `HintFormat` and hand it to `SelfHints`, or add a line to `FORMATS`. `REASONS` and `SOURCE_REASONS` list
why a hint can be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from selfhint.core.ports import HintSource
from selfhint.hints.asking import AskingHints, Refresh
from selfhint.hints.formats import HintFormat, JsonFormat, TextFormat
from selfhint.hints.given import GivenHints
from selfhint.hints.leak import Guard, refusal
from selfhint.hints.none import NoHintSource
from selfhint.hints.prefix import PrefixHints
from selfhint.hints.prompts import HINT_BLOCK, SOLVER_TEMPLATE, insert_hint, solver_prompt
from selfhint.hints.reasons import REASONS, Refused
from selfhint.hints.self_hint import SelfHints
from selfhint.hints.source_reasons import SOURCE_REASONS
from selfhint.hints.teacher import TeacherHints

HINT_SOURCES: dict[str, Callable[..., HintSource]] = {
    "self": SelfHints,
    "teacher": TeacherHints,
    "given": GivenHints,
    "offline": partial(GivenHints, name="offline"),
    "prefix": PrefixHints,
    "none": NoHintSource,
}
"""Recipe name → how to make it."""

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
    "SOURCE_REASONS",
    "AskingHints",
    "GivenHints",
    "Guard",
    "HintFormat",
    "JsonFormat",
    "NoHintSource",
    "PrefixHints",
    "Refresh",
    "Refused",
    "SelfHints",
    "TeacherHints",
    "TextFormat",
    "insert_hint",
    "refusal",
    "solver_prompt",
]
