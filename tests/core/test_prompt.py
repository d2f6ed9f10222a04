"""The hint goes behind the last user message; nothing else of the user's prompt changes."""

from __future__ import annotations

import copy

import pytest

from selfhint.core.prompt import append_to_prompt, question_of


def message(role, content):
    return {"role": role, "content": content}


def test_plain_text_is_continued():
    assert append_to_prompt("Add 2 and 3.", "\nHint: count.") == "Add 2 and 3.\nHint: count."


@pytest.mark.parametrize(
    ("prompt", "changed"),
    [
        ([message("user", "q")], 0),
        ([message("system", "s"), message("user", "q")], 1),
        ([message("user", "example"), message("assistant", "shown"), message("user", "q")], 2),
        ([message("user", "q"), message("assistant", "The answer")], 0),
    ],
)
def test_only_the_last_user_message_changes(prompt, changed):
    before = copy.deepcopy(prompt)
    result = append_to_prompt(prompt, " + hint")
    assert prompt == before
    assert result[changed] == message("user", "q + hint")
    assert [m for i, m in enumerate(result) if i != changed] == [m for i, m in enumerate(before) if i != changed]


def test_changing_the_result_leaves_the_given_prompt_alone():
    prompt = (message("system", "s"), message("user", "q"), message("assistant", "a"))
    for m in append_to_prompt(prompt, " + hint"):
        m["content"] = "changed"
    assert [m["content"] for m in prompt] == ["s", "q", "a"]


def test_other_fields_of_the_message_stay():
    (result,) = append_to_prompt([{**message("user", "q"), "name": "Ada"}], "!")
    assert result == {"role": "user", "content": "q!", "name": "Ada"}


@pytest.mark.parametrize("prompt", [[], [message("system", "s"), message("assistant", "a")]])
def test_a_chat_without_a_user_message_cannot_carry_a_hint(prompt):
    with pytest.raises(ValueError, match="needs a user message"):
        append_to_prompt(prompt, "hint")


def test_a_problem_reads_the_same_as_text_and_as_a_chat():
    assert question_of("q") == "q"
    assert question_of([message("user", "q")]) == "q"
    assert question_of([message("system", "Be brief."), message("user", "q")]) == "q"
    assert question_of([message("user", "e"), message("assistant", "a"), message("user", "q")]) == "e\n\na\n\nq"
