"""What a format is: how one file's columns are found and its rows read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from selfhint.core.errors import InputError
from selfhint.data.rows import Place, Row

OnDamage = Callable[[Place, str], None]
"""Is told of a row that cannot be read, and what ails it."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file.

    Args:
        name: what messages call it.
        path: where it lies on this machine; for generated data, what names them.
        format: a key of `FORMATS`.
    """

    name: str
    path: Path
    format: str


@contextmanager
def passed_over(place: Place, on_damage: OnDamage | None) -> Iterator[None]:
    """A row inside which an `InputError` is no end of the file where somebody is told of it."""
    try:
        yield
    except InputError as error:
        if on_damage is None:
            raise
        on_damage(place, str(error).removeprefix(f"{place}: "))


class Format(Protocol):
    """A way to read a file. Both methods raise `InputError` for a damaged file and OSError for one not readable.

    With `on_damage` they go on behind a damaged row where its format allows it.
    """

    unit: str
    """What row numbers count."""

    def names(self, file: DataFile, on_damage: OnDamage | None = None) -> Iterator[Iterable[str]]:
        """Column names, those of nested fields with dots: of each row, or once where all rows share them."""
        ...

    def rows(
        self, file: DataFile, wanted: Collection[str], nested: Collection[str], on_damage: OnDamage | None = None
    ) -> Iterator[Row]:
        """Rows in file order; a name with dots goes into nested fields."""
        ...
