"""Files of JSON Lines in, the same rows with more fields out; whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from selfhint.cli.out_file import cannot_write, out_file
from selfhint.core.errors import InputError
from selfhint.data.formats.json_lines import json_records

KINDS = {bool: "true or false", list: "a list", dict: "an object"}
"""How a message names a value that is not text; numbers are read as their literal text."""


def records(path: Path) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """Where each row stands, as an object, and as it is written. Numbers are literal text.

    Raises:
        InputError: the file cannot be read, or a line is no JSON object.
    """
    try:
        for number, record, row in json_records(path):
            yield f"{path}, line {number}", record, row
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check its name and rights") from error


def check_free(record: Mapping[str, Any], fields: Iterable[str], where: str, whose: str) -> None:
    """A row keeps its own fields, so it must not have those that are added.

    Raises:
        InputError: it has one.
    """
    taken = [name for name in fields if name in record]
    if taken:
        raise InputError(f"{where}: has a field {taken[0]!r}, which the {whose}; rename it")


def with_fields(row: bytes, fields: Mapping[str, Any]) -> bytes:
    """The row's own text, byte for byte, with more fields before its closing brace. It must have a field already."""
    return row[:-1].rstrip() + b", " + json.dumps(fields).encode()[1:] + b"\n"


@contextmanager
def written(path: Path, source: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when the block ends well.

    Args:
        source: what is read meanwhile.

    Raises:
        InputError: it is `source`, a folder or no file, or cannot be written.
    """
    target = out_file(path)
    if target.resolve() == source.resolve():
        raise InputError(f"--out {path}: is the input itself; choose another file")
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        try:
            with partial.open("wb") as file:
                yield file
            os.replace(partial, target)
        except OSError as error:
            raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):
            partial.unlink()
