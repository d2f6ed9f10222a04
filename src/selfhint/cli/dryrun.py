"""`selfhint train --dry-run`: the resolved recipe and the prompts of one problem, before anything is trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from selfhint.cli import wiring
from selfhint.config import Recipe, dump_recipe
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.prompt import Prompt
from selfhint.hints import SelfHints, insert_hint

PLACEHOLDER = "<the hint stands here>"


def show(recipe: Recipe, console: Console) -> None:
    """Prints what a run of this recipe would do.

    Raises:
        InputError: as the run itself would.
    """
    from selfhint.engines.trl import arguments

    config = arguments.grpo_config(recipe, Path(recipe.out))
    model = wiring.model_folder(recipe)
    tokenizer = wiring.load_tokenizer(model)
    problems = wiring.problems_of(recipe, tokenizer)
    wiring.check_enough(recipe, problems.train)

    def print_prompt(title: str, prompt: Prompt) -> None:
        text: Any = prompt
        if not isinstance(prompt, str):
            text = tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
        console.print(f"[bold]{title}[/bold] ({len(tokenizer(text, add_special_tokens=False)['input_ids'])} tokens)")
        console.print(escape(text), soft_wrap=True, highlight=False)
        console.print()

    console.print(escape(dump_recipe(recipe)), highlight=False, soft_wrap=True)
    console.print(problems.report, soft_wrap=True)
    console.print(
        f"{recipe.steps} steps of {recipe.batch_problems} problems x {recipe.group_size} completions, "
        f"{arguments.updates_per_step(recipe)} updates each, micro-batches of {config.per_device_train_batch_size}\n"
    )
    problem = problems.train[0]
    print_prompt("Solver", problem.prompt)
    hints = wiring.hints_of(recipe)
    if recipe.hint_source == "none":
        return
    print_prompt("Solver with a hint", insert_hint(problem.prompt, PLACEHOLDER, wiring.hint_block_of(recipe)))
    if isinstance(hints, SelfHints):
        for level in range(1, NUM_LEVELS + 1):
            request = hints.format.request(problem, level)
            if request is not None:
                print_prompt(f"Request for a hint of level {level}", request)
            if len(hints.format.levels_asked(level)) > 1:
                break
