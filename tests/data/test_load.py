from __future__ import annotations

import json
from pathlib import Path

import pytest

from selfhint.core.errors import InputError
from selfhint.core.problem import content_key
from selfhint.data import Columns, LoadedData, load_problems

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
    left_out = {reason: list(rows.examples) for reason, rows in data.left_out.items()}
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
