"""Hints in a file of their own, and in a column of the data."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from selfhint.core.errors import InputError
from selfhint.core.problem import Problem
from selfhint.data import Columns, load_problems, read_hints_file, with_hints

A, B, C = (Problem(question, None, "5", question) for question in ("What is 2 + 3?", "And é?", "And 4 + 1?"))


def write(path, *rows):
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), "utf-8")
    return path


def test_rows_are_joined_by_key_or_by_problem_and_answer(tmp_path):
    path = write(
        tmp_path / "hints.jsonl",
        {"key": A.key, "level_1": "one", "level_3": ["x", "y"], "refused": {"answer": 2}},
        {"problem": " And e\u0301?\n", "answer": "5 ", "level_2": "two"},
        {"problem": "Nobody's", "answer": "1", "level_1": "lost"},
    )
    problems, sentence = with_hints([A, B, C], read_hints_file(path))
    assert [problem.hints for problem in problems] == [{1: ("one",), 3: ("x", "y")}, {2: ("two",)}, {}]
    assert [problem.key for problem in problems] == [A.key, B.key, C.key]
    assert sentence == (f"{path}: hints for 2 of 3 problems (by level: 1, 1, 1). Rows for no problem of the data: 1.")


def test_a_level_that_is_misspelt_shows_in_the_sentence(tmp_path):
    path = write(tmp_path / "hints.jsonl", {"key": A.key, "lvl1": "one", "level_2": "two", "level_3": "three"})
    _, sentence = with_hints([A], read_hints_file(path))
    assert sentence == f"{path}: hints for 1 of 1 problems (by level: 0, 1, 1)."
    path = write(tmp_path / "hints.jsonl", {"key": A.key, "level_1": "one", "level_2": "two", "level_3": "three"})
    assert with_hints([A], read_hints_file(path))[1].endswith("hints for 1 of 1 problems.")


def test_half_a_surrogate_pair_is_refused(tmp_path):
    path = write(tmp_path / "hints.jsonl", {"key": A.key, "level_1": ["one", "\ud83d"]})
    with pytest.raises(InputError, match="line 1: a hint holds half of a surrogate pair"):
        read_hints_file(path)


def test_a_row_without_texts_is_a_problem_without_hints(tmp_path):
    path = write(tmp_path / "hints.jsonl", {"key": A.key, "level_1": [], "level_2": None})
    problems, sentence = with_hints([A], read_hints_file(path))
    assert problems[0].hints == {}
    assert sentence.endswith("hints for 0 of 1 problems.")


@pytest.mark.parametrize(
    ("row", "fragment"),
    [
        ("{", "line 2: not valid JSON"),
        ("[1]", "line 2: not a JSON object"),
        ({"level_1": "a"}, "line 2: no problem is named"),
        ({"problem": "What?", "level_1": "a"}, "line 2: no problem is named"),
        ({"key": 7, "level_1": "a"}, "line 2: '7' is no key"),
        ({"key": "abc", "level_1": "a"}, "line 2: 'abc' is no key"),
        ({"key": A.key}, "line 2: no hint"),
        ({"key": A.key, "level1": "a"}, "line 2: no hint"),
        ({"key": A.key, "level_1": "a", "level_4": "d"}, "line 2: the hints are given for 'level_4'"),
        ({"key": A.key, "level_1": {"text": "a"}}, "line 2: the hints are no text at level 1"),
        ({"key": B.key, "level_1": "again"}, "line 2: line 1 is for the same problem"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_malformed_row_is_one_line_with_file_and_line(tmp_path, row, fragment):
    path = write(tmp_path / "hints.jsonl", {"key": B.key, "level_1": "b"}, row)
    with pytest.raises(InputError, match=re.escape(fragment)) as caught:
        read_hints_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_for_other_data_is_refused(tmp_path):
    path = write(tmp_path / "hints.jsonl", {"key": B.key, "level_1": "b"})
    with pytest.raises(InputError, match="other data"):
        with_hints([A], read_hints_file(path))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nothing\.jsonl.*hints\.file"):
        read_hints_file(tmp_path / "nothing.jsonl")


# Columns

ROWS = [
    {"problem": "What is 2 + 3?", "answer": "5", "tips": {"level_1": ["a", "b"], "level_2": None, "level_3": ["c"]}},
    {"problem": "And 4 + 1?", "answer": "5", "tips": None},
]


def load(path):
    return load_problems(path, Columns(hints="tips"), make_prompt=str, need_solution=False)


def test_a_column_of_hints_in_both_formats(tmp_path):
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "data.parquet")
    for path in (write(tmp_path / "data.jsonl", *ROWS), tmp_path / "data.parquet"):
        data = load(path)
        assert [problem.hints for problem in data.problems] == [{1: ("a", "b"), 3: ("c",)}, {}]
        assert data.report().endswith("2 problems from 2 rows. Without hints: 1 problem.")


def test_a_list_of_three(tmp_path):
    data = load(write(tmp_path / "data.jsonl", {**ROWS[0], "tips": ["a", ["b", "c"], None]}))
    assert data.problems[0].hints == {1: ("a",), 2: ("b", "c")}


def test_hints_of_another_form_are_one_line(tmp_path):
    path = write(tmp_path / "data.jsonl", ROWS[0], {**ROWS[1], "tips": "think"})
    with pytest.raises(InputError, match=r"data\.jsonl, line 2, column 'tips': the hints are 'think'; give a mapping"):
        load(path)


def test_a_missing_column_names_the_likely_one(tmp_path):
    with pytest.raises(InputError, match=r"no column 'tips'.*columns\.hints=scaffold"):
        load(write(tmp_path / "data.jsonl", {"problem": "x", "answer": "5", "solution": "y", "scaffold": ["a"]}))
