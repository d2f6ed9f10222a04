"""Rows of verl's data and the problems made from them."""

from __future__ import annotations

import pytest

from selfhint.config.verl import VerlColumns
from selfhint.core.problem import content_key
from selfhint.engines.trl.rows import RowColumns
from selfhint.engines.verl.rows import check_row, problem_of, rows_of, value_at
from support.installed import needs_verl
from support.refusals import refused

PROMPT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1"}]
COLUMNS = VerlColumns()


def row(**changes):
    """As verl's data set hands it over."""
    made = {
        "data_source": "sums",
        "raw_prompt": PROMPT,
        "reward_model": {"style": "rule", "ground_truth": "2"},
        "extra_info": {"index": 0, "solution": "Count up.", "deep": {"er": "here"}},
        "index": 0,
        **changes,
    }
    return {name: value for name, value in made.items() if value is not ...}


def made_from(changed, columns=COLUMNS):
    return problem_of(changed, changed["raw_prompt"], columns)


# Where a value stands


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("data_source", "sums"),
        ("reward_model.ground_truth", "2"),
        ("solution", "Count up."),
        ("extra_info.solution", "Count up."),
        ("deep.er", "here"),
        ("extra_info.deep.er", "here"),
        ("index", 0),
        ("absent", None),
        ("deep.absent", None),
        ("data_source.x", None),
        ("solution.x", None),
        ("reward_model.", None),
    ],
)
def test_a_column_or_else_a_field_of_extra_info(name, value):
    assert value_at(row(), name) == value


def test_a_column_goes_before_extra_info():
    assert value_at(row(solution="mine"), "solution") == "mine"


def test_a_name_with_a_dot_in_a_column_that_is_no_group_looks_on_in_extra_info():
    assert value_at(row(solution="text", extra_info={"solution": {"text": "deeper"}}), "solution.text") == "deeper"


@pytest.mark.parametrize("extra", [None, ..., "text", []])
def test_extra_info_may_be_anything(extra):
    assert value_at(row(extra_info=extra), "solution") is None
    assert made_from(row(extra_info=extra)).solution is None


# Problems


def test_the_problem_of_a_row():
    problem = made_from(row())
    assert (problem.question, problem.solution, problem.answer) == ("1+1", "Count up.", "2")
    assert problem.prompt is PROMPT
    assert problem.key == content_key("1+1", "2")


def test_the_solvers_prompt_is_the_one_given():
    hinted = [*PROMPT, {"role": "user", "content": "a hint"}]
    assert problem_of(row(), hinted, VerlColumns(problem="data_source")).prompt is hinted


def test_other_columns():
    columns = VerlColumns(problem="q", solution="proof", answer="gold")
    problem = made_from(row(q="What is 1+1?", proof="So.", gold="two"), columns)
    assert (problem.question, problem.solution, problem.answer) == ("What is 1+1?", "So.", "two")


def test_values_become_text_and_a_missing_one_stays_missing():
    problem = made_from(row(reward_model={"ground_truth": 42}, extra_info={"solution": 7}))
    assert (problem.answer, problem.solution) == ("42", "7")
    empty = made_from(row(reward_model={"ground_truth": None}, extra_info={"solution": None}))
    assert (empty.answer, empty.solution) == ("", None)


@pytest.mark.parametrize(
    ("question", "answer", "solution"),
    [("1+1", "2", "Count."), ("e\u0301 = ?", "\u00e9", None), ("数", 42, "x"), ("1+1", None, "x"), (None, "2", "x")],
)
def test_the_key_is_the_one_of_the_trl_engine(question, answer, solution):
    """A problem's history means the same on both engines, so a record may move."""
    trl = {"prompt": PROMPT, "problem": question, "solution": solution, "answer": answer}
    verl = row(reward_model={"ground_truth": answer}, extra_info={"problem": question, "solution": solution})
    ours, theirs = made_from(verl, VerlColumns(problem="problem")), RowColumns().problem_of(trl)
    assert ours == theirs
    assert ours.key == theirs.key
    assert made_from(verl).key == RowColumns().problem_of({**trl, "problem": None}).key


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": [{"type": "text", "text": "1+1"}]},
        {"role": "user", "content": None},
        {"role": "user"},
        "1+1",
        None,
    ],
)
def test_a_message_that_is_no_text_is_refused(message):
    refused(lambda: made_from(row(raw_prompt=[PROMPT[0], message])), "data", "which is no text", "{role, content}")


