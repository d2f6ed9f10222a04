from __future__ import annotations

import json

import pytest

from data.overlap.test_near import STORY, compared
from selfhint.core.errors import InputError
from selfhint.data import Columns, find_source
from selfhint.data.overlap.benchmarks import read_benchmarks


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return find_source(path)


def test_columns_go_by_what_public_sets_call_them(tmp_path):
    sources = [
        write(tmp_path / "a.jsonl", {"question": STORY, "final_answer": "17"}),
        write(tmp_path / "b.jsonl", {"text": "2+2", "problem": "no"}, {"text": None, "problem": "no"}),
    ]
    index = read_benchmarks(sources, Columns(problem="text"))
    assert len(index) == 2
    assert index.find(compared(STORY, "17")).benchmark.endswith("a.jsonl")
    assert index.find(compared("2 + 2", "4")).where == "line 1"


def test_chat_prompts_are_read(tmp_path):
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": STORY}]
    index = read_benchmarks([write(tmp_path / "a.jsonl", {"prompt": chat, "answer": "17"})], Columns())
    assert index.find(compared(STORY))


@pytest.mark.parametrize(
    ("rows", "says"),
    [([{"text": "x", "answer": "1"}], "no column 'problem'"), ([{"problem": " "}], "no problem in it")],
)
def test_a_file_without_problems_is_refused(tmp_path, rows, says):
    with pytest.raises(InputError, match=says):
        read_benchmarks([write(tmp_path / "a.jsonl", *rows)], Columns())


def test_an_answer_that_ends_worked_text_is_what_follows_the_mark(tmp_path):
    index = read_benchmarks([write(tmp_path / "a.jsonl", {"question": STORY, "answer": "8 + 9.\n#### 17"})], Columns())
    nearly = STORY + " Tell me."
    assert index.find(compared(nearly, "17")) is not None
    assert index.find(compared(nearly, "18")) is None
