"""The commands that look before a training, with an engine that answers from a script instead of the model."""

from __future__ import annotations

from collections.abc import Callable

from selfhint.core.prompt import question_of
from selfhint.engines.scripted import ScriptedEngine
from selfhint.engines.seeds import completion_seed

Play = Callable[[str, int], str]
"""(prompt, seed of the completion) → completion."""


def scripted_engine(play: Play, is_correct=None, asked=None):
    """A class to put in `LocalEngine`'s place. One token is one character.

    Args:
        asked: list to which every request for completions is added.
    """

    class Engine(ScriptedEngine):
        def __init__(self, model, tokenizer, verifier, *, seed, on_batch, **settings):
            judge = {} if is_correct is None else {"is_correct": is_correct}
            super().__init__(
                lambda request, i: play(question_of(request.prompt), completion_seed(seed, request, i)), **judge
            )
            self._on_batch = on_batch

        def sample(self, requests):
            if asked is not None:
                asked.extend(requests)
            replies = super().sample(requests)
            self._on_batch(sum(map(len, replies)), sum(c.num_tokens for reply in replies for c in reply))
            return replies

    return Engine
