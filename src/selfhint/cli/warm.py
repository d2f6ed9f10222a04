"""Makes the lab's policy with something to look at while it takes its minute."""

from __future__ import annotations

from rich.console import Console
from rich.progress import Progress

from selfhint.cli.wiring import lab_task
from selfhint.config import LAB_MODEL, Recipe


def warm_with_progress(recipe: Recipe, console: Console) -> None:
    """Warms the lab's policy up if the recipe uses it and it is not cached; otherwise does nothing."""
    if recipe.model != LAB_MODEL:
        return
    from selfhint.lab.warmup import is_warm, warm_policy

    task = lab_task(recipe)
    if is_warm(task):
        return
    if not console.is_terminal:
        console.print("warming up the lab's policy, once, about a minute")
        warm_policy(task)
        return
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("warming up the lab's policy", total=None)
        warm_policy(task, progress=lambda done, total: progress.update(bar, completed=done, total=total))
