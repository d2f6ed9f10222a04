"""Files named .json: an array of objects, `{"data": [objects]}`, or JSON Lines under another name. Read whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats.base import DataFile, OnDamage, passed_over
from selfhint.data.formats.compressed import binary_lines
from selfhint.data.formats.json_lines import UTF8_BOM, decode_json, json_records, names_in, row_of
from selfhint.data.rows import Place, Row

ROWS = "data"
"""The field of an object that holds the rows."""


class JsonDocument:
    """A `Format`."""

    unit = "row"

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """Those of each row."""
        for _, record in _records(file, on_damage):
            yield names_in(record)

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """One at a time, of the whole file in memory."""
        for number, record in _records(file, on_damage):
            yield row_of(record, Place(file.name, self.unit, number), wanted, nested)


def _records(file: DataFile, on_damage: OnDamage | None) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = b"".join(binary_lines(file.path, file.name)).removeprefix(UTF8_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8") from error
    if not text.strip():
        return
    try:
        value = decode_json(text, file.name)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and text.lstrip().startswith("{"):
            for number, (_, record, _) in enumerate(json_records(file.path, file.name, on_damage), start=1):
                yield number, record
            return
        what = "incomplete JSON" if error.pos >= len(text.rstrip()) else f"not valid JSON ({error.msg})"
        raise InputError(
            f"{file.name}, line {error.lineno}: {what}, column {error.colno}; copy or write the file again"
        ) from error
    rows = value.get(ROWS) if isinstance(value, dict) else value
    if isinstance(value, dict) and not isinstance(rows, list):
        rows = [value]  # a file of JSON Lines with one line
    if not isinstance(rows, list):
        raise InputError(f'{file.name}: no rows; write an array of objects, or {{"{ROWS}": [objects]}}')
    for number, record in enumerate(rows, start=1):
        place = Place(file.name, JsonDocument.unit, number)
        with passed_over(place, on_damage):
            if not isinstance(record, dict):
                raise InputError(f"{place}: not a JSON object of named columns; make each row one")
            yield number, record
