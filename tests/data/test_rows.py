from __future__ import annotations

import decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from selfhint.core.errors import InputError
from selfhint.data.rows import BROKEN_TEXT, NOT_TEXT, Row, Unusable, read_table


def write_parquet(folder, columns, **options):
    path = folder / "data.parquet"
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path, **options)
    return path


def values_of(path, column):
    return [row.values[column] for row in read_table(path, {column}).rows]


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        (pa.array(["a", None, ""]), ["a", None, ""]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([b"caf\xc3\xa9"]), ["café"]),
        (pa.array([7, None, -1]), ["7", None, "-1"]),
        (pa.array([18.0, 0.1, None, float("nan")]), ["18", "0.1", None, None]),
        (pa.array([0.1], pa.float32()), ["0.1"]),
        (pa.array([decimal.Decimal("1.10")]), ["1.10"]),
        (pa.array([True, None]), ["true", None]),
        (pa.nulls(2), [None, None]),
        (pa.array([["a"], None]), [Unusable(NOT_TEXT)] * 2),
        (pa.array([{"v": 1}]), [Unusable(NOT_TEXT)]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_parquet_values_as_text(column, texts, tmp_path):
    assert values_of(write_parquet(tmp_path, {"x": column}), "x") == texts


def test_parquet_rows_are_counted_over_row_groups_and_nested_columns_stay_unread(tmp_path):
    nested = pa.array([{"turns": [{"n": i}]} for i in range(5)])
    path = write_parquet(tmp_path, {"problem": list("abcde"), "meta": nested}, row_group_size=2)
    table = read_table(path, {"problem", "answer"})
    assert table.rows == tuple(Row(i + 1, {"problem": "abcde"[i], "answer": None}) for i in range(5))
    assert (table.unit, table.columns) == ("row", ("problem", "meta"))


def test_parquet_metadata_of_other_libraries_is_not_read(tmp_path):
    features = b'{"info": {"features": {"answer": {"feature": {"dtype": "string"}, "_type": "Unheard"}}}}'
    table = pa.table({"answer": ["1"]}).replace_schema_metadata({b"huggingface": features})
    assert values_of(write_parquet(tmp_path, table), "answer") == ["1"]


def test_parquet_column_with_a_point_in_its_name(tmp_path):
    assert values_of(write_parquet(tmp_path, {"a.b": ["1"]}), "a.b") == ["1"]


def test_parquet_without_any_wanted_column(tmp_path):
    table = read_table(write_parquet(tmp_path, {"x": [1, 2]}), {"y"})
    assert [row.values for row in table.rows] == [{"y": None}, {"y": None}]


def test_parquet_column_twice(tmp_path):
    table = pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], names=["x", "x"])
    with pytest.raises(InputError, match="column x is there twice"):
        read_table(write_parquet(tmp_path, table), {"x"})


@pytest.mark.parametrize("bad", ["binary", "string"])
def test_parquet_text_that_is_no_text(bad, tmp_path):
    column = pa.array([b"\xff\xfe"])
    if bad == "string":
        column = pa.Array.from_buffers(pa.string(), 1, column.buffers())
    path = write_parquet(tmp_path, {"x": column})
    with pytest.raises(InputError, match="not readable as Parquet"):
        read_table(path, {"x"})


@pytest.mark.parametrize("kept", [0, 5, 0.5, 0.99])
def test_cut_parquet_file(kept, tmp_path):
    path = write_parquet(tmp_path, {"x": [str(i) for i in range(1000)]})
    content = path.read_bytes()
    path.write_bytes(content[: int(kept if kept > 1 else kept * len(content))])
    with pytest.raises(InputError, match="not readable as Parquet") as caught:
        read_table(path, {"x"})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"x": 1}\n{"x": "\xff"}\n', "line 2: not UTF-8"),
        ('{"x": 1}\n'.encode("utf-16"), "line 1: not UTF-8"),
        (b'{"x": "a\tb"}\n', "line 1: not valid JSON"),
        (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "line 1: JSON nested too deeply"),
    ],
    ids=["latin", "utf-16", "control character", "deep"],
)
def test_bad_bytes_in_jsonl(content, says, tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        read_table(path, {"x"})


def test_jsonl_columns_come_from_all_rows(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": "1"}\n{"b": "2", "a": "\\udc00"}\n')
    table = read_table(path, {"a"})
    assert table.columns == ("a", "b")
    assert table.rows[1] == Row(2, {"a": Unusable(BROKEN_TEXT)})


@pytest.mark.parametrize("suffix", [".JSONL", ".jsonl"])
def test_suffix_in_any_case(suffix, tmp_path):
    path = tmp_path / f"d{suffix}"
    path.write_text('{"a": "1"}\n')
    assert values_of(path, "a") == ["1"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("absent.jsonl", "no such file"),
        (".", "is a folder; name one .jsonl or .parquet file in it"),
        ("data.csv", "suffix .csv is not supported; convert the data to .jsonl or .parquet"),
        ("data", "name without a suffix is not supported"),
    ],
)
def test_files_that_cannot_be_read(name, says, tmp_path):
    (tmp_path / "data.csv").touch()
    (tmp_path / "data").touch()
    with pytest.raises(InputError, match=says):
        read_table(tmp_path / name, {"x"})


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = tmp_path / "d.jsonl"
    path.touch()

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(InputError, match="cannot be read \\(Permission denied\\)"):
        read_table(path, {"x"})
