"""What `selfhint.…` among verl's overrides says. Everything else is verl's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from selfhint.config.read import apply_override, override_place, validate
from selfhint.config.settings import MethodSettings, Section, Text
from selfhint.core.errors import InputError

PREFIX = "selfhint."


class VerlColumns(Section):
    """Where a row of verl's data keeps the problem: a column, or else a field of `extra_info`; dots go deeper.

    Args:
        problem: the problem text without instructions; null: the prompt's messages but for a system message.
        solution: the reference solution, worked text.
        answer: the gold answer.
        hints: of hints.source given: `{"level_1": text or [texts], …}`, or a list with one entry a level; null: none.
    """

    problem: Text | None = None
    solution: Text = "solution"
    answer: Text = "reward_model.ground_truth"
    hints: Text | None = None

    @model_validator(mode="after")
    def _solution_is_worked(self) -> Self:
        if self.solution == self.answer:
            raise ValueError(
                f"solution and answer are both {self.answer!r}; hints need the worked solution, not the gold answer"
            )
        return self


class VerlSettings(MethodSettings):
    """How a verl run learns.

    Args:
        columns: where the data keep problem, solution and answer.
        correct: the reward that says whether a completion is correct: `score`, or a key of what the reward function
            returns beside it; null: `acc` where it is returned, else `score`.
        correct_at_least: a completion is correct when that reward is at least this.
        seed: gives each request a seed of its own, so that asynchronous order changes nothing; null: as verl does.
    """

    columns: VerlColumns = VerlColumns()
    correct: Text | None = None
    correct_at_least: float = 1.0
    seed: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _engine_can(self) -> Self:
        if self.hinted_updates != "on-policy":
            raise ValueError(
                f"hinted_updates {self.hinted_updates} is not for verl; remove it, or use the command selfhint train"
            )
        if self.hint_source == "offline":
            raise ValueError(
                "hints.source offline is not for verl; write them first (selfhint hints write) and set "
                "hints.source=given hints.file=FILE"
            )
        self.check_given(self.columns.hints)
        return self


def split_overrides(arguments: Sequence[str]) -> tuple[VerlSettings, list[str]]:
    """Takes `selfhint.key=value` out of a command line.

    Returns:
        Our settings, and the other arguments unchanged and in order.

    Raises:
        InputError: a key is unknown or a value is not allowed.
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    others = []
    for argument in arguments:
        bare = argument.lstrip("+")  # verl's users write + before keys that its configuration lacks
        if bare.startswith("~" + PREFIX):
            raise InputError(f"{override_place(argument)}: nothing to delete; leave the override out")
        if bare.partition("=")[0] == PREFIX.rstrip("."):
            raise InputError(f"{override_place(argument)}: name one key in each, for example selfhint.method=sage")
        if not bare.startswith(PREFIX):
            others.append(argument)
            continue
        where = override_place(bare)
        key = apply_override(values, bare.removeprefix(PREFIX), VerlSettings, where)
        sources[key] = where
    return validate(VerlSettings, values, "selfhint settings", sources), others
