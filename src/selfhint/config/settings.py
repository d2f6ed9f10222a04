"""What every engine's settings share: which method, which scheduler, which hints."""

from __future__ import annotations

import difflib
import os
import re
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from selfhint.config.methods import METHODS, SCHEDULER_KEYS
from selfhint.core.ledger import KEPT_FLAGS
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.ports import HintedUpdates

Count = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(min_length=1)]


def _expand_path(text: str) -> str:
    """Replaces a leading ~ and environment variables; relative paths stay relative to the working directory."""
    if "\0" in text:
        raise ValueError(f"{text!r} holds a NUL, which no path can; remove it")
    expanded = os.path.expandvars(os.path.expanduser(text))
    unset = re.search(r"\$(\w+|\{\w+\})", expanded)
    if unset:
        raise ValueError(f"the environment variable {unset.group()} is not set")
    return expanded


PathText = Annotated[str, Field(min_length=1), AfterValidator(_expand_path)]


class Section(BaseModel):
    """A group of keys. Values keep the type that YAML gave them: no "8" for 8, no true for 1."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class HintSettings(Section):
    """How hints are made.

    Args:
        source: self (the policy writes them), offline (the policy as it is before training), teacher (another model),
            given (they come with the data), prefix (a part of the solution), none; null: by method.
        format: one JSON answer with all levels (the paper's), or one plain text per level (suits small models).
        tries: requests in all before a level counts as without hint.
        leaks: what becomes of a hint in which the guard finds the answer or the solution's end: refuse it, or count it
            and use it. Other faults (empty, an echo, over budget, …) are always refused.
        refresh_steps, refresh_epochs: self and teacher: use a written hint again until it is so many steps or passes
            over the data old; null: ask at every visit.
        file: given: JSONL file with the hints of each problem.
        per_level: offline: hints written for each level, used in turn.
        max_tokens: budget of one answer to a hint request.
        block: what is appended to the problem, with `{hint}` for the hint's text; null: the built-in wording.
    """

    source: Literal["self", "offline", "teacher", "given", "prefix", "none"] | None = None
    format: Literal["json", "text"] = "json"
    tries: Count = 3
    leaks: Literal["refuse", "count"] = "refuse"
    refresh_steps: Count | None = None
    refresh_epochs: Count | None = None
    file: PathText | None = None
    per_level: Count = 1
    max_tokens: Count = 1024
    block: str | None = None

    @field_validator("block")
    @classmethod
    def _block_has_a_place(cls, block: str | None) -> str | None:
        if block is not None and "{hint}" not in block:
            raise ValueError("the block needs {hint} where the hint's text goes")
        return block


class TeacherSettings(Section):
    """The model that hints.source teacher asks: any server that speaks OpenAI's chat completions.

    Args:
        model: its name there.
        base_url: the server's address, with /v1 where it has one; null: OpenAI's.
        api_key_env: NAME of the environment variable that holds the key; null: the server wants none.
        concurrency: requests under way at once.
        timeout: seconds for one request.
        retries: how often a request is sent again after a fault that may pass.
        max_requests, max_tokens_total: no more is asked once so much was spent; what `cache` held before counts, too.
            null: no limit.
        temperature: null: the server's own.
        cache: JSONL file of its answers; null: teacher_cache.jsonl in the run directory.
    """

    model: Text | None = None
    base_url: Text | None = None
    api_key_env: Text | None = None
    concurrency: Count = 8
    timeout: Annotated[float, Field(gt=0)] = 120.0
    retries: Annotated[int, Field(ge=0, le=20)] = 4
    max_requests: Count | None = None
    max_tokens_total: Count | None = None
    temperature: Annotated[float, Field(ge=0)] | None = 1.0
    cache: PathText | None = None

    @field_validator("base_url")
    @classmethod
    def _address_holds_no_secret(cls, url: str | None) -> str | None:
        if url is None:
            return None
        try:
            parts = urlsplit(url)
            _ = parts.port  # raises where it is no number
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or not url.isprintable():
            raise ValueError("it should be an address like http://localhost:8000/v1")
        if parts.username is not None or parts.query:
            raise ValueError("no key belongs into the address; name its environment variable in teacher.api_key_env")
        return url

    @field_validator("api_key_env")
    @classmethod
    def _key_is_only_named(cls, name: str | None) -> str | None:
        if name is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise ValueError("it should be the name of an environment variable, never the key itself")
        return name

    @property
    def is_openai(self) -> bool:
        """Whether the server is OpenAI's own service."""
        return self.base_url is None or f".{urlsplit(self.base_url).hostname}".endswith(".api.openai.com")


class SchedulerSettings(Section):
    """Which level a visit draws.

    Args:
        name: null: by method.
        level: of the scheduler fixed.
        rule: of the scheduler epoch.
        groups, share: of the scheduler window: hints are on while more than this share of the last groups failed.
        discount: of the scheduler gate: what a step's groups weigh against those of the step after it.
    """

    name: Literal["none", "ladder", "epoch", "fixed", "window", "gate"] | None = None
    level: Annotated[int, Field(ge=1, le=NUM_LEVELS)] | None = None
    rule: Literal["thresholds", "paper"] | None = None
    groups: Annotated[int, Field(ge=1, le=KEPT_FLAGS)] | None = None
    share: Annotated[float, Field(ge=0, lt=1)] | None = None
    discount: Annotated[float, Field(gt=0, lt=1)] | None = None


class HintWeightSettings(Section):
    """Hinted groups weigh less in the update as the policy solves problems without hints (HATCH, arXiv 2609.34975).

    Args:
        kappa: the weight is kappa x p^gamma, at most 1, p the share of hopeless groups without hints among those that
            are not solved throughout.
        decay: what a step leaves of the moving averages behind p.
        gamma: how sharply the weight falls with p.
    """

    kappa: Annotated[float, Field(gt=0)]
    decay: Annotated[float, Field(ge=0, lt=1)]
    gamma: Annotated[float, Field(gt=0)] = 5.0


class MethodSettings(Section):
    """How a run learns.

    Args:
        method: one of METHODS.
        hints, scheduler: their groups; they override the method's pieces.
        hinted_updates: how groups drawn with a hint enter the update: on-policy conditions on the hint; off-policy (an
            ablation) leaves it out; corrected leaves it out but for the policy they were drawn from.
        teacher: the model behind hints.source teacher.
        hint_weight: null: hinted groups weigh as much as others.
    """

    method: str = "sage"
    hints: HintSettings = HintSettings()
    scheduler: SchedulerSettings = SchedulerSettings()
    hinted_updates: HintedUpdates = "on-policy"
    teacher: TeacherSettings = TeacherSettings()
    hint_weight: HintWeightSettings | None = None

    @property
    def scheduler_name(self) -> str:
        """The scheduler in use."""
        return self.scheduler.name or METHODS[self.method].scheduler

    @property
    def scheduler_arguments(self) -> dict[str, Any]:
        """Keyword arguments of the scheduler in use: the method's, under the recipe's own."""
        method = METHODS[self.method]
        arguments = dict(method.arguments) if method.scheduler == self.scheduler_name else {}
        return arguments | self.scheduler.model_dump(exclude={"name"}, exclude_none=True)

    @property
    def hint_source(self) -> str:
        """The hint source in use; none where the scheduler never asks for a hint."""
        if self.scheduler_name == "none":
            return "none"
        return self.hints.source or METHODS[self.method].hints

    @property
    def notice(self) -> str | None:
        """One line where the settings name hints and the method draws none, as when plain GRPO runs the same recipe."""
        asked = {
            "hints.source": self.hints.source not in (None, "none"),
            "hints.file": self.hints.file is not None,
            "teacher.model": self.teacher.model is not None,
        }
        keys = [key for key, is_set in asked.items() if is_set]
        if self.hint_source != "none" or not keys:
            return None
        scheduler = f"method={self.method}" if self.scheduler.name is None else "scheduler.name=none"
        return f"{scheduler} draws no hints, so {', '.join(keys)} and all keys of hints change nothing in this run"

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
        if self.hinted_updates != "on-policy" and self.hint_source == "none":
            raise ValueError(f"no group is hinted, so none is {self.hinted_updates}; remove hinted_updates")
        self._check_hints()
        return self

    def _check_hints(self) -> None:
        """What is set for hints belongs to the source in use."""
        hints, source = self.hints, self.hint_source
        if hints.refresh_steps is not None and hints.refresh_epochs is not None:
            raise ValueError("hints.refresh_steps and hints.refresh_epochs are both set; keep one of them")
        owners = {
            "refresh_steps": ("self", "teacher"),
            "refresh_epochs": ("self", "teacher"),
            "file": ("given",),
            "per_level": ("offline",),
        }
        for key, sources in owners.items():
            if key in hints.model_fields_set and getattr(hints, key) is not None and source not in (*sources, "none"):
                if key == "per_level" and hints.per_level == 1:
                    continue
                raise ValueError(f"hints.{key} is for hints.source {' or '.join(sources)}, not for {source}")
        if self.teacher.model is not None and source not in ("teacher", "none"):
            raise ValueError(
                f"teacher.model is for hints.source teacher, not for {source}; set hints.source=teacher, or remove it"
            )
        if source == "teacher" and self.teacher.model is None:
            raise ValueError(
                "hints.source teacher needs a model; set teacher.model, and teacher.base_url to its server"
            )
        if source == "teacher" and self.teacher.is_openai and self.teacher.api_key_env is None:
            raise ValueError(
                "OpenAI's service wants a key; set teacher.api_key_env to the environment variable that holds it, or "
                "teacher.base_url to another server"
            )

    def check_given(self, column: str | None, from_the_task: bool = False) -> None:
        """Given hints come from one place, and a column is named for them only.

        Args:
            column: the data's column with hints; None: not named.
            from_the_task: the data are a task's that brings its own.

        Raises:
            ValueError: no place or two, or a column that the hint source does not read.
        """
        source = self.hint_source
        if source == "given" and [column, self.hints.file].count(None) != 1 and not (from_the_task and column is None):
            raise ValueError("hints.source given needs one of columns.hints and hints.file; set one of the two")
        if column is not None and source not in ("given", "none"):
            raise ValueError(
                f"columns.hints is for hints.source given, not for {source}; set hints.source=given, or remove it"
            )
