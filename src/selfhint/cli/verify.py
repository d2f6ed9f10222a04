"""`selfhint verify`: the verdicts of a file of gold answers and predictions."""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from selfhint.config.yaml_text import read_yaml
from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.data.rows import json_records
from selfhint.verify.kinds.choice import with_options
from selfhint.verify.pooled import PooledVerifier

GOLD, PREDICTION, OPTIONS = "gold", "prediction", "options"
FIELDS = ("correct", "reward", "extracted", "reason", "seconds")
"""What is added to a row."""
OWN_OPTIONS = ("kind", "time_limit", "workers")


def kind_options(words: Sequence[str]) -> dict[str, Any]:
    """`key=value` words as arguments of a kind; values are read as YAML.

    Raises:
        InputError: a word is not of that form, or gives again what has an option of its own.
    """
    options: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"verify {word}: not of the form key=value; write for example tolerance=0.01")
        if key in OWN_OPTIONS:
            raise InputError(f"verify {word}: write --{key.replace('_', '-')} {text}")
        options[key] = read_yaml(text, f"verify {word}")
    return options


def verify_file(path: Path, out: Path, verifier: PooledVerifier) -> Counter[str]:
    """Writes each row of a JSON Lines file with its verdict; the other fields stay as they are, byte for byte.

    The output is there whole or not at all. Memory does not grow with the file.

    Returns:
        How many verdicts had which reason.

    Raises:
        InputError: a file cannot be read or written, or a row is no object with `gold` and `prediction`.
        RunError: the verifier cannot judge.
    """
    reasons: Counter[str] = Counter()
    rows: deque[bytes] = deque()
    if out.resolve() == path.resolve():
        raise InputError(f"--out {out}: is the input itself; choose another file")
    with _written(out) as file:
        for verdict in verifier.stream(_pairs(path, rows, verifier.name)):
            file.write(_with_verdict(rows.popleft(), verdict))
            reasons[verdict.reason] += 1
    return reasons


def _pairs(path: Path, rows: deque[bytes], kind: str) -> Iterator[tuple[Any, str]]:
    """What to judge, in file order; the rows themselves are left in `rows`. Choices may have a field `options`."""
    try:
        for number, record, content in json_records(path):
            gold, prediction = _pair(record, f"{path}, line {number}")
            rows.append(content)
            yield with_options(gold, record.get(OPTIONS)) if kind == "choice" else gold, prediction
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check its name and rights") from error


def _pair(record: dict[str, Any], where: str) -> tuple[Any, str]:
    for name in (GOLD, PREDICTION):
        if name not in record:
            raise InputError(f"{where}: no field {name!r}; each row needs {GOLD} and {PREDICTION}")
    prediction = "" if record[PREDICTION] is None else record[PREDICTION]
    if not isinstance(prediction, str):
        raise InputError(f"{where}: {PREDICTION} is {_KINDS[type(prediction)]}; write it as text")
    taken = [name for name in FIELDS if name in record]
    if taken:
        raise InputError(f"{where}: has a field {taken[0]!r}, which the verdict needs; rename it")
    return record[GOLD], prediction


_KINDS = {bool: "true or false", list: "a list", dict: "an object"}


def _with_verdict(row: bytes, verdict: Verdict) -> bytes:
    """The row's own text, with the verdict's fields before its closing brace: `gold` and `prediction` are there."""
    fields = {name: getattr(verdict, name) for name in FIELDS}
    fields["seconds"] = round(verdict.seconds, 4)
    return row[:-1].rstrip() + b", " + json.dumps(fields).encode()[1:] + b"\n"


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        try:
            if path.is_dir():
                raise InputError(f"--out {path}: is a folder; name a file in it")
            with partial.open("wb") as file:
                yield file
            os.replace(partial, path)
        except OSError as error:
            raise InputError(
                f"--out {path}: cannot be written ({error.strerror or error}); choose another file"
            ) from error
    finally:
        with suppress(OSError):
            partial.unlink()
