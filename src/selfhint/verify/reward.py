"""Reward functions for TRL's GRPOTrainer: whether a completion is correct, and rewards for its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfhint.core.errors import InputError
from selfhint.core.ports import Verifier
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.choice import with_options

Completions = Sequence[str | Sequence[Mapping[str, Any]]]
"""Plain text or chat messages, as TRL gives them."""


def reward_function(verifier: Verifier) -> Callable[..., list[float | None]]:
    """A reward function named `correct`: 1 or 0 a completion, None where the gold answer is unreadable.

    TRL calls it with `completions`, plain text or chat, and the data set's columns; it needs the column `answer`, and
    reads a column `options` where answers are choices.
    """

    def correct(
        completions: Completions, answer: Sequence[Any], options: Sequence[Any] | None = None, **kwargs: Any
    ) -> list[float | None]:
        if options is not None and verifier.name == "choice":
            answer = [with_options(*pair) for pair in zip(answer, options, strict=True)]
        return [verdict.reward for verdict in verifier.judge(answer, _texts(completions))]

    return correct


def format_reward() -> Callable[..., list[float]]:
    r"""A reward function named `format`: 1 for a completion with a \boxed{…} answer, whatever it is, else 0."""

    def format(completions: Completions, **kwargs: Any) -> list[float]:
        return [float(last_boxed(text) is not None) for text in _texts(completions)]

    return _of_form(format)


def length_reward(max_tokens: int, buffer: int) -> Callable[..., list[float]]:
    """A reward function named `length`: 0 up to `max_tokens - buffer` tokens, from there down to -1 at `max_tokens`.

    DAPO's soft punishment of overlong completions (arXiv 2503.14476, equation 13).

    Args:
        max_tokens: length at which and beyond which the reward is -1.
        buffer: tokens before that over which it falls.

    Raises:
        InputError: the buffer is not within 1 … `max_tokens`.
    """
    if not 1 <= buffer <= max_tokens:
        raise InputError(f"length reward: a buffer of {buffer} tokens; take 1 to max_tokens={max_tokens}")

    def length(completion_ids: Sequence[Sequence[int]], **kwargs: Any) -> list[float]:
        return [max(-1.0, min(0.0, (max_tokens - buffer - len(ids)) / buffer)) for ids in completion_ids]

    return _of_form(length)


def judges_form(reward: Callable[..., Any]) -> bool:
    """Whether a reward function is of a completion's form, so that it never says that one is correct."""
    return getattr(reward, "judges_form", False) is True


def _of_form(reward: Callable[..., list[float]]) -> Callable[..., list[float]]:
    reward.judges_form = True  # type: ignore[attr-defined]
    return reward


def _texts(completions: Completions) -> list[str]:
    return [c if isinstance(c, str) else c[-1]["content"] for c in completions]
