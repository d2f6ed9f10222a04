"""A prompt that the tokenizer cannot read, such as a request for hints to a model with an alphabet of its own."""

from __future__ import annotations

from selfhint.core.errors import InputError
from selfhint.core.prompt import Prompt


def unreadable_prompt(prompt: Prompt, error: Exception, key: str | None = None) -> InputError:
    """The error to raise from what the tokenizer or its chat template raised.

    Args:
        key: the setting that chooses other hints, where the engine has one.
    """
    text = prompt if isinstance(prompt, str) else prompt[-1]["content"]
    return InputError(
        f"the model's tokenizer cannot read the prompt {text[:60]!r} ({str(error).splitlines()[0]}); "
        f"take a model that can, or other hints{f' ({key})' if key else ''}"
    )
