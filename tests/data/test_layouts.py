"""Rows made for verl and for TRL, as their users have them."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from selfhint.core.errors import InputError
from selfhint.core.problem import content_key
from selfhint.data import Columns, load_problems

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1"}]
VERL = {
    "data_source": "sums",
    "prompt": CHAT,
    "ability": "math",
    "reward_model": {"style": "rule", "ground_truth": "2"},
    "extra_info": {"split": "train", "index": 0, "answer": "One and one are two. #### 2", "question": "1+1"},
}
VERL_NOTE = "Read as verl's rows: problem = prompt, solution = extra_info.answer, answer = reward_model.ground_truth"


def load(folder, row, parquet=False, need_solution=True, **columns):
    path = folder / ("d.parquet" if parquet else "d.jsonl")
    if parquet:
        pq.write_table(pa.Table.from_pylist([row]), path)
    else:
        path.write_text(json.dumps(row) + "\n")
    return load_problems(path, Columns(**columns), make_prompt="ask {}".format, need_solution=need_solution)


@pytest.mark.parametrize("parquet", [False, True])
def test_verls_rows(parquet, tmp_path):
    data = load(tmp_path, VERL, parquet)
    (problem,) = data.problems
    assert (problem.question, problem.solution, problem.answer) == ("1+1", "One and one are two. #### 2", "2")
    assert problem.prompt == CHAT
    assert data.note == VERL_NOTE
    assert data.report().endswith(f"1 problem from 1 row. {VERL_NOTE}. Asked in their own chat messages: 1 problem.")


def test_named_columns_go_before_recognised_ones(tmp_path):
    row = {**VERL, "extra_info": {**VERL["extra_info"], "worked": "Count."}}
    (problem,) = load(tmp_path, row, solution="extra_info.worked", problem="extra_info.question").problems
    assert (problem.question, problem.solution, problem.answer) == ("1+1", "Count.", "2")
    assert problem.prompt == CHAT, "what the data ask stays"


def test_verls_rows_without_a_solution(tmp_path):
    row = {**VERL, "extra_info": {"index": 0}}
    with pytest.raises(InputError, match=r"no column 'solution' .*Read as verl's rows.*columns.solution=NAME"):
        load(tmp_path, row)
    (problem,) = load(tmp_path, row, need_solution=False).problems
    assert problem.solution is None


@pytest.mark.parametrize("prompt", [CHAT[1:], "1+1"], ids=["chat", "text"])
def test_trls_rows(prompt, tmp_path):
    data = load(tmp_path, {"prompt": prompt, "solution": "One and one.", "answer": "2"})
    (problem,) = data.problems
    assert (problem.question, problem.solution, problem.answer) == ("1+1", "One and one.", "2")
    assert problem.prompt == ("ask 1+1" if prompt == "1+1" else prompt), "text goes into the solver's template"
    assert data.note == "Read as TRL's rows: problem = prompt, solution = solution, answer = answer"
    assert problem.key == content_key("1+1", "2")


def test_trls_gold_in_the_column_solution(tmp_path):
    row = {"prompt": "1+1", "solution": "$2$"}
    data = load(tmp_path, row, need_solution=False)
    assert (data.problems[0].solution, data.problems[0].answer) == (None, "$2$")
    assert data.note == "Read as TRL's rows: problem = prompt, answer = solution"
    with pytest.raises(
        InputError, match=r"no worked solution .*answer = solution\); add a column of worked solutions, or me"
    ):
        load(tmp_path, row)


def test_a_chat_prompt_beside_the_usual_columns_is_asked_as_it_is(tmp_path):
    data = load(tmp_path, {"prompt": CHAT, "problem": "one plus one", "solution": "One and one.", "answer": "2"})
    assert (data.problems[0].question, data.problems[0].prompt) == ("one plus one", CHAT)
    assert (data.note, data.num_chat) == (None, 1)


def test_a_column_of_chat_messages_that_the_user_names(tmp_path):
    data = load(tmp_path, {"messages": CHAT, "solution": "One and one.", "answer": "2"}, problem="messages")
    assert (data.problems[0].question, data.problems[0].prompt) == ("1+1", CHAT)


def test_unusable_chat_prompts_are_left_out_and_counted(tmp_path):
    rows = [{**VERL, "prompt": CHAT[:1]}, {**VERL, "prompt": None}, VERL]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = load_problems(path, Columns(), make_prompt=str, need_solution=True)
    left_out = {reason: rows.examples[0].number for reason, rows in data.left_out.items()}
    assert left_out == {"whose prompt is no list of text messages with a user's among them": 1, "without problem": 2}


def test_a_column_named_like_the_default_is_not_replaced(tmp_path):
    with pytest.raises(InputError, match=r"no column 'problem' .*set columns.problem=prompt$"):
        load(tmp_path, {"prompt": CHAT, "solution": "One and one.", "answer": "2"}, named=("problem",))


WORKED = "One and one are <<1+1=2>>2.\n#### 2"


@pytest.mark.parametrize("columns", [{}, {"solution": "answer"}], ids=["absent", "named"])
def test_worked_texts_that_end_in_the_answer(tmp_path, columns):
    data = load(tmp_path, {"question": "1+1", "answer": WORKED}, problem="question", **columns)
    (problem,) = data.problems
    assert (problem.question, problem.solution, problem.answer) == ("1+1", WORKED, "2")
    assert data.note == "Column 'answer' holds worked texts that end in the answer, behind ####"


def test_answers_that_are_not_all_marked_stay_as_they_are(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps({"problem": a, "answer": a}) + "\n" for a in (WORKED, "2")))
    data = load_problems(path, Columns(), make_prompt=str, need_solution=False)
    assert [problem.answer for problem in data.problems] == [WORKED, "2"]


def test_a_generators_columns_are_its_own():
    pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")
    columns = Columns(problem="question", solution="worked", named=("problem", "solution"))
    data = load_problems("reasoning_gym:gsm_symbolic,size=2", columns, make_prompt=str, need_solution=True)
    assert len(data.problems) == 2
