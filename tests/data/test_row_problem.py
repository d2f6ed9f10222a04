from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.data import Columns, Layout, Place, Row
from selfhint.data.row_problem import LeaveOutError, RowReader

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1"}]


def reader(need_solution=True, prompt=None, **columns):
    return RowReader(Layout(Columns(**columns), prompt), lambda question: f"Q: {question}", need_solution)


def row(nested=None, **values):
    values = {"problem": "1+1", "solution": "One and one is 2.", "answer": "2"} | values
    return Row(Place("d.jsonl", "line", 3), values, {"problem": values["problem"], "prompt": None} | (nested or {}))


def test_a_row_becomes_a_problem():
    problem = reader().problem(row())
    assert (problem.question, problem.solution, problem.answer, problem.prompt) == (
        "1+1",
        "One and one is 2.",
        "2",
        "Q: 1+1",
    )
    assert not reader().has_own_prompt(row())


def test_chat_messages_are_asked_as_they_are():
    beside = reader(prompt="prompt")
    asked = row({"prompt": CHAT}, problem="What is 1+1?")
    assert (beside.problem(asked).question, beside.problem(asked).prompt) == ("What is 1+1?", CHAT)
    assert beside.has_own_prompt(asked)
    assert reader().question(row({"problem": CHAT}, problem=None)) == "1+1"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"problem": " "}, "without problem"),
        ({"answer": None}, "without answer"),
        ({"solution": None}, "without solution"),
        ({"solution": "#### 2"}, "whose solution is only the answer"),
    ],
)
def test_what_is_no_problem_says_why(values, reason):
    with pytest.raises(LeaveOutError) as caught:
        reader().problem(row(**values))
    assert caught.value.reason == reason


def test_a_solution_that_is_not_needed_may_be_missing():
    assert reader(need_solution=False).problem(row(solution=None)).solution is None


def test_half_a_surrogate_pair_in_a_hint():
    with pytest.raises(LeaveOutError) as caught:
        reader(hints="h").problem(row({"h": {"level_2": ["Look.", "\ud83d"]}}))
    assert caught.value.reason == "with a hint that holds half of a surrogate pair"


def test_hints_of_another_form_are_refused_with_their_place():
    with pytest.raises(InputError, match=r"d\.jsonl, line 3, column 'h': the hints are"):
        reader(hints="h").problem(row({"h": 3}))
