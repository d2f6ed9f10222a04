"""`selfhint data prepare`: a checked data set, with a manifest of what became of each row."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from selfhint.cli import models, wiring
from selfhint.config import Recipe
from selfhint.config.read import apply_override, override_place, validate
from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.core.prompt import Prompt
from selfhint.data.left_out import told
from selfhint.data.prepare.run import prepare
from selfhint.data.prepare.settings import PrepareSettings, Tools
from selfhint.hints import solver_prompt
from selfhint.verify import make_verifier

READ_KEYS = ("columns", "verifier", "prompt", "trl")
"""What of a recipe decides what prepared data are."""
OPTIONS = ("max_prompt_tokens", "model", "seed")
"""Recipe keys that have an option here."""
EVERY = 100_000
"""Rows between two lines of progress."""


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """The words of one command.

    Args:
        data: what is prepared.
        out: folder of the result.
        values: recipe keys.
        model: whose tokenizer counts; None: nothing is counted.
        verify: reference solutions are verified.
        overwrite: another result in `out` is replaced.
        settings: the other options, as `PrepareSettings` takes them.
    """

    data: str
    out: Path
    values: Sequence[str]
    model: str | None
    verify: bool
    overwrite: bool
    settings: Mapping[str, Any]


def prepare_data(options: PrepareOptions, console: Console) -> None:
    """Prepares, and says what became of the rows.

    Raises:
        InputError, RunError: as `prepare`.
    """
    recipe = _recipe(options)
    tokens: dict[str, Any] = {}
    described: dict[str, Any] = {"prompt": wiring.solver_template_of(recipe), "verifier": None, "tokenizer": None}
    chat = True
    if options.model is not None:
        tokenizer = wiring.tokenizer_of(recipe)
        arguments = wiring.template_arguments_of(recipe)
        chat = tokenizer.chat_template is not None
        template = tokenizer.chat_template if isinstance(tokenizer.chat_template, str) else ""
        described["tokenizer"] = {
            "model": options.model,
            "vocabulary": _digest("\n".join(sorted(tokenizer.get_vocab()))),
            "chat_template": _digest(template),
            "chat_template_kwargs": arguments,
        }
        tokens = {
            "prompt_tokens": lambda prompt: len(models.token_ids(tokenizer, prompt, arguments)),
            "solution_tokens": lambda text: len(tokenizer.encode(text, add_special_tokens=False)),
        }
    elif limits := [name for name in ("max_prompt_tokens", "max_solution_tokens") if options.settings[name]]:
        raise InputError(
            f"--{limits[0].replace('_', '-')}: needs a tokenizer; add --model with the policy's folder or hub id"
        )

    def make_prompt(question: str) -> Prompt:
        return solver_prompt(question, chat=chat, template=wiring.solver_template_of(recipe))

    def judge(pairs: Iterable[tuple[object, str]]) -> Iterator[Verdict]:
        return verifier.stream(_checked(pairs, recipe))

    with closing(make_verifier(**recipe.verifier.model_dump(exclude_none=True))) as verifier:
        if options.verify:
            described["verifier"] = recipe.verifier.model_dump(exclude_none=True)
        settings = PrepareSettings(columns=wiring.named_columns(recipe), described=described, **options.settings)
        tools = Tools(make_prompt, judge=judge if options.verify else None, **tokens)
        prepared = prepare(
            options.data, options.out, settings, tools, overwrite=options.overwrite, on_row=_Progress(console)
        )
    for notice in prepared.notices:
        console.print(notice)
    _report(options.out, prepared.manifest, console, is_new=prepared.is_new)
    if options.settings["format"] != "verl":
        console.print(f"Train on them: {_train_command(options, recipe, prepared.manifest)}")


def _checked(pairs: Iterable[tuple[object, str]], recipe: Recipe) -> Iterator[tuple[object, str]]:
    """(gold, prediction) pairs whose golds the recipe's verifier may know."""
    for gold, prediction in pairs:
        wiring.check_verifier(recipe, recipe.data, (str(gold),))
        yield gold, prediction


def _recipe(options: PrepareOptions) -> Recipe:
    values: dict[str, Any] = {"model": "none" if options.model is None else options.model, "data": options.data}
    sources: dict[str, str] = {}
    for word in options.values:
        key = word.partition("=")[0].strip().partition(".")[0]
        if key in OPTIONS:
            raise InputError(f"data prepare {word}: write --{key.replace('_', '-')} instead")
        if key in Recipe.model_fields and key not in READ_KEYS:
            raise InputError(f"data prepare {word}: changes nothing here; leave it out")
        sources[apply_override(values, word, Recipe)] = override_place(word)
    return validate(Recipe, values, options.data, sources)


def _train_command(options: PrepareOptions, recipe: Recipe, manifest: Mapping[str, Any]) -> str:
    """Judges the answers as they were judged here."""
    judged = recipe.verifier.model_dump(exclude_defaults=True)
    words = [
        f"data={options.out / manifest['outputs'][0]['file']}",
        *(f"verifier.{key}={json.dumps(value) if isinstance(value, bool) else value}" for key, value in judged.items()),
    ]
    return f"selfhint train RECIPE.yaml model={options.model or 'MODEL'} {shlex.join(words)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Progress:
    """A line every so many rows."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._num = 0

    def __call__(self) -> None:
        self._num += 1
        if not self._num % EVERY:
            self._console.print(f"{self._num:,} rows read")


def _report(out: Path, manifest: Mapping[str, Any], console: Console, *, is_new: bool) -> None:
    rows = manifest["rows"]
    console.print(
        f"{rows['kept']} of {rows['read']} rows stay." + ("" if is_new else " All is there already, unchanged.")
    )
    for reason, left_out in manifest["left_out"].items():
        console.print(f"  {told(reason, left_out['count'], left_out['examples'])}")
    for benchmark in manifest["benchmarks"]:
        if not benchmark["rows_left_out"]:
            console.print(f"  0 of a benchmark, {benchmark['file']} (problems compared with: {benchmark['problems']})")
    if manifest["compared_in_part"]:
        console.print(
            f"  {manifest['compared_in_part']} problems of very full templates were compared with only a part of those "
            "like them"
        )
    if manifest["columns_left_behind"]:
        console.print(f"Columns not in the result: {', '.join(manifest['columns_left_behind'])}")
    for output in manifest["outputs"]:
        console.print(f"{out / output['file']}: {output['rows']} {'row' if output['rows'] == 1 else 'rows'}")
