"""Parquet and Arrow files, a batch of rows at a time. Only the columns that are asked for are read."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from selfhint.core.errors import InputError
from selfhint.data.formats.base import DataFile, OnDamage
from selfhint.data.rows import NOT_TEXT, Place, Row, Unusable, Value

BATCH = 256
"""Rows in memory at once."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file.

    Args:
        schema: Arrow's.
        batches: columns → record batches that have at least these.
    """

    schema: Any
    batches: Callable[[list[str]], Iterator[Any]]


class Columnar:
    """What both formats share."""

    unit = "row"
    kind: str

    def opened(self, file: DataFile) -> AbstractContextManager[Opened]:
        """The open file."""
        raise NotImplementedError

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """The schema's."""
        with self._damage_named(file), self.opened(file) as opened:
            yield tuple(_schema_names(opened.schema))

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """A batch in memory at a time."""
        number = 0
        with self._damage_named(file), self.opened(file) as opened:
            schema = opened.schema
            twice = sorted(name for name in {*wanted, *nested} if schema.names.count(name) > 1)
            if twice:
                raise InputError(f"{file.name}: column {twice[0]!r} is there twice; rename or drop one")
            kinds = {name: _type_at(schema, name) for name in {*wanted, *nested}}
            no_text = {name for name in wanted if kinds[name] is not None and _is_nested(kinds[name])}
            readable = [name for name in wanted if kinds[name] is not None and name not in no_text]
            whole = [name for name in nested if kinds[name] is not None]
            absent: dict[str, Value] = {name: Unusable(NOT_TEXT) if name in no_text else None for name in wanted}
            missing = dict.fromkeys(nested)
            for batch in opened.batches([*readable, *whole]):
                values: dict[str, list[Any]] = {}
                for name in dict.fromkeys((*readable, *whole)):
                    column = _column(batch, name)
                    with self._broken_text_named(file, name, column, number):
                        values[name] = _objects(column) if _is_nested(kinds[name]) else _texts(column)
                for i in range(batch.num_rows):
                    number += 1
                    yield Row(
                        Place(file.name, self.unit, number),
                        absent | {name: values[name][i] for name in readable},
                        missing | {name: values[name][i] for name in whole},
                    )

    @contextmanager
    def _damage_named(self, file: DataFile) -> Iterator[None]:
        import pyarrow as pa

        try:
            yield
        except OSError as error:
            if error.errno is not None:  # the system's, not Arrow's of a page or a stream
                raise
            raise self._damaged(file, error) from error
        except (pa.ArrowException, ValueError, OverflowError) as error:
            raise self._damaged(file, error) from error

    def _damaged(self, file: DataFile, error: Exception) -> InputError:
        message = " ".join(str(error).split())
        return InputError(
            f"{file.name}: not readable as {self.kind}, damaged or cut ({message}); write or download it again"
        )

    @contextmanager
    def _broken_text_named(self, file: DataFile, name: str, column: Any, before: int) -> Iterator[None]:
        """Bytes that are not UTF-8 in a batch of a column, behind so many rows."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowInvalid, UnicodeDecodeError) as error:
            row = next((i for i in range(len(column)) if not _is_utf8(column.slice(i, 1))), None)
            if row is None:
                raise
            place = Place(file.name, self.unit, before + row + 1)
            raise InputError(f"{place}: column {name!r} is not UTF-8; write it as UTF-8 text") from error


class Parquet(Columnar):
    """A `Format`."""

    kind = "Parquet"

    @contextmanager
    def opened(self, file: DataFile) -> Iterator[Opened]:
        """The file with its own schema, not the one data-frame and data-set libraries hide in its metadata."""
        import pyarrow.parquet as pq

        with pq.ParquetFile(file.path) as parquet:
            yield Opened(parquet.schema_arrow, lambda columns: parquet.iter_batches(BATCH, columns=columns))


class Arrow(Columnar):
    """A `Format`: the IPC formats, streams as `datasets` saves them, and files."""

    kind = "Arrow"

    @contextmanager
    def opened(self, file: DataFile) -> Iterator[Opened]:
        """The file, mapped into memory."""
        import pyarrow as pa

        with pa.memory_map(str(file.path)) as mapped:
            start = mapped.read(6)
            mapped.seek(0)
            if start == b"ARROW1":
                reader = pa.ipc.open_file(mapped)
                whole = map(reader.get_batch, range(reader.num_record_batches))
            else:
                whole = reader = pa.ipc.open_stream(mapped)
            parts = (batch.slice(i, BATCH) for batch in whole for i in range(0, batch.num_rows, BATCH))
            yield Opened(reader.schema, lambda columns: parts)


def _is_nested(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_nested(kind))


def _schema_names(fields: Iterable[Any], prefix: str = "") -> Iterator[str]:
    import pyarrow as pa

    for field in fields:
        yield prefix + field.name
        if pa.types.is_struct(field.type):
            yield from _schema_names(field.type, f"{prefix}{field.name}.")


def _type_at(schema: Any, name: str) -> Any:
    """The type of a column, or of a field of a struct where the name has dots; None where there is none."""
    import pyarrow as pa

    if name in schema.names:
        return schema.field(name).type
    place = schema
    for part in name.split("."):
        fields = place if place is schema else place if pa.types.is_struct(place) else ()
        found = [field.type for field in fields if field.name == part]
        if len(found) != 1:
            return None
        place = found[0]
    return place


def _column(batch: Any, name: str) -> Any:
    import pyarrow.compute as pc

    if name in batch.schema.names:
        return batch.column(name)
    first, *rest = name.split(".")
    return pc.struct_field(batch.column(first), rest)


def _objects(column: Any) -> list[Any]:
    """A nested column as Python objects."""
    kind = _without_dates(column.type)
    values: list[Any] = (column if kind == column.type else column.cast(kind)).to_pylist()
    return values


def _texts(column: Any) -> list[str | None]:
    """A flat column as text; whole numbers in a floating column (integers with nulls) lose their point."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    if pa.types.is_floating(column.type):
        return list(map(_number, column.to_pylist(), texts))
    return texts


def _number(value: float | None, text: str | None) -> str | None:
    if value is None or math.isnan(value):
        return None
    return str(int(value)) if value.is_integer() else text


def _without_dates(kind: Any) -> Any:
    """A nested type with text where Python or JSON has no such value: dates, times and decimals."""
    import pyarrow as pa

    def field(inside: Any) -> Any:
        return inside.with_type(_without_dates(inside.type))

    if pa.types.is_struct(kind):
        return pa.struct([field(inside) for inside in kind])
    if pa.types.is_map(kind):
        return pa.map_(field(kind.key_field), field(kind.item_field))
    if pa.types.is_list(kind):
        return pa.list_(field(kind.value_field))
    if pa.types.is_large_list(kind):
        return pa.large_list(field(kind.value_field))
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_decimal(kind) else kind


def _is_utf8(column: Any) -> bool:
    import pyarrow as pa

    try:
        column.validate(full=True)
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            column.cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True
