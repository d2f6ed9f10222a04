"""A problem, a visit's context and a scripted policy."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from selfhint.core.group import Completion, Hint
from selfhint.core.ledger import StoredHint
from selfhint.core.ports import Sample, VisitContext
from selfhint.core.problem import Problem
from selfhint.hints import insert_hint, solver_prompt


@pytest.fixture
def make_problem() -> Callable[..., Problem]:
    def make(
        question: str = "A shelf holds 6 rows of 9 jars. How many jars does it hold?",
        solution: str | None = "Every row has nine jars, so multiply rows by jars.\nThe shelf holds 6 * 9 = 54 jars.",
        answer: str = "54",
        chat: bool = True,
    ) -> Problem:
        return Problem(question, solution, answer, solver_prompt(question, chat=chat))

    return make


@pytest.fixture
def make_context() -> Callable[..., VisitContext]:
    def make(
        visit: int = 0,
        fits: Callable[[Any], bool] = lambda prompt: True,
        stored: Mapping[int, str] | None = None,
        **others: Any,
    ) -> VisitContext:
        """Stored texts are of step 0 and epoch 0."""
        texts = {level: StoredHint(text, 0, 0) for level, text in (stored or {}).items()}
        return VisitContext(
            **{"step": visit, "visit": visit, "hinted": insert_hint, "fits": fits, "stored": texts, **others}
        )

    return make


@dataclass
class ScriptedPolicy:
    """Answers requests with the given texts in turn and keeps the requests."""

    texts: Sequence[str] = ()
    requests: list[Sample] = field(default_factory=list)

    def run(self, hint: Generator[Any, Any, Hint | None]) -> Hint | None:
        try:
            request = next(hint)
            while True:
                assert isinstance(request, Sample)
                self.requests.append(request)
                text = self.texts[len(self.requests) - 1]
                request = hint.send([Completion(text=text, num_tokens=10)])
        except StopIteration as end:
            return end.value


@pytest.fixture
def policy() -> type[ScriptedPolicy]:
    return ScriptedPolicy
