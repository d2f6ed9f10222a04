"""Formats of data files. Add one: copy the shortest file here and add a line to each dict."""

from __future__ import annotations

from selfhint.data.formats.base import DataFile, Format
from selfhint.data.formats.columnar import Arrow, Parquet
from selfhint.data.formats.compressed import ENDINGS
from selfhint.data.formats.delimited import Delimited
from selfhint.data.formats.generated import Generated
from selfhint.data.formats.json_document import JsonDocument
from selfhint.data.formats.json_lines import JsonLines

FORMATS: dict[str, Format] = {
    "jsonl": JsonLines(),
    "json": JsonDocument(),
    "csv": Delimited(","),
    "tsv": Delimited("\t"),
    "parquet": Parquet(),
    "arrow": Arrow(),
    "reasoning_gym": Generated(),
}

SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
}
"""What a file's name ends with, in lower case → format. Text formats may be compressed: a further .gz or .zst."""

TEXT_FORMATS = ("jsonl", "json", "csv", "tsv")


def format_of(name: str) -> str | None:
    """The format that a file's name stands for; None where it is none of ours."""
    name = name.lower()
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), "")
    stem = name.removesuffix(ending)
    found = next((form for suffix, form in SUFFIXES.items() if stem.endswith(suffix)), None)
    return None if ending and found not in TEXT_FORMATS else found


__all__ = ["FORMATS", "SUFFIXES", "DataFile", "Format", "format_of"]
