"""The rows of a source, one at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from selfhint.core.errors import InputError
from selfhint.data.formats import FORMATS, DataFile
from selfhint.data.formats.base import OnDamage
from selfhint.data.rows import Row
from selfhint.data.source import Source

HEAD = 1000
"""Rows whose columns are looked at before the rows are read, where each row has its own."""
MAX_NAMES = 1000
"""Names kept: objects whose fields are data (a map of identities) would bring one for each row."""


def column_names(source: Source, wanted: Collection[str] = (), on_damage: OnDamage | None = None) -> tuple[str, ...]:
    """The columns of a source in the order met, those of nested fields with dots.

    Args:
        wanted: where rows have columns of their own, reading goes on until these are found.
        on_damage: as of `iter_rows`.

    Raises:
        InputError: a file is damaged or cannot be read.
    """
    found: dict[str, None] = {}
    missing = set(wanted)
    num_seen = 0
    for file in source.files:
        with _readable(file):
            for names in FORMATS[file.format].names(file, on_damage):
                num_seen += 1
                for name in names:
                    if name in missing or len(found) < MAX_NAMES:
                        found[name] = None
                        missing.discard(name)
                if num_seen >= HEAD and not missing:
                    return tuple(found)
    return tuple(found)


def iter_rows(
    source: Source, wanted: Collection[str], nested: Collection[str] = (), on_damage: OnDamage | None = None
) -> Iterator[Row]:
    """The wanted columns of each row, in order; a column that a file lacks is None in its rows.

    Numbers become their literal text (JSON: exactly as written), true and false the words, NaN a missing value. No more
    than a batch of rows is in memory, except of .json files.

    Args:
        wanted: columns that hold text; a name with dots goes into nested fields.
        nested: columns that are kept as Python objects; the same names may be in both.
        on_damage: is told of a row that cannot be read by itself, and what ails it: a line that is no JSON object, a
            record of CSV with more or fewer fields. Reading goes on behind it. None: that is an error.

    Raises:
        InputError: a file is damaged or cannot be read.
    """
    for file in source.files:
        with _readable(file):
            yield from FORMATS[file.format].rows(file, wanted, nested, on_damage)


def no_rows(source: Source) -> InputError:
    """What to say of a source without rows."""
    return InputError(f"{source.name}: no rows; check that the file was written or copied completely")


@contextmanager
def _readable(file: DataFile) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{file.name}: cannot be read ({error.strerror or error}); check the file and its rights"
        ) from error
