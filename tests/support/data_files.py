"""Files of data in every format, written by the formats' own libraries, and what is read back."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from selfhint.data import column_names, find_source, iter_rows

Rows = Sequence[dict[str, Any]]


def values_of(data, column):
    """A column as it is read."""
    return [row.values[column] for row in iter_rows(find_source(data), {column})]


def names_of(data):
    return column_names(find_source(data))


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def lines(rows: Rows) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")


def _delimited(delimiter: str) -> Callable[[Rows, Path], None]:
    def write(rows: Rows, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
            writer.writeheader()
            writer.writerows(rows)

    return write


def _arrow(opened: Callable[..., Any]) -> Callable[[Rows, Path], None]:
    def write(rows: Rows, path: Path) -> None:
        table = pa.Table.from_pylist(list(rows))
        with opened(str(path), table.schema) as writer:
            writer.write_table(table, 3)

    return write


def _saved(rows: Rows, path: Path) -> None:
    from datasets import Dataset

    Dataset.from_list(list(rows)).save_to_disk(path, num_shards=2)


WRITERS: dict[str, Callable[[Rows, Path], Any]] = {
    "d.jsonl": lambda rows, path: path.write_bytes(lines(rows)),
    "d.jsonl.gz": lambda rows, path: path.write_bytes(gzip.compress(lines(rows))),
    "d.jsonl.zst": lambda rows, path: path.write_bytes(zstd(lines(rows))),
    "d.ndjson": lambda rows, path: path.write_bytes(lines(rows)),
    "d.json": lambda rows, path: path.write_text(json.dumps(list(rows), indent=1), "utf-8"),
    "data.json": lambda rows, path: path.write_text(json.dumps({"version": 1, "data": list(rows)}), "utf-8"),
    "lines.json": lambda rows, path: path.write_bytes(lines(rows)),
    "d.csv": _delimited(","),
    "d.csv.gz": lambda rows, path: (_delimited(",")(rows, path), path.write_bytes(gzip.compress(path.read_bytes()))),
    "d.tsv": _delimited("\t"),
    "d.parquet": lambda rows, path: pq.write_table(pa.Table.from_pylist(list(rows)), path, row_group_size=2),
    "d.arrow": _arrow(pa.ipc.new_stream),
    "file.arrow": _arrow(pa.ipc.new_file),
    "saved": _saved,
}
"""Name of the file → writes rows of texts."""
