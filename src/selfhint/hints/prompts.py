"""The solver's prompt, and how a hint is put into it."""

from __future__ import annotations

from selfhint.core.errors import InputError
from selfhint.core.prompt import Prompt, append_to_prompt

HINT_BLOCK = "\n\nHere is a hint to help you:\n{hint}"
"""What follows the problem when there is a hint; `{hint}` is replaced by its text."""

SOLVER_TEMPLATE = "Solve the following problem step by step. Put your final answer in \\boxed{}.\n\n{problem}"
"""What the solver is asked; `{problem}` is replaced by the problem's text."""


def solver_prompt(question: str, *, chat: bool, template: str = SOLVER_TEMPLATE) -> Prompt:
    """What the solver is asked.

    Args:
        question: the problem text.
        chat: one user message (never a system role); otherwise plain text, for base models without a template.
        template: the placeholder is replaced literally, so that braces (LaTeX) keep standing.

    Raises:
        InputError: the template has no `{problem}`.
    """
    if "{problem}" not in template:
        raise InputError(f"prompt {template!r} has no {{problem}}: add it where the problem's text shall stand")
    return as_prompt(template.replace("{problem}", question), chat=chat)


def as_prompt(text: str, *, chat: bool) -> Prompt:
    """`text` as one user message, or as it is."""
    return [{"role": "user", "content": text}] if chat else text


def insert_hint(prompt: Prompt, text: str, block: str = HINT_BLOCK) -> Prompt:
    """A new prompt with the hint behind the last user message (behind a plain prompt's text).

    The placeholder is replaced literally: braces in the hint or in the block (LaTeX) keep standing.

    Raises:
        InputError: the block has no `{hint}`.
    """
    if "{hint}" not in block:
        raise InputError(f"hint block {block!r} has no {{hint}}: add it where the hint shall stand")
    return append_to_prompt(prompt, block.replace("{hint}", text))
