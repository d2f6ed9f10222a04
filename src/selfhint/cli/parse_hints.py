"""`selfhint hints parse`: raw answers to requests for hints become hints, or the reasons why there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selfhint.cli.json_rows import KINDS, check_free, records, with_fields, written
from selfhint.core.errors import InputError
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt
from selfhint.hints import FORMATS, Refused, refusal
from selfhint.hints.parse import parse_levels
from selfhint.hints.reasons import LEAKS

RAW, LEVEL, REFUSED, FLAGGED = "raw", "level", "refused", "flagged"
PROBLEM, SOLUTION, ANSWER = "problem", "solution", "answer"
TEXT_LEVEL = 1
"""Level of a plain-text answer whose row has no field `level`."""


@dataclass(slots=True)
class ParseCounts:
    """What became of a file: rows, hints, refusals by reason, and hints kept although flagged.

    Args:
        unchecked: rows whose hints could not be checked, for want of a problem or an answer.
    """

    rows: int = 0
    unchecked: int = 0
    hints: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)


def parse_file(path: Path, out: Path, *, format: str, num_levels: int, count_leaks: bool = False) -> ParseCounts:
    """Writes each row of a JSON Lines file with `level_1` …, null where there is none, and `refused`: level → reason.

    The other fields stay as they are, byte for byte. The output is there whole or not at all, and memory does not grow
    with the file. A row with `problem` and `answer` (and `solution`, if it has one) also passes the guard. A plain-text
    answer is one hint; its level is the row's field `level`.

    Args:
        count_leaks: hints with leaks are kept; a further field `flagged` (level → reason) names them.

    Raises:
        InputError: a file cannot be read or written, or a row cannot be used.
    """
    if format not in FORMATS:
        raise InputError(f"--format {format}: no such format; use one of {', '.join(FORMATS)}")
    counts = ParseCounts()
    with written(out, path) as file:
        for where, record, row in records(path):
            problem = _problem(record, where)
            fields = _hints(record, problem, where, format, num_levels, count_leaks)
            file.write(with_fields(row, fields))
            counts.rows += 1
            counts.unchecked += problem is None
            counts.hints += sum(isinstance(value, str) for value in fields.values())
            counts.refused.update(fields[REFUSED].values())
            counts.flagged.update(fields.get(FLAGGED, {}).values())
        if not counts.rows:
            raise InputError(f"{path}: no rows; check that the file was written or copied completely")
    return counts


def _hints(
    record: Mapping[str, Any], problem: Problem | None, where: str, format: str, num_levels: int, count_leaks: bool
) -> dict[str, Any]:
    if RAW not in record:
        raise InputError(f"{where}: no field {RAW!r}; each row needs the answer that a model gave")
    names = {level: f"{LEVEL}_{level}" for level in range(1, num_levels + 1)}
    check_free(record, (*names.values(), REFUSED, *([FLAGGED] if count_leaks else [])), where, "hints need")
    raw = _text(record, RAW, where) or ""
    parsed: Mapping[int, str | Refused]
    if format == "json":
        parsed = parse_levels(raw, tuple(names))
    else:
        level = _level(record, names, where)
        parsed = FORMATS[format]().parse(raw, problem or _NO_PROBLEM, level)
    hints: dict[str, Any] = {}
    refused: dict[str, str] = {}
    flagged: dict[str, str] = {}
    for level, text in parsed.items():
        reason = text.reason if isinstance(text, Refused) else _refusal(problem, text, format, level)
        is_counted = count_leaks and reason in LEAKS
        hints[names[level]] = text if reason is None or is_counted else None
        if reason is not None:
            (flagged if is_counted else refused)[names[level]] = reason
    return {**hints, REFUSED: refused, **({FLAGGED: flagged} if count_leaks else {})}


_NO_PROBLEM = Problem(question="", solution=None, answer="", prompt="")


def _refusal(problem: Problem | None, text: str, format: str, level: int) -> str | None:
    if problem is None:
        return None if text.strip() else "empty"
    # The JSON request is the same for every level, also for those of a longer answer.
    request: Prompt | None = FORMATS[format]().request(problem, min(level, NUM_LEVELS))
    return refusal(problem, text, request)


def _problem(record: Mapping[str, Any], where: str) -> Problem | None:
    question, solution, answer = (_text(record, name, where) for name in (PROBLEM, SOLUTION, ANSWER))
    if question is None or answer is None or not answer.strip():
        return None
    return Problem(question, solution, answer, prompt=question)


def _text(record: Mapping[str, Any], name: str, where: str) -> str | None:
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f"{where}: {name} is {KINDS[type(value)]}; write it as text")
    return value


def _level(record: Mapping[str, Any], names: Mapping[int, str], where: str) -> int:
    text = record.get(LEVEL, str(TEXT_LEVEL))
    level = next((level for level in names if str(level) == text), None)
    if level is None:
        raise InputError(f"{where}: level is {text!r}; write a number from 1 to {len(names)}")
    return level
