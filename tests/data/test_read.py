from __future__ import annotations

import json

import pytest

from selfhint.core.errors import InputError
from selfhint.data import column_names, find_source, iter_rows
from selfhint.data.read import HEAD, MAX_NAMES


def test_rows_come_one_at_a_time(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"x": "a"}\n{"x": "b"}\nbroken\n')
    rows = iter_rows(find_source(path), {"x"})
    assert [next(rows).values["x"], next(rows).values["x"]] == ["a", "b"]


def test_columns_are_looked_for_until_the_wanted_ones_are_found(tmp_path):
    path = tmp_path / "d.jsonl"
    rows = [json.dumps({"x": "a", "seen": {str(i): 1}} if i < HEAD else {"x": "a", "late": 1}) for i in range(HEAD + 2)]
    path.write_text("\n".join(rows) + "\nbroken\n")
    source = find_source(path)
    assert len(column_names(source, {"x"})) == MAX_NAMES
    assert "late" not in column_names(source, {"x"})
    assert "late" in column_names(source, {"x", "late"}), "and no further than needed: a later line is broken"


def test_columns_of_all_files(tmp_path):
    (tmp_path / "0.csv").write_text("x,y\n1,2\n")
    (tmp_path / "1.csv").write_text("x,z\n3,4\n")
    source = find_source(tmp_path)
    assert column_names(source) == ("x", "y", "z")
    assert [row.values["z"] for row in iter_rows(source, {"z"})] == [None, "4"]


@pytest.mark.parametrize(
    ("name", "content", "numbers", "faults"),
    [
        (
            "d.jsonl",
            b'nothing\n{"x": "a"}\n["a"]\n\xff\n{"x": 1, "x": 2}\n{"x": "b"}\n{"x": "c',
            [2, 6],
            {
                1: "not valid JSON",
                3: "not a JSON object",
                4: "not UTF-8",
                5: "the field 'x' is there twice",
                7: "incomplete JSON",
            },
        ),
        ("d.json", b'[1, {"x": "a"}, null, {"x": "b"}]', [2, 4], {1: "not a JSON object", 3: "not a JSON object"}),
        ("d.csv", b"x,y\n1,2\n1\n3,4\n5,6,7\n", [2, 4], {3: "1 fields", 5: "3 fields"}),
    ],
)
def test_who_is_told_of_damaged_rows_gets_the_others(tmp_path, name, content, numbers, faults):
    path = tmp_path / name
    path.write_bytes(content)
    told = {}
    source = find_source(path)
    assert "x" in column_names(source, {"x"}, on_damage=lambda place, fault: None)
    rows = list(iter_rows(source, {"x"}, on_damage=lambda place, fault: told.update({place: fault})))
    assert [row.place.number for row in rows] == numbers
    assert [place.number for place in told] == list(faults)
    for place, fault in told.items():
        assert fault.startswith(faults[place.number])
        assert place.file == str(path)
    with pytest.raises(InputError):
        list(iter_rows(source, {"x"}))
