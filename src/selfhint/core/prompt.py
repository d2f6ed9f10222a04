"""Prompts as engines take them: plain text, or chat messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Message = Mapping[str, str]
Prompt = str | Sequence[Message]
"""Plain text (base models), or chat messages with `role` and `content`."""


def append_to_prompt(prompt: Prompt, text: str) -> Prompt:
    """A new prompt with `text` behind the last user message (behind the whole text of a plain prompt).

    The given prompt is not changed and no message is added, so a template without a system role keeps working.

    Raises:
        ValueError: a chat prompt has no user message.
    """
    if isinstance(prompt, str):
        return prompt + text
    for i in range(len(prompt) - 1, -1, -1):
        if prompt[i]["role"] == "user":
            changed = {**prompt[i], "content": prompt[i]["content"] + text}
            return [*(dict(m) for m in prompt[:i]), changed, *(dict(m) for m in prompt[i + 1 :])]
    raise ValueError("a chat prompt needs a user message to carry the hint")


def question_of(prompt: Prompt) -> str:
    """The problem text of a prompt: the text itself, or the non-system messages joined by blank lines.

    The same problem therefore reads the same as plain text and as one user message.
    """
    if isinstance(prompt, str):
        return prompt
    return "\n\n".join(m["content"] for m in prompt if m["role"] != "system")
