"""Columns of a TRL data set and the problems made from its rows."""

from __future__ import annotations

import pytest

from selfhint.core.problem import content_key
from selfhint.engines.trl.rows import RowColumns
from support.refusals import refused

ROW = {"prompt": [{"role": "user", "content": "Solve: 1+1"}], "problem": "1+1", "solution": "Count up.", "answer": "2"}
NAMES = list(ROW)


def test_roles_can_be_renamed():
    columns = RowColumns.of({"problem": "question", "solution": "worked", "answer": "gold"})
    row = {"prompt": "Solve: 1+1", "question": "1+1", "worked": "Count up.", "gold": "2"}
    columns.check(list(row), needs_solution=True)
    problem = columns.problem_of(row)
    assert (problem.question, problem.solution, problem.answer) == ("1+1", "Count up.", "2")
    assert problem.prompt == "Solve: 1+1"
    assert problem.key == RowColumns.of(None).problem_of(ROW).key


def test_an_unknown_role_is_refused():
    refused(lambda: RowColumns.of({"question": "q"}), "question", "problem, solution, answer and hints")


@pytest.mark.parametrize("columns", [{"answer": "solution"}, {"solution": "gold", "answer": "gold"}])
def test_one_column_for_solution_and_answer_is_refused(columns):
    refused(lambda: RowColumns.of(columns), "worked solution", repr(columns["answer"]))


@pytest.mark.parametrize("role", ["answer", "solution"])
def test_a_missing_column_is_refused_with_the_mend(role):
    names = [name for name in NAMES if name != role]
    refused(lambda: RowColumns().check(names, needs_solution=True), repr(role), "found: prompt", f"columns={{'{role}'")


def test_a_set_whose_solution_is_the_gold_answer_is_told_so():
    refused(lambda: RowColumns().check(["prompt", "solution"], needs_solution=True), "holds only the gold answer")


def test_without_hints_a_prompt_is_enough():
    RowColumns().check(["prompt"], needs_solution=False)
    problem = RowColumns().problem_of({"prompt": "1+1"})
    assert (problem.question, problem.solution, problem.answer) == ("1+1", None, "")


def test_a_problem_column_that_was_named_must_exist():
    refused(
        lambda: RowColumns.of({"problem": "qestion"}).check(NAMES, needs_solution=False), "'qestion'", "found: prompt"
    )
    RowColumns().check(["prompt", "solution", "answer"], needs_solution=True)


@pytest.mark.parametrize("extra", [{}, {"problem": None}])
def test_without_a_problem_text_the_question_is_read_from_the_prompt(extra):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1"}]
    problem = RowColumns().problem_of({"prompt": messages, "answer": "2", **extra})
    assert problem.question == "1+1"
    assert problem.prompt is messages


def test_numbers_become_text_and_a_missing_value_stays_missing():
    problem = RowColumns().problem_of({**ROW, "answer": 42, "solution": 7})
    assert (problem.answer, problem.solution) == ("42", "7")
    empty = RowColumns().problem_of({**ROW, "answer": None, "solution": None})
    assert (empty.answer, empty.solution) == ("", None)


def test_the_solution_is_not_part_of_the_key():
    problem = RowColumns().problem_of(ROW)
    assert problem.key == content_key("1+1", "2") == RowColumns().problem_of({**ROW, "solution": "Other."}).key
    assert problem.key != RowColumns().problem_of({**ROW, "answer": "3"}).key


@pytest.mark.parametrize("content", [[{"type": "text", "text": "1+1"}], None])
def test_a_message_that_is_no_text_is_refused(content):
    refused(
        lambda: RowColumns().problem_of({**ROW, "prompt": [{"role": "user", "content": content}]}),
        "content",
        "one string",
    )
