"""What becomes of a text in which the guard finds something."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from selfhint.core.ports import VisitContext
from selfhint.core.problem import Problem
from selfhint.hints.leak import refusal
from selfhint.hints.session import RecordingSession

MakeProblem = Callable[..., Problem]
MakeContext = Callable[..., VisitContext]


@pytest.mark.parametrize(
    ("text", "fits", "refused", "flagged"),
    [
        ("Count one row.", True, None, None),
        ("The answer is 54.", True, None, "answer"),
        ("There are fifty-four.", True, None, "answer_in_words"),
        ("The shelf holds 6 * 9 = 54 jars.", True, None, "answer"),
        ("The answer is 54.", False, "over_budget", None),
        ("...", True, "empty", None),
        ("Hint text here", True, "echo_request", None),
        ("A shelf holds 6 rows of 9 jars. How many jars does it hold?", True, "echo_problem", None),
    ],
)
def test_only_leaks_are_counted(
    text: str,
    fits: bool,
    refused: str | None,
    flagged: str | None,
    make_problem: MakeProblem,
    make_context: MakeContext,
) -> None:
    context = make_context(fits=lambda prompt: fits)
    session = RecordingSession(make_problem(), context, refusal, count_leaks=True)
    used = session.offer(1, 0, text, "self", keep=True)
    (made,) = session.trail.hints
    assert (made.refused, made.flagged, made.keep) == (refused, flagged, refused is None)
    assert used is (made if refused is None else None)
    strict = RecordingSession(make_problem(), context, refusal, count_leaks=False)
    assert (strict.offer(1, 0, text, "self") is None) is (refused is not None or flagged is not None)
    assert strict.trail.hints[0].flagged is None
