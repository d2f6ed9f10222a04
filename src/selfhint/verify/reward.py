"""A verifier as a TRL reward function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from selfhint.core.ports import Verifier


def reward_function(verifier: Verifier) -> Callable[..., list[float | None]]:
    """A reward function named `correct`: 1 or 0 a completion, None where the gold answer is unreadable.

    TRL calls it with `completions`, plain text or chat, and the data set's columns; it needs the column `answer`.
    """

    def correct(
        completions: Sequence[str | Sequence[Mapping[str, Any]]], answer: Sequence[str], **kwargs: Any
    ) -> list[float | None]:
        texts = [c if isinstance(c, str) else c[-1]["content"] for c in completions]
        return [verdict.reward for verdict in verifier.judge(answer, texts)]

    return correct
