"""The `selfhint` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from selfhint.core.errors import InputError, SelfHintError

app = typer.Typer(
    help="GRPO that learns from problems too hard for the policy: SAGE, SAGE-light and plain GRPO on TRL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

RecipeArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RECIPE] [KEY=VALUE]...", help="A recipe file, then values that go over it.", show_default=False
    ),
]


def _recipe_and_overrides(words: list[str]) -> tuple[Path | None, list[str]]:
    """A first word without `=` that is no `key=value` names the recipe."""
    if words and ("=" not in words[0] or words[0].endswith((".yaml", ".yml"))):
        return Path(words[0]), words[1:]
    return None, words


@app.command()
def train(
    words: RecipeArguments = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the run directory.")
    ] = False,
    accept_changes: Annotated[
        bool, typer.Option("--accept-changes", help="Resume although the recipe changed.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the recipe and the prompts as the policy would see them, then stop.")
    ] = False,
) -> None:
    """Train a model. Without arguments: SAGE on the built-in lab task, on this CPU."""
    from selfhint.cli import dryrun, quiet
    from selfhint.cli.train import run
    from selfhint.config import load_recipe

    quiet.calm_libraries()
    recipe = load_recipe(*_recipe_and_overrides(words or []))
    console = Console(quiet=not quiet.is_main_process())
    if dry_run:
        dryrun.show(recipe, console)
        return
    final = run(recipe, console, resume=resume, accept_changes=accept_changes)
    console.print(f"model: {final}", soft_wrap=True)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Where the two runs and the page go.")] = Path("runs/demo"),
    seed: Annotated[int, typer.Option(help="Seed of both runs.")] = 1,
    steps: Annotated[int | None, typer.Option(help="Generation steps of each run; default: the lab recipe's.")] = None,
) -> None:
    """Train plain GRPO and SAGE on the built-in lab task, side by side, and compare them."""
    from selfhint.cli import quiet
    from selfhint.cli.demo import run_demo

    quiet.calm_libraries()
    run_demo(out, seed, steps, Console())


@app.command()
def generate(
    model: Annotated[str, typer.Argument(help="A model folder, such as RUN/final, or a hub id.")],
    question: Annotated[
        list[str] | None, typer.Argument(help="Problems to solve; without any, one a line from standard input.")
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest answer.")] = 1024,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 takes the likeliest token.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the sampling.")] = 0,
) -> None:
    """Ask a model as it was trained to be asked, without a hint."""
    from selfhint.cli import quiet
    from selfhint.cli.generate import generate as answers

    quiet.calm_libraries()
    questions = question or [line.rstrip("\n") for line in sys.stdin if line.strip()]
    if not questions:
        raise InputError("generate: no problem given; name one, or write them to standard input, one a line")
    for text in answers(model, questions, max_tokens=max_tokens, temperature=temperature, seed=seed):
        print(text, flush=True)


def main() -> None:
    """Entry point: errors of this package end in one line and their exit code."""
    try:
        app()
    except SelfHintError as error:
        if int(os.environ.get("RANK", "0")) == 0:
            print(f"selfhint: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
