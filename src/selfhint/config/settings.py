"""What every engine's settings share: which method, which scheduler, which hints."""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from selfhint.config.methods import METHODS, SCHEDULER_KEYS
from selfhint.core.levels import NUM_LEVELS

Count = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A group of keys. Values keep the type that YAML gave them: no "8" for 8, no true for 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class HintSettings(Section):
    """How hints are made.

    Args:
        source: self (the policy writes them), prefix (a part of the solution), none; null: by method.
        format: one JSON answer with all levels (the paper's), or one plain text per level (suits small models).
        tries: requests in all before a level counts as without hint.
        max_tokens: budget of one answer to a hint request.
        block: what is appended to the problem, with `{hint}` for the hint's text; null: the built-in wording.
    """

    source: Literal["self", "prefix", "none"] | None = None
    format: Literal["json", "text"] = "json"
    tries: Count = 3
    max_tokens: Count = 1024
    block: str | None = None

    @field_validator("block")
    @classmethod
    def _block_has_a_place(cls, block: str | None) -> str | None:
        if block is not None and "{hint}" not in block:
            raise ValueError("the block needs {hint} where the hint's text goes")
        return block


class SchedulerSettings(Section):
    """Which level a visit draws.

    Args:
        name: null: by method.
        level: of the scheduler fixed.
        rule: of the scheduler epoch.
    """

    name: Literal["none", "ladder", "epoch", "fixed"] | None = None
    level: Annotated[int, Field(ge=1, le=NUM_LEVELS)] | None = None
    rule: Literal["thresholds", "paper"] | None = None


class MethodSettings(Section):
    """How a run learns.

    Args:
        method: one of METHODS.
        hints, scheduler: their groups; they override the method's pieces.
    """

    method: str = "sage"
    hints: HintSettings = HintSettings()
    scheduler: SchedulerSettings = SchedulerSettings()

    @property
    def scheduler_name(self) -> str:
        """The scheduler in use."""
        return self.scheduler.name or METHODS[self.method].scheduler

    @property
    def scheduler_arguments(self) -> dict[str, Any]:
        """Keyword arguments of the scheduler in use: the method's, under the recipe's own."""
        method = METHODS[self.method]
        arguments = dict(method.arguments) if method.scheduler == self.scheduler_name else {}
        return arguments | self.scheduler.model_dump(include={"level", "rule"}, exclude_none=True)

    @property
    def hint_source(self) -> str:
        """The hint source in use; none where the scheduler never asks for a hint."""
        if self.scheduler_name == "none":
            return "none"
        return self.hints.source or METHODS[self.method].hints

    @field_validator("method")
    @classmethod
    def _method_is_known(cls, method: str) -> str:
        if method not in METHODS:
            near = difflib.get_close_matches(method, METHODS, n=1)
            mend = f"did you mean {near[0]}?" if near else f"use one of {', '.join(METHODS)}"
            raise ValueError(f"unknown method {method!r}; {mend}")
        return method

    @model_validator(mode="after")
    def _method_fits(self) -> Self:
        scheduler = self.scheduler_name
        for key in self.scheduler_arguments:
            if key not in SCHEDULER_KEYS[scheduler]:
                raise ValueError(f"the scheduler {scheduler} takes no {key}; remove scheduler.{key}")
        if scheduler == "fixed" and self.scheduler.level is None:
            raise ValueError(f"the scheduler fixed needs a level; set scheduler.level between 1 and {NUM_LEVELS}")
        if scheduler != "none" and self.hint_source == "none":
            raise ValueError(
                f"the scheduler {scheduler} needs hints; set hints.source to self or prefix, or method to grpo"
            )
        return self
