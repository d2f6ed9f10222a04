"""`selfhint verify`: the verdicts of a file of gold answers and predictions."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from selfhint.cli.json_rows import KINDS, check_free, records, with_fields, written
from selfhint.config.yaml_text import read_yaml
from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.kinds.choice import with_options
from selfhint.verify.pooled import PooledVerifier

GOLD, PREDICTION, OPTIONS = "gold", "prediction", "options"
FIELDS = ("correct", "reward", "extracted", "reason", "seconds")
"""What is added to a row."""
JSON_GOLDS = ("choice", "reasoning_gym", "function")
"""Kinds whose gold is a value, such as an index or an object; the others' is text, with its numbers as written."""
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
    with written(out, path) as file:
        for verdict in verifier.stream(_pairs(path, rows, verifier.name)):
            file.write(_with_verdict(rows.popleft(), verdict))
            reasons[verdict.reason] += 1
    return reasons


def _pairs(path: Path, rows: deque[bytes], kind: str) -> Iterator[tuple[Any, str]]:
    """What to judge, in file order; the rows themselves are left in `rows`. Choices may have a field `options`."""
    for where, record, row in records(path):
        prediction = _prediction(record, where)
        rows.append(row)
        values = _values(row, kind) if kind in JSON_GOLDS else record
        gold = with_options(values[GOLD], values.get(OPTIONS)) if kind == "choice" else values[GOLD]
        yield gold, prediction


def _values(row: bytes, kind: str) -> dict[str, Any]:
    """The row with its numbers as such; a choice keeps decimals as written: 0.50 is an option's text, and not "0.5"."""
    values: dict[str, Any] = json.loads(
        row.decode("utf-8"),
        parse_int=_integer,
        parse_float=str if kind == "choice" else None,
        parse_constant=_constant,
    )
    return values


def _integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:  # Python reads no more than 4,300 digits
        return text


def _constant(name: str) -> str | None:
    """As `records` has it: NaN is a missing value, and an infinity its name."""
    return None if name == "NaN" else name


def _prediction(record: dict[str, Any], where: str) -> str:
    for name in (GOLD, PREDICTION):
        if name not in record:
            raise InputError(f"{where}: no field {name!r}; each row needs {GOLD} and {PREDICTION}")
    prediction = "" if record[PREDICTION] is None else record[PREDICTION]
    if not isinstance(prediction, str):
        raise InputError(f"{where}: {PREDICTION} is {KINDS[type(prediction)]}; write it as text")
    check_free(record, FIELDS, where, "verdict needs")
    return prediction


def _with_verdict(row: bytes, verdict: Verdict) -> bytes:
    fields = {name: getattr(verdict, name) for name in FIELDS}
    fields["seconds"] = round(verdict.seconds, 4)
    return with_fields(row, fields)
