"""CSV and TSV with a header, by Python's csv module: every field is text, exactly as written."""

from __future__ import annotations

import csv
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from selfhint.core.errors import InputError
from selfhint.data.formats.base import DataFile, OnDamage, passed_over
from selfhint.data.formats.compressed import binary_lines
from selfhint.data.formats.json_lines import UTF8_BOM
from selfhint.data.rows import Place, Row


@dataclass(frozen=True, slots=True)
class Delimited:
    """A `Format`.

    Args:
        delimiter: between fields.
    """

    delimiter: str
    unit = "line"

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """The header's."""
        for _, header in self._records(file):
            yield header
            return

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """One at a time, numbered by their first line."""
        records = self._records(file)
        _, header = next(records, (0, []))
        twice = sorted({name for name in (*wanted, *nested) if header.count(name) > 1})
        if twice:
            raise InputError(f"{file.name}: column {twice[0]!r} is there twice; rename or drop one")
        place_of = {name: header.index(name) for name in {*wanted, *nested} if name in header}
        for number, fields in records:
            place = Place(file.name, self.unit, number)
            with passed_over(place, on_damage):
                self._check(fields, header, place)
                texts = {name: fields[i] for name, i in place_of.items()}
                yield Row(place, {name: texts.get(name) for name in wanted}, {name: texts.get(name) for name in nested})

    def _check(self, fields: list[str], header: list[str], place: Place) -> None:
        if len(fields) != len(header):
            raise InputError(
                f"{place}: {len(fields)} fields where the header has {len(header)}; quote fields that hold "
                f"{self.delimiter!r}, quotes or line ends"
            )

    def _records(self, file: DataFile) -> Iterator[tuple[int, list[str]]]:
        """The first line's number and the fields of each record that is not blank, the header first."""
        csv.field_size_limit(sys.maxsize)  # of the whole process, and by default 128 KB: solutions may be longer
        reader = csv.reader(_lines(file), delimiter=self.delimiter, strict=True)
        while True:
            number = reader.line_num + 1
            try:
                fields = next(reader, None)
            except csv.Error as error:
                raise InputError(
                    f"{file.name}, line {number}: not readable as CSV ({error}); write it with a CSV library"
                ) from error
            if fields is None:
                return
            if fields:
                yield number, fields


def _lines(file: DataFile) -> Iterator[str]:
    for number, line in enumerate(binary_lines(file.path, file.name), start=1):
        content = line.removeprefix(UTF8_BOM) if number == 1 else line
        try:
            yield content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{file.name}, line {number}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8"
            ) from error
