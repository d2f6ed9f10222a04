"""From settings to the pieces of a method, the same for every engine."""

from __future__ import annotations

from selfhint.config import MethodSettings
from selfhint.core.ports import HintSource, Scheduler
from selfhint.hints import FORMATS, HINT_SOURCES, HintFormat, NoHintSource, SelfHints
from selfhint.schedulers import SCHEDULERS


def make_scheduler(settings: MethodSettings) -> Scheduler:
    """The scheduler in use."""
    return SCHEDULERS[settings.scheduler_name](**settings.scheduler_arguments)


def make_hints(settings: MethodSettings, format: HintFormat | None = None) -> HintSource:
    """The hint source in use.

    Args:
        format: how a model is asked for hints; None: as the settings say.
    """
    if settings.hint_source == "none":
        return NoHintSource()
    if settings.hint_source != "self":
        return HINT_SOURCES[settings.hint_source]()
    return SelfHints(format or FORMATS[settings.hints.format](), settings.hints.tries)
