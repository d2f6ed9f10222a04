from __future__ import annotations

import json
from pathlib import Path

import pytest

from selfhint.core.errors import InputError
from selfhint.core.problem import content_key
from selfhint.data import Columns, LoadedData, load_problems
from support.data_files import WRITERS

CASES = json.loads((Path(__file__).parents[1] / "cases" / "data_files.json").read_text("utf-8"))
GOOD = [case for case in CASES if "problems" in case]
BAD = [case for case in CASES if "says" in case]
LOCAL_DATA = Path(__file__).parents[3] / "shared" / "data"


def as_message(question):
    return [{"role": "user", "content": question}]


def num_characters(prompt):
    return len(prompt[0]["content"])


def load(path, **options) -> LoadedData:
    columns = Columns(**options.pop("columns", {}))
    options.setdefault("need_solution", True)
    return load_problems(path, columns, make_prompt=as_message, count_tokens=num_characters, **options)


def load_case(case, folder) -> LoadedData:
    """In the table a single quote stands for a double one, so that the lines stay readable."""
    path = folder / "data.jsonl"
    text = "\n".join(case["lines"]).replace("'", '"')
    path.write_bytes((text if case.get("open_end") or not text else text + "\n").encode("utf-8"))
    options = {name: case[name] for name in ("columns", "need_solution", "max_prompt_tokens") if name in case}
    return load(path, **options)


@pytest.mark.parametrize("case", GOOD, ids=[case["case"] for case in GOOD])
def test_rows_become_problems(case, tmp_path):
    data = load_case(case, tmp_path)
    assert [[p.question, p.solution, p.answer] for p in data.problems] == case["problems"]
    left_out = {reason: [place.number for place in rows.examples] for reason, rows in data.left_out.items()}
    assert left_out == case.get("left_out", {})
    assert data.num_rows == case.get("num_rows", len(case["lines"]))
    assert len(data.problems) + sum(rows.count for rows in data.left_out.values()) == data.num_rows


@pytest.mark.parametrize("case", BAD, ids=[case["case"] for case in BAD])
def test_refused_in_one_line_that_says_what_and_where(case, tmp_path):
    with pytest.raises(InputError) as caught:
        load_case(case, tmp_path)
    message = str(caught.value)
    assert message.startswith(str(tmp_path / "data.jsonl"))
    assert "\n" not in message
    for part in case["says"]:
        assert part in message


def test_prompts_and_keys(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": "a", "solution": "s", "answer": 1.0}\n')
    (problem,) = load(path).problems
    assert problem.prompt == [{"role": "user", "content": "a"}]
    assert problem.key == content_key("a", "1.0")


def test_only_the_first_examples_are_kept(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(
        '{"problem": "", "solution": "s", "answer": "1"}\n' * 7 + '{"problem": "a", "solution": "s", "answer": "1"}\n'
    )
    data = load(path)
    assert data.left_out["without problem"].count == 7
    assert data.report() == f"{path}: 1 problem from 8 rows. Left out: 7 without problem (lines 1, 2, 3, 4, 5, …)."


def test_report_without_losses(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": "a", "solution": "s", "answer": "1"}\n')
    assert load(path).report() == f"{path}: 1 problem from 1 row."


def test_a_budget_needs_a_counter(tmp_path):
    with pytest.raises(ValueError, match="needs count_tokens"):
        load_problems("d.jsonl", Columns(), make_prompt=str, need_solution=False, max_prompt_tokens=3)


def test_without_a_budget_nothing_is_counted(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": "a", "solution": "s", "answer": "1"}\n')
    data = load_problems(path, Columns(), make_prompt=lambda question: question, need_solution=True)
    assert data.problems[0].prompt == "a"


def test_a_very_long_solution(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"problem": "a", "solution": "x " * 2_500_000, "answer": "1"}))
    assert len(load(path).problems[0].solution) == 5_000_000


@pytest.mark.skipif(not LOCAL_DATA.is_dir(), reason="no local data folder")
@pytest.mark.parametrize("name", ["gsm8k_train_2000", "math_train_2000", "math500"])
def test_public_data_sets_load(name):
    data = load(LOCAL_DATA / f"{name}.jsonl")
    assert len(data.problems) >= 0.95 * data.num_rows


# Formats

TRICKY = (
    "007",
    "2024-01-01",
    "1e5",
    "null",
    "NaN",
    "true",
    " 1.10 ",
    "\\frac{1}{2}",
    "a\u2028b\u0085c",
    'say "x", y',
    "café",
)
ROWS = [{"problem": f"p{i}", "solution": f"think {i}", "answer": text} for i, text in enumerate(TRICKY)]
KEYS = [content_key(row["problem"], row["answer"]) for row in ROWS]


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_texts_and_keys(name, tmp_path):
    WRITERS[name](ROWS, tmp_path / name)
    problems = load(tmp_path / name).problems
    assert [{"problem": p.question, "solution": p.solution, "answer": p.answer} for p in problems] == ROWS
    assert [p.key for p in problems] == KEYS


def test_keys_are_those_of_other_machines():
    assert KEYS[0] == "713003151e7e67d2"
    assert content_key("cafe\u0301", "1") == content_key("caf\u00e9", "1")


def test_rows_of_several_files_are_named_with_their_file(tmp_path):
    for i in range(2):
        WRITERS["d.csv"]([{**ROWS[i], "answer": text} for text in ("", TRICKY[i])], tmp_path / f"{i}.csv")
    WRITERS["d.csv"](ROWS[1:2], tmp_path / "2.csv")
    data = load(tmp_path)
    assert data.report() == (
        f"{tmp_path}: 2 problems from 5 rows in 3 files. Left out: 2 without answer ({tmp_path}/0.csv, line 2; "
        f"{tmp_path}/1.csv, line 2); 1 merged as duplicates ({tmp_path}/2.csv, line 2)."
    )
    WRITERS["d.csv"]([{**ROWS[1], "answer": "else"}], tmp_path / "2.csv")
    with pytest.raises(InputError, match=r"1\.csv, line 3 and .*2\.csv, line 2 give one problem two answers"):
        load(tmp_path)


def test_a_generated_task_without_solutions():
    pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")
    with pytest.raises(InputError, match=r"offers no worked solution; take a task that does .*, or method=grpo"):
        load("reasoning_gym:chain_sum,size=5")
    data = load("reasoning_gym:chain_sum,size=5", need_solution=False)
    assert data.report() == "reasoning_gym:chain_sum,size=5: 5 problems from 5 rows."
