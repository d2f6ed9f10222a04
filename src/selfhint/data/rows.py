"""One row of data, as text, whatever the format it came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

NOT_TEXT = "is not text"
BROKEN_TEXT = "holds half of a surrogate pair"
NOT_JSON = "holds a value that is no text, number or list"


@dataclass(frozen=True, slots=True)
class Unusable:
    """A value that is there but cannot be used, with the reason as the end of a sentence."""

    reason: str


Value = str | None | Unusable
"""Text; None where the column is absent or null; Unusable for lists, objects and broken text."""


class Place(NamedTuple):
    """Where a row stands.

    Args:
        file: as messages name it.
        unit: what `number` counts.
        number: from 1.
    """

    file: str
    unit: str
    number: int

    def __str__(self) -> str:
        return f"{self.file}, {self.unit} {self.number}"


@dataclass(frozen=True, slots=True)
class Row:
    """One record.

    Args:
        place: file and line (or row) in it.
        values: the wanted columns as text.
        nested: the wanted nested columns as Python objects; None where one is absent or null.
    """

    place: Place
    values: Mapping[str, Value]
    nested: Mapping[str, Any] = field(default_factory=dict)


def field_at(record: Mapping[str, Any], name: str) -> Any:
    """What a record keeps under a name; a name with dots that is no field's own goes deeper. None: nothing."""
    if name in record:
        return record[name]
    place: Any = record
    for part in name.split("."):
        if not isinstance(place, Mapping):
            return None
        place = place.get(part)
    return place


def is_well_formed(text: str) -> bool:
    """False for a lone surrogate, which JSON can spell and no tokenizer or log can write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def fault_in(value: Any) -> str | None:
    """What ails an object of lists, mappings and values, as the end of a sentence; None: it can be written as JSON."""
    waiting = [value]  # not by recursion: JSON may be nested deeper than Python calls
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            waiting += [*part, *part.values()]
        elif isinstance(part, list | tuple):
            waiting += part
        elif isinstance(part, str):
            if not is_well_formed(part):
                return BROKEN_TEXT
        elif not isinstance(part, bool | int | float | None):
            return NOT_JSON
    return None
