from __future__ import annotations

from dataclasses import replace

import pytest

from selfhint.core.errors import InputError
from selfhint.core.problem import Problem
from selfhint.data import Columns, load_problems, write_trl, write_verl

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 1+1?"}]
PROBLEMS = (
    Problem("1+1", "One and one.", "2", CHAT),
    Problem("cafe\u0301", None, "007", CHAT, hints={1: ("a", "b"), 3: ("c",)}),
    Problem("x\u2028\\frac{1}{2}", "s", " 2024-01-01 ", CHAT),
)
MANY = [Problem(str(i), "s", "1", CHAT) for i in range(2500)]


def for_trl(problems, path):
    write_trl(problems, path)


def for_verl(problems, path):
    write_verl(problems, path, data_source="sums")


BOTH = pytest.mark.parametrize(("write", "hints"), [(for_trl, "hints"), (for_verl, "extra_info.hints")])


def load(path, hints=None, need_solution=False):
    return load_problems(path, Columns(hints=hints), make_prompt=str, need_solution=need_solution).problems


@BOTH
def test_what_is_read_back_is_what_was_written(write, hints, tmp_path):
    write(PROBLEMS, tmp_path / "d.parquet")
    assert load(tmp_path / "d.parquet", hints) == PROBLEMS
    assert [path.name for path in tmp_path.iterdir()] == ["d.parquet"]


@BOTH
def test_problems_come_from_any_iterable(write, hints, tmp_path):
    write(iter(MANY), tmp_path / "d.parquet")
    assert [p.key for p in load(tmp_path / "d.parquet")] == [p.key for p in MANY]


def test_text_prompts(tmp_path):
    problems = [replace(problem, prompt=problem.question) for problem in PROBLEMS]
    write_trl(problems, tmp_path / "d.parquet")
    assert [p.key for p in load(tmp_path / "d.parquet")] == [p.key for p in PROBLEMS]
    with pytest.raises(InputError, match="verl takes chat prompts only"):
        for_verl(problems, tmp_path / "e.parquet")


def test_verls_layout(tmp_path):
    from datasets import load_dataset

    for_verl(PROBLEMS, tmp_path / "d.parquet")
    rows = load_dataset("parquet", data_files=str(tmp_path / "d.parquet"), split="train", cache_dir=tmp_path / "cache")
    assert rows[1] == {
        "data_source": "sums",
        "prompt": CHAT,
        "ability": "reasoning",
        "reward_model": {"style": "rule", "ground_truth": "007"},
        "extra_info": {
            "index": 1,
            "key": PROBLEMS[1].key,
            "problem": "cafe\u0301",
            "solution": None,
            "hints": [["a", "b"], [], ["c"]],
        },
    }


def test_the_verl_engine_finds_the_same_problems(tmp_path):
    from datasets import load_dataset

    from selfhint.config.verl import VerlColumns
    from selfhint.engines.verl.rows import problem_of

    for_verl(PROBLEMS, tmp_path / "d.parquet")
    rows = load_dataset("parquet", data_files=str(tmp_path / "d.parquet"), split="train", cache_dir=tmp_path / "cache")
    columns = VerlColumns(problem="problem", hints="hints")
    assert tuple(problem_of(row, row["prompt"], columns) for row in rows) == PROBLEMS


@BOTH
@pytest.mark.parametrize(
    ("problems", "name", "says"),
    [
        ([], "d.parquet", "no problems to write"),
        (PROBLEMS, "d.jsonl", r"let its name end in \.parquet"),
        (PROBLEMS, "none/d.parquet", "cannot be written"),
        ([replace(PROBLEMS[0], prompt=[{**CHAT[1], "name": "Ann"}])], "d.parquet", "has a field 'name'; remove it"),
        ([*MANY, replace(PROBLEMS[0], prompt="text")], "d.parquet", "plain text|chat prompts only"),
    ],
    ids=["none", "suffix", "place", "field", "kinds"],
)
def test_refused_without_a_trace(write, hints, problems, name, says, tmp_path):
    with pytest.raises(InputError, match=says) as caught:
        write(problems, tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
