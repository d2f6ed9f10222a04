"""`selfhint train --dry-run`: the resolved recipe and the prompts of one problem, before anything is trained."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from selfhint.cli import models, rundir, wiring
from selfhint.config import Recipe, dump_recipe
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.prompt import Prompt
from selfhint.hints import insert_hint
from selfhint.hints.cut import solution_prefix

SHOWN_SHARE = 0.25
"""Share of the solution that stands for a hint."""


def show(recipe: Recipe, console: Console) -> None:
    """Prints what a run of this recipe would do. Writes nothing.

    Raises:
        InputError: as the run itself would before it loads the model.
    """
    from selfhint.engines.trl import arguments

    config = arguments.grpo_config(recipe, Path(recipe.out) / rundir.CHECKPOINTS)
    tokenizer = wiring.tokenizer_of(recipe)
    problems = wiring.problems_of(recipe, tokenizer)
    wiring.check_enough(recipe, problems.train)
    wiring.check_context(recipe)
    template_arguments = wiring.template_arguments_of(recipe)

    def print_prompt(title: str, prompt: Prompt) -> None:
        num_tokens = len(models.token_ids(tokenizer, prompt, template_arguments))
        console.rule(f"{title}: {num_tokens} tokens", align="left")
        console.print(models.as_text(tokenizer, prompt, template_arguments))

    console.rule("Recipe", align="left")
    console.print(dump_recipe(recipe), end="")
    console.rule("Run", align="left")
    if recipe.notice is not None:
        console.print(recipe.notice)
    console.print(problems.report)
    console.print(
        f"{recipe.steps} steps of {recipe.batch_problems} problems x {recipe.group_size} completions; updates in a "
        f"step: {arguments.updates_per_step(recipe)}; micro-batches of {config.per_device_train_batch_size} completions"
    )
    problem = problems.train[0]
    print_prompt("Solver", problem.prompt)
    if recipe.hint_source == "none":
        return
    example = solution_prefix(problem.solution or "", SHOWN_SHARE)
    print_prompt(
        "Solver with a hint (here: the solution's first part)",
        insert_hint(problem.prompt, example, wiring.hint_block_of(recipe)),
    )
    if recipe.hint_source in ("self", "offline", "teacher"):
        form = wiring.format_of(recipe)
        for level in range(1, NUM_LEVELS + 1):
            request = form.request(problem, level)
            if request is not None:
                print_prompt(f"Request for a hint of level {level}", request)
            if len(form.levels_asked(level)) > 1:
                break
