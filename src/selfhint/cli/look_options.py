"""The words of the commands that look before a training, as settings: a recipe and what is looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from selfhint.cli import rundir
from selfhint.config import LAB_DATA, Recipe, load_recipe
from selfhint.config.keys import dotted
from selfhint.config.read import apply_override, override_place, validate
from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT, NUM_LEVELS

DATA = Annotated[
    str,
    typer.Argument(metavar="DATA", help="Data file or folder, hub name, reasoning_gym:TASK, lab:hard or lab:mixed."),
]
VALUES = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="KEY=VALUE",
        help="Recipe keys, such as columns.problem=question verifier.kind=choice.",
        show_default=False,
    ),
]
MODEL = Annotated[str, typer.Option(help="A model folder or hub id; lab for the lab's own.")]
FORMAT = Annotated[
    str | None, typer.Option(help="How hints are asked for: text or json (the recipe's default).", show_default=False)
]
LEVELS = Annotated[str, typer.Option(help="Hint levels wanted.")]
GROUP = Annotated[int, typer.Option(min=2, help="G, completions for each problem and level.")]
MAX_TOKENS = Annotated[
    int | None,
    typer.Option(min=1, help="Longest completion; 1024, or the lab's. Hints: hints.max_tokens.", show_default=False),
]
SEED = Annotated[
    int,
    typer.Option(min=0, max=2**32 - 1, help="Of the sampling, and of the draw of problems where not all are taken."),
]
BATCH = Annotated[int, typer.Option(min=1, help="Completions sampled at once; lower it when memory runs out.")]
OUT = Annotated[Path | None, typer.Option(help="JSON with everything; a stopped command goes on.", show_default=False)]

DEFAULT_MAX_TOKENS = 1024
ALL_LEVELS = ",".join(map(str, range(NO_HINT + 1, NUM_LEVELS + 1)))
OPTION_OF = {
    "data": "DATA",
    "model": "--model",
    "hints.format": "--format",
    "group_size": "--group",
    "max_completion_tokens": "--max-tokens",
    "seed": "--seed",
    "out": "--out",
}
"""Recipe key → the word of these commands that sets it."""

READ_KEYS = (
    *("model", "data", "seed", "group_size", "max_prompt_tokens", "max_completion_tokens", "prompt"),
    *("columns", "verifier", "hints", "teacher", "lab"),
)
"""What of a recipe these commands read, besides `READ_TRL_KEYS` and `batch_problems`, which is but a factor."""
READ_TRL_KEYS = ("temperature", "chat_template_kwargs", "trust_remote_code")


@dataclass(frozen=True, slots=True)
class LookOptions:
    """One command.

    Args:
        command: its name.
        recipe: how problems are asked, hints made and completions judged, as a training would.
        levels: hint levels, ascending.
        num: problems.
        rounds: visits to each problem.
        batch: completions sampled at once.
        out: where the result goes; None: to the terminal only.
    """

    command: str
    recipe: Recipe
    levels: tuple[int, ...]
    num: int
    rounds: int
    batch: int
    out: Path | None

    def settings(self, problems: str) -> dict[str, Any]:
        """Everything that decides the result, under the names a user knows.

        Args:
            problems: identity of the problems looked at.
        """
        read = self.recipe.model_dump(mode="json", include=set(READ_KEYS))
        read["trl"] = {key: self.recipe.trl[key] for key in READ_TRL_KEYS if key in self.recipe.trl}
        return {
            "command": self.command,
            **{OPTION_OF.get(key, key): value for key, value in dotted(read)},
            "--levels": list(self.levels),
            "--num": self.num,
            "--rounds": self.rounds,
            "--batch": self.batch,
            "the problems in DATA": problems,
        }


def look_options(
    command: str,
    data: str,
    values: Sequence[str],
    *,
    model: str,
    format: str | None,
    seed: int,
    batch: int,
    out: Path | None,
    levels: str = ALL_LEVELS,
    num: int = 1,
    group: int = 8,
    max_tokens: int | None = None,
    rounds: int = 1,
) -> LookOptions:
    """From the words of a command.

    Raises:
        InputError: one of them is not allowed.
    """
    for value in values:
        _check_key(command, value)
    words = [f"model={model}", f"data={data}", f"group_size={group}", f"seed={seed}", *values]
    if format is not None:
        words.append(f"hints.format={format}")
    if max_tokens is not None:
        words.append(f"max_completion_tokens={max_tokens}")
    recipe = _look_recipe(data, model, words)
    _check_recipe(command, recipe)
    return LookOptions(command, recipe, _levels(levels), num, rounds, batch, out)


def _check_key(command: str, value: str) -> None:
    key = value.partition("=")[0].strip()
    if key in OPTION_OF:
        raise InputError(f"{command} {value}: write {OPTION_OF[key]} instead")
    first, _, rest = key.partition(".")
    known = rest.partition(".")[0] in READ_TRL_KEYS if first == "trl" else first in (*READ_KEYS, "batch_problems")
    if key == "trl":
        raise InputError(f"{command} {value}: name one key of the group, such as trl.temperature=0.7")
    if first in Recipe.model_fields and not known:
        raise InputError(f"{command} {value}: changes nothing here; leave it out")


def _check_recipe(command: str, recipe: Recipe) -> None:
    if recipe.hint_source == "offline":
        raise InputError(
            f"{command} hints.source=offline: leave it out; before a training these are the policy's own hints"
        )
    temperature = recipe.trl["temperature"]
    is_number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not is_number or not 0 < temperature < math.inf:
        raise InputError(
            f"{command} trl.temperature={temperature}: not allowed; give a number above 0 (at 0 all completions of a "
            "group are the same)"
        )


def _look_recipe(data: str, model: str, words: Sequence[str]) -> Recipe:
    """The lab's recipe for its problems; the defaults otherwise."""
    if data in LAB_DATA:
        return load_recipe(None, words)
    return recipe_of(data, model, words, max_completion_tokens=DEFAULT_MAX_TOKENS)


def recipe_of(data: str, model: str, words: Sequence[str], **values: Any) -> Recipe:
    """A recipe without a file: `values`, how a model was asked when we trained it, and the words over both.

    Raises:
        InputError: a word is not allowed.
    """
    asking = rundir.read_asking(Path(model))
    if asking is not None:
        values |= {"prompt": asking[0], "trl": {"chat_template_kwargs": asking[1]}}
    sources = {apply_override(values, word, Recipe): override_place(word) for word in words}
    return validate(Recipe, values, data, sources)


def _levels(text: str) -> tuple[int, ...]:
    try:
        levels = sorted({int(part) for part in text.split(",")})
    except ValueError:
        levels = [NO_HINT]
    if not all(NO_HINT < level <= NUM_LEVELS for level in levels):
        raise InputError(f"--levels {text}: not levels between 1 and {NUM_LEVELS}; write for example --levels 1,3")
    return tuple(levels)
