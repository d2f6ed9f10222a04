"""Why a hint is refused: the words that stand in `hints.jsonl`, in the metrics and in reports."""

from __future__ import annotations

from dataclasses import dataclass

REASONS: dict[str, str] = {
    "no_solution": "the problem has no reference solution; the gold answer is never used in its place",
    "request_over_budget": "the request (problem and solution) is longer than the prompt budget; nothing was asked",
    "unparsable": "the answer to the request is not in the asked format",
    "missing_level": "the answer to the request leaves this level out",
    "not_a_string": "the answer gives this level as something else than a text",
    "empty": "the hint has no letter and no digit",
    "echo_request": "the hint repeats the request, or is a placeholder",
    "echo_problem": "the hint repeats the problem",
    "answer": "the hint contains the final answer",
    "answer_in_words": "the hint contains the final answer as English number words",
    "solution_copied": "the hint contains the final step of the reference solution",
    "over_budget": "the solver's prompt with the hint is longer than the prompt budget",
}
"""Reason → one-line meaning. The first five are found before the text is looked at, the others by looking at it."""

LEAKS = frozenset({"answer", "answer_in_words", "solution_copied"})
"""Reasons that a source may count instead of refusing the hint. Every other one leaves nothing to show a solver."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What a format gives for a level that it could not read. `reason` is a key of `REASONS`."""

    reason: str