@pytest.mark.parametrize("prompt", ["1+1", None, 7, {"role": "user", "content": "1+1"}])
def test_a_prompt_that_is_no_list_of_messages_is_refused(prompt):
    refused(lambda: made_from(row(raw_prompt=prompt)), repr(str(prompt)[:60]), "not a list of messages", '"role"')


# The first row


def test_a_whole_row_passes():
    check_row(row(), COLUMNS, needs_solution=True)
    check_row(row(), VerlColumns(problem="data_source"), needs_solution=True)


def test_without_hints_a_prompt_is_enough():
    bare = {"raw_prompt": [{"role": "assistant", "content": "1+1"}]}
    check_row(bare, COLUMNS, needs_solution=False)


@pytest.mark.parametrize(
    ("changes", "role", "name"),
    [
        ({"extra_info": {}}, "solution", "solution"),
        ({"extra_info": None}, "solution", "solution"),
        ({"reward_model": ...}, "answer", "reward_model.ground_truth"),
    ],
)
def test_what_hints_need_and_the_row_lacks_is_refused_with_what_there_is(changes, role, name):
    refused(
        lambda: check_row(row(**changes), COLUMNS, needs_solution=True),
        f"no {name!r} for the {role}",
        "found: data_source",
        f"selfhint.columns.{role}=...",
    )
    check_row(row(**changes), COLUMNS, needs_solution=False)


@pytest.mark.parametrize("changes", [{"extra_info": {"solution": None}}, {"reward_model": {"ground_truth": None}}])
def test_a_first_problem_without_a_value_is_one_that_gets_no_hint(changes):
    check_row(row(**changes), COLUMNS, needs_solution=True)


def test_fields_of_extra_info_are_named_among_what_there_is():
    refused(
        lambda: check_row(row(extra_info={"proof": "x"}), COLUMNS, needs_solution=True), "extra_info.proof", "solution"
    )


def test_a_problem_column_that_was_named_must_exist():
    refused(
        lambda: check_row(row(), VerlColumns(problem="qestion"), needs_solution=False),
        "'qestion' for the problem",
        "selfhint.columns.problem=...",
    )


@pytest.mark.parametrize("needs_solution", [True, False])
def test_the_first_rows_prompt_is_looked_at(needs_solution):
    refused(lambda: check_row(row(raw_prompt="1+1"), COLUMNS, needs_solution), "not a list of messages")


def test_a_prompt_that_no_hint_can_go_into_is_refused_where_hints_are_needed():
    silent = row(raw_prompt=[{"role": "system", "content": "1+1"}])
    refused(lambda: check_row(silent, COLUMNS, needs_solution=True), "no user message")
    check_row(silent, COLUMNS, needs_solution=False)


# Rows of a batch as verl makes it


@pytest.fixture
def batch():
    import torch
    from verl.utils import tensordict_utils as tu
    from verl.utils.dataset.rl_dataset import collate_fn

    from selfhint.engines.verl.report import ASSIGNMENT

    rows = [{**row(index=i), "uid": f"u{i}", "dummy_tensor": torch.tensor([i])} for i in range(4)]
    made = tu.get_tensordict(collate_fn(rows))
    tu.assign_non_tensor_data(made, "global_steps", 7)
    tu.assign_non_tensor_stack(made, ASSIGNMENT, [{"visit": i, "record": {"visits": i}} for i in range(4)])
    return made


def parts(batch):
    """A batch, its shares of one row and of two, and what a dead worker leaves of it."""
    yield [0, 1, 2, 3], batch
    yield from (([i], share) for i, share in enumerate(batch.chunk(4)))
    yield from (([2 * i, 2 * i + 1], share) for i, share in enumerate(batch.chunk(2)))
    for chosen in ([0], [3, 1], [0, 1, 2, 3]):
        yield chosen, batch[chosen]
    yield [2], batch.chunk(2)[1][[0]]
    yield [3], batch[[1, 3]].chunk(2)[1]


@needs_verl
def test_rows_of_a_batch_and_of_its_parts(batch):
    for numbers, part in parts(batch):
        found = rows_of(part)
        assert [made.pop("dummy_tensor").tolist() for made in found] == [[i] for i in numbers]
        assert found == [
            {**row(index=i), "uid": f"u{i}", "global_steps": 7, "selfhint": {"visit": i, "record": {"visits": i}}}
            for i in numbers
        ]
        for made in found:
            assert type(made["raw_prompt"]) is list
            assert type(made["extra_info"]) is dict
            assert type(made["index"]) is int
        assert {made_from(made).key for made in found} == {content_key("1+1", "2")}
