"""One line for a prompt that the tokenizer cannot read."""

from __future__ import annotations

import pytest

from selfhint.engines.unreadable import unreadable_prompt


@pytest.mark.parametrize("prompt", ["Tell me", [{"role": "user", "content": "Tell me"}]])
def test_it_names_the_prompt_the_cause_and_the_mend(prompt):
    error = unreadable_prompt(prompt, ValueError("no token for T\nand more"), key="hints.source")
    expected = "cannot read the prompt 'Tell me' (no token for T); take a model that can, or other hints (hints.source)"
    assert str(error).endswith(expected)
    assert str(unreadable_prompt(prompt, ValueError("x"))).endswith("or other hints")
