"""The recipe: one frozen, typed value that says all a run is. The defaults are the paper's (arXiv 2602.03143)."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from selfhint.config.engine import TRL_DEFAULTS, TRL_INEXACT, TRL_OWNED
from selfhint.config.settings import Count, MethodSettings, PathText, Section, Text

LAB_MODEL = "lab"
LAB_DATA = ("lab:hard", "lab:mixed")
GENERATED_DATA = "reasoning_gym:"
"""What `data` begins with where reasoning-gym makes the problems; its own verifiers judge them."""
VERIFIER_KINDS = ("math", "numeric", "values", "choice", "exact", "reasoning_gym")
"""Kinds of answers that need no more than their name."""


class ColumnSettings(Section):
    """Names of the data's columns; dots go into nested fields.

    Args:
        problem: text, or chat messages that are asked as they are; null: `problem`, or TRL's or verl's name for it.
        solution, answer: texts; null: `solution` and `answer`, or TRL's or verl's names.
        hints: of hints.source given: `{"level_1": text or [texts], …}`, or a list with one entry a level; null: none.
    """

    problem: Text | None = None
    solution: Text | None = None
    answer: Text | None = None
    hints: Text | None = None


class VerifierSettings(Section):
    """How answers are judged.

    Args:
        kind: one of `VERIFIER_KINDS`, or `module:name` for a Python function of your own.
        time_limit: seconds for one answer.
        workers: processes that judge, for each training process.
        tolerance, absolute: numeric: how far an answer may be off, relative and in the gold's unit.
        ordered: values: they must come in the gold's order.
    """

    kind: str = "math"
    time_limit: Annotated[float, Field(gt=0, le=3600)] = 5.0
    workers: Count = 2
    tolerance: Annotated[float, Field(ge=0)] | None = None
    absolute: Annotated[float, Field(ge=0)] | None = None
    ordered: bool | None = None

    @field_validator("kind")
    @classmethod
    def _kind_is_known(cls, kind: str) -> str:
        if kind not in VERIFIER_KINDS and ":" not in kind:
            raise ValueError(f"{kind!r} is no kind; use one of {', '.join(VERIFIER_KINDS)}, or module:name")
        return kind


class LoraSettings(Section):
    """Train low-rank adapters instead of all weights."""

    r: Count = 16
    alpha: Count = 32
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.0
    target_modules: str | tuple[str, ...] = "all-linear"

    @field_validator("target_modules", mode="before")
    @classmethod
    def _modules_have_names(cls, modules: Any) -> Any:
        names = [modules] if isinstance(modules, str) else modules
        if not (isinstance(names, list | tuple) and names and all(isinstance(n, str) and n for n in names)):
            raise ValueError(f"{modules!r} names no modules; write all-linear or a list of module names")
        return modules if isinstance(modules, str) else tuple(modules)


class HeldOutSettings(Section):
    """Problems that are not trained on, and how often success without hints is measured on them.

    Args:
        data: as the recipe's own `data`, with the same columns; null: nothing is measured. The lab has words of
            its own.
        every: steps between measurements; the last step is measured too.
        samples: completions for each problem.
    """

    data: PathText | None = None
    every: Count = 50
    samples: Count = 1


class LabSettings(Section):
    """Sizes of the built-in lab task; read where `data` is one of its sets.

    Args:
        train_size, heldout_size: problems to train on and to measure on.
        heldout_every: steps between measurements without hints.
        seed: which problems.
        num_known, num_unknown: letters the policy knows from its warm-up, and letters it has to learn.
        num_digits: possible digits of a letter.
        hard_length: letters of a word of the hard set.
        max_length: letters of the longest word of the mixed set.
    """

    train_size: Count = 256
    heldout_size: Count = 256
    heldout_every: Count = 10
    seed: Annotated[int, Field(ge=0)] = 0
    num_known: Annotated[int, Field(ge=0)] = 8
    num_unknown: Count = 8
    num_digits: Annotated[int, Field(ge=2)] = 8
    hard_length: Count = 5
    max_length: Count = 6


class Recipe(MethodSettings):
    """A run.

    Args:
        model: local folder, hub id, or `lab`.
        data: a data file, a folder or pattern of such, a hub name, an address, `reasoning_gym:TASK[,option=value…]`,
            `lab:hard` or `lab:mixed`.
        steps: generation steps.
        seed: of problem order, sampling and initial weights.
        out: run directory.
        group_size: G, completions per problem.
        batch_problems: problems per step.
        lr: learning rate.
        max_prompt_tokens: longest prompt, the hint included.
        max_completion_tokens: longest completion.
        prompt: what the solver is asked, with `{problem}` for the problem's text; null: the built-in wording.
        columns, verifier: their groups.
        lora: null trains all weights.
        heldout: what success is measured on during the run.
        save_every: steps between checkpoints.
        lab: the lab task's sizes.
        trl: fields of GRPOConfig, passed on unchanged over TRL_DEFAULTS.
    """

    model: PathText
    data: PathText
    steps: Count = 500
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    out: PathText = "runs/selfhint"
    group_size: int = 8
    batch_problems: Count = 128
    lr: Annotated[float, Field(gt=0)] = 1e-6
    max_prompt_tokens: Count = 2048
    max_completion_tokens: Count = 8192
    prompt: str | None = None
    columns: ColumnSettings = ColumnSettings()
    verifier: VerifierSettings = VerifierSettings()
    lora: LoraSettings | None = None
    heldout: HeldOutSettings = HeldOutSettings()
    save_every: Count = 50
    lab: LabSettings = LabSettings()
    trl: dict[str, Any] = Field(default_factory=dict, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _generated_data_bring_their_verifier(cls, values: Any) -> Any:
        if isinstance(values, dict) and str(values.get("data")).startswith(GENERATED_DATA):
            verifier = values.get("verifier", {})
            if isinstance(verifier, dict):
                return {**values, "verifier": {"kind": "reasoning_gym", **verifier}}
        return values

    @field_validator("data")
    @classmethod
    def _data_of_the_lab_is_known(cls, data: str) -> str:
        if (data == LAB_MODEL or data.startswith("lab:")) and data not in LAB_DATA:
            raise ValueError(f"the lab's sets are {' and '.join(LAB_DATA)}")
        return data

    @field_validator("prompt")
    @classmethod
    def _prompt_has_a_place(cls, prompt: str | None) -> str | None:
        if prompt is not None and "{problem}" not in prompt:
            raise ValueError("the prompt needs {problem} where the problem's text goes")
        return prompt

    @field_validator("group_size")
    @classmethod
    def _group_has_advantages(cls, group_size: int) -> int:
        if group_size < 2:
            raise ValueError(f"a group of {group_size} has no advantages to learn from; use 2 or more")
        return group_size

    @field_validator("trl")
    @classmethod
    def _trl_leaves_ours_alone(cls, trl: dict[str, Any]) -> dict[str, Any]:
        for key in trl:
            if key in TRL_OWNED:
                raise ValueError(f"{key} is decided by {TRL_OWNED[key]}; use that and remove trl.{key}")
            if key in TRL_INEXACT and trl[key]:
                raise ValueError(f"with {key} a stopped run could not go on exactly; remove trl.{key}")
        return TRL_DEFAULTS | trl

    @model_validator(mode="after")
    def _pieces_fit(self) -> Self:
        if self.model == LAB_MODEL and self.data not in LAB_DATA:
            raise ValueError(f"model lab reads the lab's problems only; set data to {' or '.join(LAB_DATA)}")
        if self.data.startswith(GENERATED_DATA) and self.verifier.kind != "reasoning_gym":
            raise ValueError("reasoning-gym's own verifiers judge its tasks; set verifier.kind to reasoning_gym")
        if self.prompt is not None and self.data in LAB_DATA:
            raise ValueError("the lab task has its own prompt; remove prompt")
        if self.heldout.data is not None and self.data in LAB_DATA:
            raise ValueError("the lab task has its own held-out words (lab.heldout_size); remove heldout.data")
        self.check_given(self.columns.hints, from_the_task=self.data in LAB_DATA)
        self._check_batch()
        return self

    def _check_batch(self) -> None:
        """A step's completions must split evenly into micro-batches, and these into updates."""
        for field in ("steps_per_generation", "gradient_accumulation_steps", "num_iterations"):
            value = self.trl.get(field, 1)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"trl.{field}: {value!r} is not allowed; it should be a whole number from 1 on")
        micro_batches = self.trl["steps_per_generation"]
        per_update = self.trl["gradient_accumulation_steps"]
        completions = self.batch_problems * self.group_size
        if completions % micro_batches:
            raise ValueError(
                f"batch_problems x group_size = {completions} completions do not split into "
                f"trl.steps_per_generation = {micro_batches} equal parts; change one of the three"
            )
        if micro_batches % per_update:
            raise ValueError(
                f"trl.steps_per_generation = {micro_batches} is no multiple of trl.gradient_accumulation_steps = "
                f"{per_update}, so an update would mix two steps; change one of them"
            )
