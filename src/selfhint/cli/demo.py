"""`selfhint demo`: plain GRPO and SAGE on the built-in task with the same seed, and a page that compares them."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from selfhint.cli.train import run
from selfhint.config import load_recipe
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
    """Trains both, prints the comparison and writes the page.

    Raises:
        InputError: there is a demo in `out` already.
    """
    from selfhint.report import comparison_table, summarise, write_page

    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: is not empty; remove it or choose another place with --out")
    lengths = [] if steps is None else [f"steps={steps}"]
    recipes = {
        method: load_recipe(None, [f"method={method}", f"seed={seed}", f"out={out / method}", *lengths])
        for method in METHODS
    }
    for recipe in recipes.values():
        run(recipe, console)
    summaries = [summarise(out / method) for method in METHODS]
    console.print(comparison_table(summaries))
    page = out / PAGE
    write_page(page, "Plain GRPO and SAGE on the lab task", NOTE, summaries)
    console.print(f"page: {page}", soft_wrap=True)
