"""The guard every hint passes, whatever its source: no final answer, no echo, no copied end of the solution."""

from __future__ import annotations

import re
from collections.abc import Callable

from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, question_of
from selfhint.hints.answer_leak import answer_leak
from selfhint.hints.choices import with_options
from selfhint.hints.gold import answer_in, options_in

Guard = Callable[[Problem, str, Prompt | None], str | None]
"""(problem, hint text, the request it answers or None) → a key of `REASONS`, or None for a good hint."""

ECHO_SHARE = 0.5
"""A hint with at least this share of its word triples in the request's own words is an echo of the request."""

QUOTE_SHARE = 0.9
"""The same for a hint that quotes the problem, and for a hint that holds the solution's final step."""

MIN_WORDS_QUOTED = 8
"""Shorter quotes of the problem may point at what matters in it."""

MIN_WORDS_COPIED = 5
"""Of a shorter final step little but the answer is left, which has its own check."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_STEP_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_PLACEHOLDER_WORDS = (
    "hint hints level string text placeholder todo tbd none null na undefined empty example description"
)
_COMPANY_WORDS = (
    "a an any available for given goes here insert is n needed no of or problem provided required the this to write "
    "your 1 2 3"
)
_PLACEHOLDERS = frozenset(_PLACEHOLDER_WORDS.split())
_PLACEHOLDER_COMPANY = frozenset(_COMPANY_WORDS.split())


def refusal(problem: Problem, text: str, request: Prompt | None = None) -> str | None:
    """Why `text` may not serve as a hint: a key of `REASONS`, or None.

    Args:
        problem: x, τ* and the gold answer.
        text: the hint.
        request: what the policy was asked; None for a hint that answers no request.
    """
    words = _words(text)
    if not words:
        return "empty"
    if _echoes_request(problem, words, request):
        return "echo_request"
    if _quotes(words, _words(problem.question)):
        return "echo_problem"
    question = with_options(problem.question, options_in(problem.answer))
    if leak := answer_leak(text, answer_in(problem.answer), question):
        return leak
    return "solution_copied" if _holds_final_step(words, problem.solution or "") else None


def final_step(solution: str) -> str:
    """The last sentence or line of a solution that is more than a mark with the answer (`#### 72`)."""
    steps = [step.strip() for step in _STEP_END.split(solution)]
    return next((step for step in reversed(steps) if step and not step.startswith("####")), "")


def _echoes_request(problem: Problem, words: list[str], request: Prompt | None) -> bool:
    kinds = set(words)
    if kinds & _PLACEHOLDERS and kinds <= _PLACEHOLDERS | _PLACEHOLDER_COMPANY:
        return True
    if request is None or len(words) < 3:
        return False
    own = question_of(request)
    for part in (problem.question, problem.solution):
        own = own.replace(part, "\n") if part else own
    return _share(words, _words(own)) >= ECHO_SHARE


def _quotes(words: list[str], question: list[str]) -> bool:
    if words == question:
        return True
    return len(words) >= MIN_WORDS_QUOTED and _share(words, question) >= QUOTE_SHARE


def _holds_final_step(words: list[str], solution: str) -> bool:
    """Nearly all of the final step, its last words among it: a prefix of a one-step solution does not."""
    final = _words(final_step(solution))
    if len(final) < MIN_WORDS_COPIED:
        return False
    return _share(final[-3:], words) == 1.0 and _share(final, words) >= QUOTE_SHARE


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _share(words: list[str], of: list[str]) -> float:
    """The share of the distinct word triples in `words` that stand in `of`."""
    triples = set(zip(words, words[1:], words[2:], strict=False))
    return len(triples & set(zip(of, of[1:], of[2:], strict=False))) / max(1, len(triples))
