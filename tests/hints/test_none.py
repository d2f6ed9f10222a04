from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.hints import NoHintSource


def test_never_gives_a_hint(
    make_problem: Callable[..., Problem], make_context: Callable[..., VisitContext], policy: Any
) -> None:
    source = NoHintSource()
    session, model = source.session(make_problem(), make_context()), policy()
    assert [model.run(session.hint(level)) for level in (1, 2, 3)] == [None] * 3
    assert model.requests == []
    assert session.trail.hints == []
