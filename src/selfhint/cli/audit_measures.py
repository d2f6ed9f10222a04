"""What an audit counts in tokens, as a run of the recipe would.

How long a written hint will be is not known; the first part of the solution that serves as the strongest hint stands
for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from selfhint.cli import models, wiring
from selfhint.config import Recipe
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, question_of
from selfhint.data import read_hints_file
from selfhint.data.audit.lengths import Measure
from selfhint.hints import insert_hint
from selfhint.hints.cut import solution_prefix
from selfhint.hints.formats import FULL_STRENGTH_SHARE

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

PERCENT = f"{100 * FULL_STRENGTH_SHARE:.0f} %"


def measures_of(recipe: Recipe, tokenizer: PreTrainedTokenizerBase) -> tuple[Measure, ...]:
    """The solver's prompt and the solution; with hints the longest request for one, and the prompt with a long one."""
    template_arguments = wiring.template_arguments_of(recipe)

    def count_tokens(prompt: Prompt) -> int:
        return len(models.token_ids(tokenizer, prompt, template_arguments))

    def solution(problem: Problem) -> int | None:
        if problem.solution is None:
            return None
        return len(tokenizer.encode(problem.solution, add_special_tokens=False))

    prompt_budget = recipe.max_prompt_tokens
    measures = [
        Measure("prompt", "max_prompt_tokens", prompt_budget, "prompt_over_budget", lambda p: count_tokens(p.prompt)),
        Measure("solution", "max_completion_tokens", recipe.max_completion_tokens, "solution_over_budget", solution),
    ]
    source = recipe.hint_source
    if source in ("self", "offline", "teacher"):
        budget = None if source == "teacher" else wiring.longest_request_of(recipe)
        count = _of(_longest_request(recipe), count_tokens)
        measures.append(Measure("hint request", "hints.max_tokens", budget, "request_over_budget", count))
    if source != "none":
        what = "prompt, longest hint" if source == "given" else f"prompt, {PERCENT} of solution"
        measures.append(
            Measure(what, "max_prompt_tokens", prompt_budget, "hinted_over_budget", _of(_hinted(recipe), count_tokens))
        )
    return tuple(measures)


def _of(
    make: Callable[[Problem], Prompt | None], count_tokens: Callable[[Prompt], int]
) -> Callable[[Problem], int | None]:
    def count(problem: Problem) -> int | None:
        prompt = make(problem)
        return None if prompt is None else count_tokens(prompt)

    return count


def _longest_request(recipe: Recipe) -> Callable[[Problem], Prompt | None]:
    form = wiring.format_of(recipe)

    def longest(problem: Problem) -> Prompt | None:
        if problem.solution is None:
            return None
        requests = (form.request(problem, level) for level in range(1, NUM_LEVELS + 1))
        asked = [request for request in requests if request is not None]
        return max(asked, key=lambda request: len(question_of(request)), default=None)

    return longest


def _hinted(recipe: Recipe) -> Callable[[Problem], Prompt | None]:
    block = wiring.hint_block_of(recipe)
    given = recipe.hint_source == "given"
    file = read_hints_file(recipe.hints.file) if given and recipe.hints.file is not None else None

    def hinted(problem: Problem) -> Prompt | None:
        if given:
            hints = problem.hints if file is None else file.of(problem)
            hint = max((text for texts in hints.values() for text in texts), key=len, default=None)
        else:
            hint = None if problem.solution is None else solution_prefix(problem.solution, FULL_STRENGTH_SHARE)
        return None if hint is None else insert_hint(problem.prompt, hint, block)

    return hinted
