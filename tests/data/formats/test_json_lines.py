from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.data import Place, Row, Unusable, find_source, iter_rows
from selfhint.data.rows import BROKEN_TEXT
from support.data_files import names_of, values_of


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"x": 1}\n{"x": "\xff"}\n', "line 2: not UTF-8"),
        ('{"x": 1}\n'.encode("utf-16"), "line 1: not UTF-8"),
        (b'{"x": "a\tb"}\n', "line 1: not valid JSON"),
        (b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "line 1: JSON nested too deeply"),
        (b'{"x": 1}\n{"x": "1", "y": {"x": 3}, "x": "2"}\n', "line 2: the field 'x' is there twice"),
    ],
    ids=["latin", "utf-16", "control character", "deep", "twice"],
)
def test_bad_bytes(content, says, tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        values_of(path, "x")


def test_columns_come_from_all_rows_and_from_objects(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": "1"}\n{"b": {"c": {"d": {"e": 1}}}, "a": "\\udc00"}\n')
    assert names_of(path) == ("a", "b", "b.c", "b.c.d")
    assert list(iter_rows(find_source(path), {"a"}))[1] == Row(
        Place(str(path), "line", 2), {"a": Unusable(BROKEN_TEXT)}
    )


def test_a_name_with_a_point_is_a_column_before_it_is_a_path(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"a": {"b": 1.50}}\n{"a": {"b": 1}, "a.b": "mine"}\n{"a": "text"}\n')
    assert values_of(path, "a.b") == ["1.50", "mine", None]
