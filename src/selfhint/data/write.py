"""Problems as the files that TRL and verl train on. Read back by `load_problems`, they have the same keys."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from selfhint.core.errors import InputError
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt

P = TypeVar("P")
BATCH = 1000
"""Problems in memory at once."""


def write_trl(problems: Iterable[Problem], path: str | Path) -> None:
    """Writes a Parquet file for TRL: `prompt`, `problem`, `solution` (worked text), `answer`, `hints` and our `key`.

    TRL's own `accuracy_reward` looks for the gold in `solution`; train with `SelfHintTrainer` and a reward that takes
    `answer`.

    Args:
        problems: with chat prompts, or all with plain text.
        path: ends in `.parquet`; replaced if it is there.

    Raises:
        InputError: the file cannot be written, there is no problem, or prompts are of different kinds.
    """

    def row(problem: Problem) -> dict[str, Any]:
        return {
            "key": problem.key,
            "prompt": _asked(problem, path),
            "problem": problem.question,
            "solution": problem.solution,
            "answer": problem.answer,
            "hints": _hints(problem),
        }

    _write(problems, Path(path), row)


def write_verl(problems: Iterable[Problem], path: str | Path, *, data_source: str) -> None:
    """Writes a Parquet file for verl: its five columns, and in `extra_info` our `key`, `problem`, `solution`, `hints`.

    With `selfhint.columns.problem=problem` a verl run has the same keys; without, it takes the prompt for the problem.

    Args:
        problems: with chat prompts.
        path: ends in `.parquet`; replaced if it is there.
        data_source: by this word verl chooses one of its own reward functions.

    Raises:
        InputError: the file cannot be written, there is no problem, or a prompt is plain text.
    """
    write_labelled(((problem, {}) for problem in problems), path, data_source=data_source)


def write_labelled(
    problems: Iterable[tuple[Problem, Mapping[str, str]]], path: str | Path, *, data_source: str
) -> None:
    """Writes what `write_verl` does, with each problem's own `data_source` and `ability` where it has them."""
    numbers = iter(range(2**63))

    def row(labelled: tuple[Problem, Mapping[str, str]]) -> dict[str, Any]:
        problem, labels = labelled
        if isinstance(problem.prompt, str):
            raise InputError(f"{path}: verl takes chat prompts only; give problem {problem.key} one")
        return {
            "data_source": labels.get("data_source", data_source),
            "prompt": _asked(problem, path),
            "ability": labels.get("ability", "reasoning"),
            "reward_model": {"style": "rule", "ground_truth": problem.answer},
            "extra_info": {
                "index": next(numbers),
                "key": problem.key,
                "problem": problem.question,
                "solution": problem.solution,
                "hints": _hints(problem),
            },
        }

    _write(problems, Path(path), row)


MESSAGE = ("role", "content")
"""The fields of a message."""


def _asked(problem: Problem, path: str | Path) -> Prompt:
    """The prompt as a column holds it."""
    if isinstance(problem.prompt, str):
        return problem.prompt
    messages = [dict(message) for message in problem.prompt]
    strange = sorted({name for message in messages for name in message} - set(MESSAGE))
    if strange:
        raise InputError(f"{path}: a message of problem {problem.key} has a field {strange[0]!r}; remove it")
    return messages


def _hints(problem: Problem) -> list[list[str]] | None:
    """The texts of each level from 1 on."""
    return [list(problem.hints.get(level, ())) for level in range(1, NUM_LEVELS + 1)] if problem.hints else None


def _schema(row: dict[str, Any]) -> Any:
    """Of a row like this one: all is text but for verl's index, whatever is null in it."""
    import pyarrow as pa

    def kind(name: str, value: Any) -> Any:
        if name == "hints":
            return pa.list_(pa.list_(pa.string()))
        if isinstance(value, dict):
            return pa.struct([(inside, kind(inside, part)) for inside, part in value.items()])
        if isinstance(value, list):
            return pa.list_(pa.struct([(part, pa.string()) for part in MESSAGE]))
        return pa.int64() if isinstance(value, int) else pa.string()

    return pa.schema([(name, kind(name, value)) for name, value in row.items()])


def _write(problems: Iterable[P], path: Path, row: Callable[[P], dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.suffix != ".parquet":
        raise InputError(f"{path}: is written as Parquet; let its name end in .parquet")
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    rows = map(row, problems)
    try:
        first = next(rows, None)
        if first is None:
            raise InputError(f"{path}: no problems to write")
        schema = _schema(first)
        with pq.ParquetWriter(partial, schema) as writer:
            batch = [first]
            while batch:
                _check_kind(batch, first, path)
                writer.write_table(pa.Table.from_pylist(batch, schema))
                batch = list(islice(rows, BATCH))
        os.replace(partial, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}); choose another place") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _check_kind(batch: list[dict[str, Any]], first: dict[str, Any], path: Path) -> None:
    if any(isinstance(row["prompt"], str) != isinstance(first["prompt"], str) for row in batch):
        raise InputError(f"{path}: some prompts are plain text and others chat messages; give all problems one kind")
