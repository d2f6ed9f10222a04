from __future__ import annotations

import decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from selfhint.core.errors import InputError
from selfhint.data import Place, Row, Unusable, find_source, iter_rows
from selfhint.data.rows import NOT_TEXT
from support.data_files import names_of, values_of


def write_parquet(folder, columns, **options):
    path = folder / "data.parquet"
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path, **options)
    return path


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        (pa.array(["a", None, ""]), ["a", None, ""]),
        (pa.array(["a", "b"], pa.large_string()), ["a", "b"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pa.array([b"caf\xc3\xa9"]), ["café"]),
        (pa.array([7, None, -1]), ["7", None, "-1"]),
        (pa.array([18.0, 0.1, None, float("nan")]), ["18", "0.1", None, None]),
        (pa.array([12345678901.0, 1e10, -0.0, 2.0**60]), ["12345678901", "10000000000", "0", "1152921504606846976"]),
        (pa.array([1.0, float("nan"), float("inf")]).dictionary_encode(), ["1", None, "inf"]),
        (pa.array([9_000_000], pa.date32()), ["26611-03-02"]),
        (pa.array([0.1], pa.float32()), ["0.1"]),
        (pa.array([decimal.Decimal("1.10")]), ["1.10"]),
        (pa.array([True, None]), ["true", None]),
        (pa.nulls(2), [None, None]),
        (pa.array([["a"], None]), [Unusable(NOT_TEXT)] * 2),
        (pa.array([{"v": 1}]), [Unusable(NOT_TEXT)]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_values_as_text(column, texts, tmp_path):
    assert values_of(write_parquet(tmp_path, {"x": column}), "x") == texts


def test_rows_are_counted_over_row_groups_and_nested_columns_stay_unread(tmp_path):
    nested = pa.array([{"turns": [{"n": i}]} for i in range(5)])
    path = write_parquet(tmp_path, {"problem": list("abcde"), "meta": nested}, row_group_size=2)
    assert list(iter_rows(find_source(path), {"problem", "answer"})) == [
        Row(Place(str(path), "row", i + 1), {"problem": "abcde"[i], "answer": None}) for i in range(5)
    ]
    assert names_of(path) == ("problem", "meta", "meta.turns")


def test_a_field_of_a_struct(tmp_path):
    reward = pa.array([{"style": "rule", "ground_truth": "007"}, None, {"style": "rule", "ground_truth": None}])
    path = write_parquet(tmp_path, {"reward_model": reward, "x": ["1", "2", "3"]})
    assert values_of(path, "reward_model.ground_truth") == ["007", None, None]
    assert values_of(path, "reward_model.absent") == [None] * 3
    assert values_of(path, "x.y") == [None] * 3


def test_metadata_of_other_libraries_is_not_read(tmp_path):
    features = b'{"info": {"features": {"answer": {"feature": {"dtype": "string"}, "_type": "Unheard"}}}}'
    table = pa.table({"answer": ["1"]}).replace_schema_metadata({b"huggingface": features})
    assert values_of(write_parquet(tmp_path, table), "answer") == ["1"]


def test_a_column_with_a_point_in_its_name(tmp_path):
    assert values_of(write_parquet(tmp_path, {"a.b": ["1"]}), "a.b") == ["1"]


def test_without_any_wanted_column_rows_are_still_counted(tmp_path):
    assert values_of(write_parquet(tmp_path, {"x": [1, 2]}), "y") == [None, None]


def test_a_column_twice(tmp_path):
    table = pa.Table.from_arrays([pa.array(["1"]), pa.array(["2"])], names=["x", "x"])
    with pytest.raises(InputError, match="column 'x' is there twice"):
        values_of(write_parquet(tmp_path, table), "x")


@pytest.mark.parametrize("bad", ["binary", "string"])
def test_text_that_is_no_text(bad, tmp_path):
    column = pa.array([b"\xff\xfe"])
    if bad == "string":
        column = pa.Array.from_buffers(pa.string(), 1, column.buffers())
    table = {
        "y": [str(i) for i in range(301)],
        "x": pa.concat_arrays([pa.array([b"a"] * 300).cast(column.type), column]),
    }
    with pytest.raises(InputError, match="row 301: column 'x' is not UTF-8"):
        values_of(write_parquet(tmp_path, table), "x")


def test_nested_values_are_what_json_has(tmp_path):
    kind = pa.struct([("content", pa.string()), ("at", pa.timestamp("us")), ("n", pa.int64())])
    messages = pa.array([[{"content": "hi", "at": 2**62, "n": 1}, {"content": "ho", "at": 0, "n": 2}]], pa.list_(kind))
    path = write_parquet(tmp_path, {"prompt": messages, "day": pa.array([9_000_000], pa.date32())})
    (row,) = iter_rows(find_source(path), set(), {"prompt", "day"})
    assert row.nested["day"] == "26611-03-02"
    assert row.nested["prompt"][1] == {"content": "ho", "at": "1970-01-01 00:00:00.000000", "n": 2}
    assert "out of range" in row.nested["prompt"][0]["at"]


def test_a_damaged_page_is_named_as_damage(tmp_path):
    path = write_parquet(tmp_path, {"x": [str(i) for i in range(1000)]}, use_dictionary=False)
    content = bytearray(path.read_bytes())
    content[40:400] = bytes(360)
    path.write_bytes(content)
    with pytest.raises(InputError, match="not readable as Parquet, damaged or cut"):
        values_of(path, "x")


@pytest.mark.parametrize("kept", [0, 5, 0.5, 0.99])
def test_cut_parquet_file(kept, tmp_path):
    path = write_parquet(tmp_path, {"x": [str(i) for i in range(1000)]})
    content = path.read_bytes()
    path.write_bytes(content[: int(kept if kept > 1 else kept * len(content))])
    with pytest.raises(InputError, match="not readable as Parquet") as caught:
        values_of(path, "x")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kept", [0, 5, 0.5])
def test_cut_arrow_file(kept, tmp_path):
    path = tmp_path / "d.arrow"
    with pa.ipc.new_stream(str(path), pa.schema({"x": pa.string()})) as writer:
        writer.write_table(pa.table({"x": [str(i) for i in range(1000)]}))
    content = path.read_bytes()
    path.write_bytes(content[: int(kept if kept > 1 else kept * len(content))])
    with pytest.raises(InputError, match=r"d\.arrow: not readable as Arrow, damaged or cut"):
        values_of(path, "x")
