from __future__ import annotations

from selfhint.verify import ExactVerifier
from selfhint.verify.reward import reward_function


def test_text_and_chat_completions() -> None:
    correct = reward_function(ExactVerifier())
    chat = [[{"role": "assistant", "content": text}] for text in (r"\boxed{1}", r"\boxed{2}", "3")]
    assert correct.__name__ == "correct"
    assert correct(completions=[r"\boxed{1}", r"\boxed{2}", "3"], answer=["1", "1", ""], prompts=["p"] * 3) == [
        1,
        0,
        None,
    ]
    assert correct(completions=chat, answer=["1", "1", ""], trainer_state=None) == [1, 0, None]
