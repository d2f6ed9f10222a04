"""From settings to the pieces of a method, the same for every engine."""

from __future__ import annotations

from pathlib import Path

from selfhint.config import MethodSettings
from selfhint.core.ports import HintSource, Scheduler
from selfhint.engines.teacher import Teacher
from selfhint.hints import FORMATS, HINT_SOURCES, AskingHints, HintFormat, NoHintSource, Refresh
from selfhint.schedulers import SCHEDULERS, HintWeight

FROM_RUN: dict[str, tuple[str, ...]] = {"window": ("seed", "steps"), "gate": ("seed",)}
"""Scheduler → what it is told of the run beside the recipe's group `scheduler`."""
TEACHER_CACHE = "teacher_cache.jsonl"
"""In the run directory."""


def make_scheduler(settings: MethodSettings, *, seed: int, steps: int) -> Scheduler:
    """The scheduler in use.

    Args:
        seed: the run's, for schedulers that draw at random.
        steps: the run's generation steps, for schedulers whose hints fade over them.
    """
    run = {"seed": seed, "steps": steps}
    name = settings.scheduler_name
    return SCHEDULERS[name](**settings.scheduler_arguments, **{key: run[key] for key in FROM_RUN.get(name, ())})


def make_hint_weight(settings: MethodSettings) -> HintWeight | None:
    """What weighs hinted groups; None where all groups weigh the same."""
    weight = settings.hint_weight
    return None if weight is None else HintWeight(weight.kappa, weight.decay, weight.gamma)


def make_format(settings: MethodSettings) -> HintFormat:
    """How a model is asked for hints."""
    return FORMATS[settings.hints.format]()


def make_hints(settings: MethodSettings, format: HintFormat | None = None) -> HintSource:
    """The hint source in use.

    Args:
        format: how a model is asked for hints; None: as the settings say.
    """
    if settings.hint_source == "none":
        return NoHintSource()
    make = HINT_SOURCES[settings.hint_source]
    hints = settings.hints
    count_leaks = hints.leaks == "count"
    asks = isinstance(make, type) and issubclass(make, AskingHints)
    if not asks:
        return make(count_leaks=count_leaks)
    refresh = None
    if hints.refresh_steps is not None or hints.refresh_epochs is not None:
        refresh = Refresh(hints.refresh_steps, hints.refresh_epochs)
    return make(format or make_format(settings), hints.tries, refresh=refresh, count_leaks=count_leaks)


def make_teacher(settings: MethodSettings, run_dir: Path, num_shares: int = 1) -> Teacher | None:
    """The teacher, where the hint source asks one. Close it when the run is over.

    Args:
        run_dir: where its answers are kept unless the settings say otherwise.
        num_shares: processes that share its limits.

    Raises:
        InputError: its client or its key is missing, or the cache cannot be used.
    """
    if settings.hint_source != "teacher":
        return None
    return Teacher(settings.teacher, settings.hints.max_tokens, run_dir / TEACHER_CACHE, num_shares)
