from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.verify import make_verifier
from selfhint.verify.reward import format_reward, judges_form, length_reward, reward_function


def chat(*texts: str) -> list[list[dict[str, str]]]:
    return [[{"role": "assistant", "content": text}] for text in texts]


def test_text_and_chat_completions() -> None:
    correct = reward_function(make_verifier("exact"))
    texts = (r"\boxed{1}", r"\boxed{2}", "3")
    assert correct.__name__ == "correct"
    assert not judges_form(correct)
    assert correct(completions=[*texts], answer=["1", "1", ""], prompts=["p"] * 3) == [1, 0, None]
    assert correct(completions=chat(*texts), answer=["1", "1", ""], trainer_state=None) == [1, 0, None]


def test_options_of_choices_come_from_a_column() -> None:
    correct = reward_function(make_verifier("choice"))
    texts = [r"\boxed{red}", r"\boxed{blue}", r"\boxed{C}"]
    options = [["red", "blue"], ["red", "blue"], None]
    assert correct(completions=texts, answer=["A", "A", "C"], options=options) == [1, 0, 1]


def test_format_is_a_box_with_any_answer() -> None:
    reward = format_reward()
    texts = (r"so \boxed{7}", "so 7", r"so \boxed{7", r"\boxed{}")
    assert reward.__name__ == "format"
    assert judges_form(reward)
    assert reward(completions=[*texts], answer=["1"] * 4) == [1.0, 0.0, 0.0, 0.0]
    assert reward(completions=chat(*texts), completion_ids=[[1]] * 4) == [1.0, 0.0, 0.0, 0.0]


def test_length_falls_over_the_buffer() -> None:
    reward = length_reward(max_tokens=100, buffer=20)
    ids = [[0] * n for n in (0, 80, 85, 99, 100, 150)]
    assert reward.__name__ == "length"
    assert judges_form(reward)
    assert reward(completions=[""] * 6, completion_ids=ids) == [0.0, 0.0, -0.25, -0.95, -1.0, -1.0]


@pytest.mark.parametrize("buffer", [0, 101])
def test_length_buffer_must_fit(buffer: int) -> None:
    with pytest.raises(InputError, match=r"take 1 to max_tokens=100"):
        length_reward(max_tokens=100, buffer=buffer)
