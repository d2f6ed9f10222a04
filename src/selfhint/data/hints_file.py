"""Hints that lie in a file of their own, joined to problems by key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import KEY_LENGTH, LEVEL_KEYS, GivenTexts, Problem, comparable, given_texts
from selfhint.data.formats.json_lines import json_records
from selfhint.data.rows import fault_in

_KEY = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}")

Identity = str | tuple[str, str]
"""A problem's key, or its text and answer where the file gives these."""


@dataclass(frozen=True, slots=True)
class HintsFile:
    """A file of hints.

    Args:
        path: the file.
        texts: its rows' texts, by the problem they are for.
    """

    path: Path
    texts: Mapping[Identity, GivenTexts]

    def of(self, problem: Problem) -> GivenTexts:
        """The texts for a problem; empty where the file has none."""
        identity = comparable(problem.question), comparable(problem.answer)
        return self.texts.get(problem.key) or self.texts.get(identity) or {}


def read_hints_file(path: str | Path) -> HintsFile:
    """Reads a JSONL file of rows `{"key", "level_1": text or [texts], …}`.

    `key` is the problem's key as the logs show it; `problem` and `answer` may stand in its place. Other fields are not
    looked at.

    Raises:
        InputError: the file cannot be read, a row is of another form, or a problem comes twice.
    """
    path = Path(path)
    texts: dict[Identity, GivenTexts] = {}
    lines: dict[Identity, int] = {}
    try:
        for number, row, _ in json_records(path):
            identity, given = _read_row(f"{path}, line {number}", row)
            if identity in lines:
                raise InputError(
                    f"{path}, line {number}: line {lines[identity]} is for the same problem; put their hints in one row"
                )
            lines[identity], texts[identity] = number, given
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; set hints.file to a JSONL file of hints") from None
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); check the file and its rights"
        ) from error
    return HintsFile(path, MappingProxyType(texts))


def _read_row(where: str, row: Mapping[str, Any]) -> tuple[Identity, GivenTexts]:
    key, question, answer = (row.get(name) for name in ("key", "problem", "answer"))
    identity: Identity
    if isinstance(key, str) and _KEY.fullmatch(key):
        identity = key
    elif key is None and isinstance(question, str) and isinstance(answer, str):
        identity = comparable(question), comparable(answer)
    elif key is None:
        raise InputError(f"{where}: no problem is named; give its key, or its problem and answer as texts")
    else:
        raise InputError(f"{where}: {str(key)[:40]!r} is no key; a key is {KEY_LENGTH} hexadecimal digits")
    if not row.keys() & set(LEVEL_KEYS):
        raise InputError(f"{where}: no hint; give {', '.join(LEVEL_KEYS)}")
    try:
        texts = given_texts(row)
    except ValueError as error:
        raise InputError(f"{where}: the hints are {error}") from None
    fault = fault_in(texts)
    if fault is not None:
        raise InputError(f"{where}: a hint {fault}; write the hint again")
    return identity, texts


def with_hints(problems: Sequence[Problem], file: HintsFile) -> tuple[tuple[Problem, ...], str]:
    """The problems with the file's hints, and one sentence for a terminal about how the two fit.

    Raises:
        InputError: no row is for a problem of the data.
    """
    joined = tuple(replace(problem, hints=file.of(problem)) for problem in problems)
    found = sum(bool(problem.hints) for problem in joined)
    used = len(set(_used(problems, file)))
    if not used:
        raise InputError(
            f"{file.path}: none of its {len(file.texts)} rows is for a problem of the data; was it written for other "
            "data?"
        )
    by_level = [sum(bool(p.hints.get(level)) for p in joined) for level in range(1, NUM_LEVELS + 1)]
    levels = "" if {*by_level} == {found} else f" (by level: {', '.join(map(str, by_level))})"
    sentence = f"{file.path}: hints for {found} of {len(joined)} problems{levels}."
    if used < len(file.texts):
        sentence += f" Rows for no problem of the data: {len(file.texts) - used}."
    return joined, sentence


def _used(problems: Sequence[Problem], file: HintsFile) -> Iterator[Identity]:
    for problem in problems:
        for identity in (problem.key, (comparable(problem.question), comparable(problem.answer))):
            if identity in file.texts:
                yield identity
