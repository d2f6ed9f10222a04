from __future__ import annotations

import json

import pytest

from selfhint.core.errors import InputError
from selfhint.data.prepare.difficulty import Solved, read_difficulty


def look(key, *correct):
    return {"key": key, "groups": [{"level": 0, "correct": list(correct)}, {"level": 1, "correct": [True]}]}


def test_visits_of_a_problem_add_up(tmp_path):
    looks = [look("a", True, False), look("b", False, False), look("a", True, True), look("c", None, True), look("d")]
    (tmp_path / "d.json").write_text(json.dumps({"looks": looks}))
    assert read_difficulty(tmp_path / "d.json") == {"a": Solved(3, 4), "b": Solved(0, 2)}


@pytest.mark.parametrize("content", ["[]", "{", '{"looks": [{"key": "a"}]}', '{"looks": 1}', "[" * 100_000])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "d.json").write_text(content)
    with pytest.raises(InputError, match="is no result of diagnose"):
        read_difficulty(tmp_path / "d.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_difficulty(tmp_path / "no.json")


@pytest.mark.parametrize("looks", [[], [look("a")], [look("a", None)]])
def test_a_result_that_says_nothing_is_refused(tmp_path, looks):
    (tmp_path / "d.json").write_text(json.dumps({"looks": looks}))
    with pytest.raises(InputError, match="no problem in it was judged"):
        read_difficulty(tmp_path / "d.json")
