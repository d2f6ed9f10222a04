"""What `prepare` is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.core.prompt import Prompt
from selfhint.data.layouts import Columns

NEVER, ALWAYS = "never", "always"
SOLVED = (NEVER, ALWAYS)
"""What can be dropped by difficulty: problems that all completions, or none, got right."""


@dataclass(frozen=True, slots=True)
class PrepareSettings:
    """Everything that decides the result besides the data.

    Args:
        columns: names of the source's columns.
        against: benchmarks whose problems must not be in the result: whatever `find_source` finds.
        max_prompt_tokens, max_solution_tokens: longest prompt and reference solution; None: no limit.
        near: whether near-duplicates are dropped; equal texts always are.
        difficulty: what `selfhint diagnose --out` wrote; None: no labels.
        drop: members of `SOLVED` whose problems are dropped.
        num: problems kept, drawn with `seed`; None: all.
        validation: share of the problems that go to the validation file, by a hash of their keys.
        format: a key of `WRITERS`.
        described: what the caller's tools are, for the manifest: verifier, model, prompt.

    Raises:
        InputError: a value is out of range, or the drop has nothing to go by.
    """

    columns: Columns = field(default_factory=Columns)
    against: tuple[str, ...] = ()
    max_prompt_tokens: int | None = None
    max_solution_tokens: int | None = None
    near: bool = True
    difficulty: str | None = None
    drop: frozenset[str] = frozenset()
    num: int | None = None
    seed: int = 0
    validation: float = 0.0
    format: str = "jsonl"
    described: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = sorted(self.drop - set(SOLVED))
        if unknown:
            raise InputError(f"--drop {unknown[0]}: no such difficulty; use {' or '.join(SOLVED)}")
        if self.drop and self.difficulty is None:
            raise InputError(
                "--drop: needs to know which problems are solved; add --difficulty FILE, written by selfhint diagnose "
                "--out FILE"
            )
        if not 0 <= self.validation < 1:
            raise InputError(f"--validation {self.validation}: is no share; give a number from 0 to below 1")


@dataclass(frozen=True, slots=True)
class Tools:
    """What `prepare` cannot do itself.

    Args:
        make_prompt: problem text → what the solver is asked.
        judge: (gold, prediction) pairs → verdicts in order, lazily; None: reference solutions are not verified, and
            rows need none.
        prompt_tokens, solution_tokens: lengths in tokens; required with the limits of the same name.
    """

    make_prompt: Callable[[str], Prompt]
    judge: Callable[[Iterable[tuple[object, str]]], Iterator[Verdict]] | None = None
    prompt_tokens: Callable[[Prompt], int] | None = None
    solution_tokens: Callable[[str], int] | None = None
