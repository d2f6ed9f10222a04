from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.hints import HINT_BLOCK, SOLVER_TEMPLATE, insert_hint, solver_prompt


def test_chat_prompt_is_one_user_message_with_instruction_and_question() -> None:
    prompt = solver_prompt("What is 2 + 2?", chat=True)
    assert [m["role"] for m in prompt] == ["user"]
    assert prompt[0]["content"] == SOLVER_TEMPLATE.replace("{problem}", "What is 2 + 2?")
    assert r"\boxed{}" in SOLVER_TEMPLATE


def test_plain_prompt_is_text() -> None:
    assert solver_prompt("What is 2 + 2?", chat=False) == SOLVER_TEMPLATE.replace("{problem}", "What is 2 + 2?")


@pytest.mark.parametrize("hint", [r"Use \frac{a}{b} and {x}", "{hint} and {0}", "100 % {} {{"])
@pytest.mark.parametrize("question", [r"Let f(x) = {x}. Find \frac{1}{2}.", "plain"])
def test_braces_survive_and_the_rest_of_the_prompt_is_the_same(hint: str, question: str) -> None:
    plain = solver_prompt(question, chat=False)
    assert insert_hint(plain, hint) == plain + "\n\nHere is a hint to help you:\n" + hint


def test_hint_follows_the_last_user_message_and_the_given_prompt_stays() -> None:
    prompt = [{"role": "user", "content": "Q"}]
    assert insert_hint(prompt, "H", "<{hint}>") == [{"role": "user", "content": "Q<H>"}]
    assert prompt == [{"role": "user", "content": "Q"}]


def test_block_may_hold_other_braces() -> None:
    assert insert_hint("Q", "H", r" \text{Hint}: {hint}") == r"Q \text{Hint}: H"


def test_block_without_placeholder_is_an_input_error() -> None:
    with pytest.raises(InputError, match=r"\{hint\}"):
        insert_hint("Q", "H", HINT_BLOCK.replace("{hint}", "hint"))


def test_an_own_template_keeps_its_braces():
    template = r"Use \frac{a}{b}. {problem} {}"
    assert solver_prompt(r"\sqrt{2}?", chat=False, template=template) == r"Use \frac{a}{b}. \sqrt{2}? {}"


def test_a_template_without_a_place_is_refused():
    with pytest.raises(InputError, match=r"has no \{problem\}"):
        solver_prompt("2 + 2?", chat=True, template="Solve it.")
