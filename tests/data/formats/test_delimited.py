from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.data import find_source, iter_rows
from support.data_files import names_of, values_of


def write(folder, content, name="d.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_fields_are_text_as_written(tmp_path):
    path = write(tmp_path, 'x,y\n007,1\n 7 ,2\n"a ""b"", c\r\nd",3\n,4\n\\frac{1}{2},5\n')
    assert values_of(path, "x") == ["007", " 7 ", 'a "b", c\r\nd', "", "\\frac{1}{2}"]


def test_rows_are_numbered_by_their_first_line(tmp_path):
    path = write(tmp_path, '\ufeffx,y\r\n"a\r\nb",1\r\n\r\nc,2\r\n')
    assert [row.place.number for row in iter_rows(find_source(path), {"x"})] == [2, 5]
    assert names_of(path) == ("x", "y")


def test_other_line_separators_stay_in_the_field(tmp_path):
    assert values_of(write(tmp_path, "x,y\na\u2028b\u0085c,1\n"), "x") == ["a\u2028b\u0085c"]


def test_a_field_longer_than_the_module_takes_by_default(tmp_path):
    assert len(values_of(write(tmp_path, f"x,y\n{'a' * 5_000_000},1\n"), "x")[0]) == 5_000_000


def test_tabs(tmp_path):
    assert values_of(write(tmp_path, "x\ty\na,b\t1\n", "d.tsv"), "x") == ["a,b"]


def test_a_header_alone_has_no_rows(tmp_path):
    assert values_of(write(tmp_path, "x,y\n"), "x") == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("x,y\n1,2\n3\n", "line 3: 1 fields where the header has 2"),
        ("x,y\n1,2,3\n", "line 2: 3 fields where the header has 2"),
        ('x,y\n1,2\n"a,2\n', "line 3: not readable as CSV"),
        ('x,y\n"a"b,2\n', "line 2: not readable as CSV"),
        (b"x,y\n1,2\n\xe9,2\n", "line 3: not UTF-8"),
        ("x,x\n1,2\n", "column 'x' is there twice"),
    ],
)
def test_refused(content, says, tmp_path):
    with pytest.raises(InputError, match=says) as caught:
        values_of(write(tmp_path, content), "x")
    assert "\n" not in str(caught.value)
