"""Rows of a data file as text, whatever the format. Add a format: write a reader and add a line to `READERS`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError

NOT_TEXT = "is not text"
BROKEN_TEXT = "holds half of a surrogate pair"
UTF8_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Unusable:
    """A value that is there but cannot be used, with the reason as the end of a sentence."""

    reason: str


Value = str | None | Unusable
"""Text; None where the column is absent or null; Unusable for lists, objects and broken text."""


@dataclass(frozen=True, slots=True)
class Row:
    """One record.

    Args:
        number: the line (JSONL) or row (Parquet) in the file, counted from 1.
        values: the wanted columns as text.
        nested: the wanted nested columns as Python objects; None where one is absent or null.
    """

    number: int
    values: dict[str, Value]
    nested: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """A data file's content.

    Args:
        unit: what `Row.number` counts: line or row.
        columns: every column found, in the order met.
        rows: in file order.
    """

    unit: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def read_table(path: Path, wanted: Collection[str], nested: Collection[str] = ()) -> Table:
    """Reads the wanted columns of a data file. A wanted column that the file lacks is None in every row.

    Numbers become their literal text (JSON: exactly as written), true and false the words, NaN a missing value.

    Args:
        wanted: columns that hold text.
        nested: columns that hold lists or objects.

    Raises:
        InputError: the file is missing, unreadable, of another format, or damaged.
    """
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder; name one {_known_suffixes()} file in it")
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file; set data to a {_known_suffixes()} file")
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        found = f"suffix {path.suffix}" if path.suffix else "name without a suffix"
        raise InputError(f"{path}: {found} is not supported; convert the data to {_known_suffixes()}")
    try:
        return reader(path, wanted, nested)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); check the file and its rights"
        ) from error


def _known_suffixes() -> str:
    return " or ".join(READERS)


# JSON Lines


def _constant(name: str) -> str | None:
    """NaN is how data frames write a missing value; the infinities stay as written."""
    return None if name == "NaN" else name


_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_constant)


def _read_jsonl(path: Path, wanted: Collection[str], nested: Collection[str]) -> Table:
    columns: dict[str, None] = {}
    rows: list[Row] = []
    for number, record, _ in json_records(path):
        columns |= dict.fromkeys(record)
        as_text = {name: _json_value(record.get(name)) for name in wanted}
        rows.append(Row(number, as_text, {name: record.get(name) for name in nested}))
    return Table("line", tuple(columns), tuple(rows))


def json_records(path: Path) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """Objects with their line numbers and the JSON they were read from, one at a time; numbers are literal text.

    Lines end at LF only: U+2028, U+0085 and other separators belong to the text of a record.

    Raises:
        InputError: a line is no JSON object.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            content = line.removeprefix(UTF8_BOM).strip()
            if not content:
                continue
            where = f"{path}, line {number}"
            try:
                record = _JSON.decode(content.decode("utf-8"))
            except UnicodeDecodeError as error:
                raise InputError(f"{where}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8") from error
            except json.JSONDecodeError as error:
                if not line.endswith(b"\n"):
                    raise InputError(f"{where}: incomplete JSON, the file ends here; copy or write it again") from error
                raise InputError(
                    f"{where}: not valid JSON ({error.msg}, column {error.colno}); each line must hold one object"
                ) from error
            except RecursionError as error:
                raise InputError(f"{where}: JSON nested too deeply; each line must hold one flat object") from error
            if not isinstance(record, dict):
                raise InputError(f"{where}: not a JSON object; each line must hold one object of named columns")
            yield number, record, content


def _json_value(value: Any) -> Value:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return Unusable(NOT_TEXT)
    return value if _is_well_formed(value) else Unusable(BROKEN_TEXT)


def _is_well_formed(text: str) -> bool:
    """False for a lone surrogate, which JSON can spell and no tokenizer or log can write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# Parquet


def _read_parquet(path: Path, wanted: Collection[str], nested: Collection[str]) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows: list[Row] = []
    try:
        # The file's own schema, not the one data-frame and data-set libraries hide in its metadata.
        with pq.ParquetFile(path) as file:
            columns = tuple(file.schema_arrow.names)
            twice = sorted(name for name in (*wanted, *nested) if columns.count(name) > 1)
            if twice:
                raise InputError(f"{path}: column {twice[0]} is there twice; rename or drop one")
            no_text = {name for name in wanted if name in columns and _is_nested(file.schema_arrow.field(name).type)}
            readable = [name for name in wanted if name in columns and name not in no_text]
            absent: dict[str, Value] = {name: Unusable(NOT_TEXT) if name in no_text else None for name in wanted}
            whole = [name for name in nested if name in columns]
            for group in range(file.num_row_groups):
                part = file.read_row_group(group, columns=[*readable, *whole])
                texts = {name: _parquet_texts(part.column(name)) for name in readable}
                objects = {name: part.column(name).to_pylist() for name in whole}
                for i in range(part.num_rows):
                    as_text = absent | {name: texts[name][i] for name in readable}
                    rows.append(Row(len(rows) + 1, as_text, {name: objects[name][i] for name in whole}))
    except (pa.ArrowException, UnicodeDecodeError) as error:
        message = " ".join(str(error).split())
        raise InputError(f"{path}: not readable as Parquet ({message}); write or download it again") from error
    return Table("row", columns, tuple(rows))


def _is_nested(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_nested(kind))


def _parquet_texts(column: Any) -> list[str | None]:
    """A flat column as text; whole numbers in a floating column (integers with nulls) lose their point."""
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        missing = [value is None or math.isnan(value) for value in column.to_pylist()]
        texts = column.cast(pa.string()).to_pylist()
        return [None if gone else text for gone, text in zip(missing, texts, strict=True)]
    texts = column.cast(pa.string()).to_pylist()
    return list(texts)


Reader = Callable[[Path, Collection[str], Collection[str]], Table]

READERS: dict[str, Reader] = {".jsonl": _read_jsonl, ".parquet": _read_parquet}
"""File suffix in lower case → reader."""
