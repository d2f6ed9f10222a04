from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.data import find_source, iter_rows
from support.data_files import values_of


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('[{"x": 1.10}, {"x": "2"}]', ["1.10", "2"]),
        ('\ufeff[{"x": "a"}]', ["a"]),
        ('{"n": 2, "data": [{"x": "a"}]}', ["a"]),
        ('{"x": "a"}\n\n{"x": "b"}\n', ["a", "b"]),
        ('{"x": "a"}', ["a"]),
        ("[]", []),
        ("", []),
    ],
)
def test_rows(text, values, tmp_path):
    path = tmp_path / "d.json"
    path.write_text(text, "utf-8")
    assert values_of(path, "x") == values
    rows = list(iter_rows(find_source(path), {"x"}))
    assert [str(row.place) for row in rows] == [f"{path}, row {i + 1}" for i in range(len(values))]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[{"x": 1},\n {"x": ', "line 2: incomplete JSON"),
        ('[{"x": 1},\n {"x" 2}]', "line 2: not valid JSON"),
        ('[{"x": 1}, 2]', "row 2: not a JSON object"),
        ('"text"', "no rows; write an array"),
        ('[{"x": 1, "x": 2}]', "the field 'x' is there twice"),
        ('{"x": "a"}\n{"x": \n', "line 2: not valid JSON"),
    ],
)
def test_refused(text, says, tmp_path):
    path = tmp_path / "d.json"
    path.write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        values_of(path, "x")
    assert str(caught.value).startswith(str(path))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "d.json"
    path.write_bytes(b'[{"x": "\xff"}]')
    with pytest.raises(InputError, match=r"not UTF-8 \(byte 9\)"):
        values_of(path, "x")
