"""JSON Lines: one object a line. Numbers become their literal text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats.base import DataFile, OnDamage, passed_over
from selfhint.data.formats.compressed import binary_lines
from selfhint.data.rows import BROKEN_TEXT, NOT_TEXT, Place, Row, Unusable, Value, field_at, is_well_formed

UTF8_BOM = b"\xef\xbb\xbf"
DEEPEST = 3
"""Levels of nested fields that have names of their own."""


class JsonLines:
    """A `Format`."""

    unit = "line"

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """Those of each row."""
        for _, record, _ in json_records(file.path, file.name, on_damage):
            yield names_in(record)

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """One at a time."""
        for number, record, _ in json_records(file.path, file.name, on_damage):
            yield row_of(record, Place(file.name, self.unit, number), wanted, nested)


def json_records(
    path: Path, name: str | None = None, on_damage: OnDamage | None = None
) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """Line number, object and the line itself, without its end, of each line that is not blank; compressed or not.

    Numbers in the objects are their literal text; NaN is None.

    Args:
        name: what messages call the file; None: its path.
        on_damage: is told of a line that is no JSON object in UTF-8; None: that is an error.

    Raises:
        InputError: a line is no JSON object in UTF-8, or the compressed file is damaged.
        OSError: the file cannot be read.
    """
    # The bytes split into lines at \n alone: a string may hold other line separators as they are. A byte order mark
    # can stand wherever files were joined.
    name = name or str(path)
    for number, line in enumerate(binary_lines(path, name), start=1):
        content = line.removeprefix(UTF8_BOM).strip()
        if content:
            place = Place(name, JsonLines.unit, number)
            with passed_over(place, on_damage):
                yield number, _record(content, str(place), is_whole=line.endswith(b"\n")), content


def _record(content: bytes, where: str, *, is_whole: bool) -> dict[str, Any]:
    try:
        record = decode_json(content.decode("utf-8"), where)
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        if not is_whole:
            raise InputError(f"{where}: incomplete JSON, the file ends here; copy or write it again") from error
        raise InputError(
            f"{where}: not valid JSON ({error.msg}, column {error.colno}); each line must hold one object"
        ) from error
    if not isinstance(record, dict):
        raise InputError(f"{where}: not a JSON object; each line must hold one object of named columns")
    return record


class _TwiceError(Exception):
    """A field stands twice in one object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return record


def _constant(name: str) -> str | None:
    """NaN is how data frames write a missing value; the infinities stay as written."""
    return None if name == "NaN" else name


_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_constant, object_pairs_hook=_unique)


def decode_json(text: str, where: str) -> Any:
    """A JSON value with its numbers as literal text.

    Raises:
        InputError: an object has a field twice, or the nesting is too deep.
        json.JSONDecodeError: it is no JSON.
    """
    try:
        return _JSON.decode(text)
    except _TwiceError as twice:
        raise InputError(f"{where}: the field {str(twice)!r} is there twice in one object; remove one") from None
    except RecursionError as error:
        raise InputError(f"{where}: JSON nested too deeply; each row must be one flat object") from error


def names_in(record: Mapping[str, Any], depth: int = DEEPEST) -> Iterator[str]:
    """The names of a record's fields, those of its objects with dots."""
    for name, value in record.items():
        yield name
        if isinstance(value, Mapping) and depth > 1:
            yield from (f"{name}.{inside}" for inside in names_in(value, depth - 1))


def row_of(record: Mapping[str, Any], place: Place, wanted: Collection[str], nested: Collection[str]) -> Row:
    """The wanted fields of a record."""
    return Row(
        place,
        {name: _text(field_at(record, name)) for name in wanted},
        {name: field_at(record, name) for name in nested},
    )


def _text(value: Any) -> Value:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return Unusable(NOT_TEXT)
    return value if is_well_formed(value) else Unusable(BROKEN_TEXT)
