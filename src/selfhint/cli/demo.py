"""`selfhint demo`: plain GRPO and SAGE on the built-in task with the same seed, and a page that compares them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from selfhint.cli import rundir
from selfhint.cli.train import run
from selfhint.config import Recipe, load_recipe
from selfhint.core.errors import InputError

METHODS = ("grpo", "sage")
PAGE = "demo.html"
NOTE = (
    "Both runs start from the same policy, which knows half of the letters, and see the same problems in the same "
    "order; they differ in the method alone. Plain GRPO draws groups in which every completion fails and learns "
    "nothing from them. SAGE draws such a group again with a hint that the policy wrote itself from the reference "
    "solution; the hints fade as the problems are solved without them. Success is measured on words that neither run "
    "trained on, without hints. This shows the mechanism on a made-up task with a policy of 0.1 million parameters. It "
    "says nothing about how much a real model gains on real problems."
)


def run_demo(out: Path, seed: int, steps: int | None, console: Console) -> None:
    """Trains both, prints the comparison and writes the page. Goes on where an earlier call was stopped.

    Raises:
        InputError: `out` holds a finished demo, one with other settings, or something else.
    """
    from selfhint.report import comparison_table, summarise, write_page

    lengths = [] if steps is None else [f"steps={steps}"]
    recipes = {
        out / method: load_recipe(None, [f"method={method}", f"seed={seed}", f"out={out / method}", *lengths])
        for method in METHODS
    }
    _check_place(out, recipes)
    for folder, recipe in recipes.items():
        if not (folder / rundir.FINAL).exists():
            run(recipe, console, resume=rundir.has_run(folder), mend="repeat the command to go on")
    summaries = [summarise(folder) for folder in recipes]
    console.print(comparison_table(summaries), soft_wrap=False)
    page = out / PAGE
    write_page(page, "Plain GRPO and SAGE on the lab task", NOTE, summaries)
    console.print(f"page: {page}")


def _check_place(out: Path, recipes: Mapping[Path, Recipe]) -> None:
    other = "remove it or choose another place with --out"
    try:
        found = {path.name for path in out.iterdir()}
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{out}: cannot be used ({error.strerror}); choose another place with --out") from error
    if PAGE in found:
        raise InputError(f"{out}: holds a finished demo; {other}")
    if found - set(METHODS):
        raise InputError(f"{out}: holds something else than a demo ({min(found - set(METHODS))}); {other}")
    for folder, recipe in recipes.items():
        if rundir.has_run(folder) and load_recipe(folder / rundir.RECIPE) != recipe:
            raise InputError(f"{out}: holds a demo with another seed or length; repeat it with those, or {other}")
