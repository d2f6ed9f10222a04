"""`selfhint data audit`: what is wrong with a data set before a run pays for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from selfhint.cli import quiet, wiring
from selfhint.cli.audit_measures import measures_of
from selfhint.cli.audit_report import print_audit
from selfhint.cli.look_options import recipe_of
from selfhint.cli.words import name_and_values
from selfhint.config import LAB_DATA, Recipe, load_recipe
from selfhint.core.errors import InputError
from selfhint.core.ports import Verifier
from selfhint.core.prompt import Prompt
from selfhint.data.audit.answers import AnswerTools
from selfhint.data.audit.rows import AuditTools
from selfhint.data.audit.run import audit
from selfhint.hints import solver_prompt
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.reasoning_gym import is_entry
from selfhint.verify.latex import tidy
from selfhint.verify.own import own_answer
from selfhint.verify.parts import parts
from selfhint.verify.reasons import CRASHED, TIMED_OUT
from selfhint.verify.text import readable, undelimited

NO_MODEL = "none"
READ_KEYS = (
    *("method", "scheduler", "hints", "teacher", "columns", "verifier", "prompt", "trl"),
    *("max_prompt_tokens", "max_completion_tokens"),
)
"""What of a recipe an audit reads, besides the data and the model."""
OF_MATHEMATICS = ("math", "numeric")
"""Kinds for which an answer of several values is news."""


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The words of one command.

    Args:
        words: the data, unless the recipe names them, and recipe keys.
        recipe: a recipe file.
        model: whose tokenizer counts; None: the recipe's, or none at all.
        against: benchmarks.
        as_json: prints JSON.
    """

    words: Sequence[str]
    recipe: Path | None
    model: str | None
    against: Sequence[str]
    as_json: bool


def audit_data(options: AuditOptions, console: Console) -> bool:
    """Audits, prints what was found, and says whether something would harm a run.

    Raises:
        InputError, RunError: as `data.audit.audit`; a word of the command is not allowed.
    """
    recipe = _recipe(options)
    has_tokenizer = recipe.model != NO_MODEL
    if has_tokenizer:
        quiet.calm_libraries()
    tokenizer = wiring.tokenizer_of(recipe) if has_tokenizer else None
    chat = tokenizer is not None and tokenizer.chat_template is not None

    def make_prompt(question: str) -> Prompt:
        return solver_prompt(question, chat=chat, template=wiring.solver_template_of(recipe))

    with closing(wiring.verifier_of(recipe)) as verifier, _row_count() as on_rows:
        found = audit(
            recipe.data,
            wiring.columns_of(recipe),
            AuditTools(
                make_prompt,
                _answer_tools(verifier, wiring.judges_entries(recipe)),
                () if tokenizer is None else measures_of(recipe, tokenizer),
            ),
            need_solution=wiring.needs_solution(recipe),
            against=options.against,
            on_rows=on_rows,
        )
    if options.as_json:
        print(json.dumps(found.as_json()))
    else:
        print_audit(console, found, model=recipe.model if has_tokenizer else None)
    return found.harms


def _recipe(options: AuditOptions) -> Recipe:
    data, values = name_and_values(options.words)
    for value in values:
        key = value.partition("=")[0].strip().partition(".")[0]
        if key in ("data", "model"):
            raise InputError(f"data audit {value}: write {'FILE' if key == 'data' else '--model'} instead")
        if key in Recipe.model_fields and key not in READ_KEYS:
            raise InputError(f"data audit {value}: changes nothing here; leave it out")
    if options.recipe is None and data is None:
        raise InputError("data audit: no data; name a file, or a recipe with --recipe")
    named = [f"{key}={value}" for key, value in (("data", data), ("model", options.model)) if value is not None]
    if options.recipe is not None:
        recipe = load_recipe(options.recipe, [*named, *values])
    else:
        model = NO_MODEL if options.model is None else options.model
        recipe = recipe_of(str(data), model, [f"model={model}", f"data={data}", *values])
    if recipe.data in LAB_DATA:
        raise InputError(f"data audit {recipe.data}: the program makes these problems itself; name a file")
    return recipe


def _answer_tools(verifier: Verifier, judges_entries: bool) -> AnswerTools:
    mathematics = verifier.name in OF_MATHEMATICS
    return AnswerTools(
        judge=verifier.judge,
        told=partial(own_answer, verifier.name),
        boxed=last_boxed,
        values=_values if mathematics else lambda answer: (answer,),
        no_verdict=(TIMED_OUT, CRASHED),
        is_foreign=(lambda gold: False) if judges_entries else is_entry,
    )


def _values(answer: str) -> Sequence[str]:
    text = last_boxed(answer) or answer
    found = [part.value for part in parts(tidy(undelimited(text)))] if readable(text) else []
    return found or [answer]


@contextmanager
def _row_count() -> Iterator[Callable[[int], None]]:
    """How far it is, on a terminal's standard error."""
    console = Console(stderr=True, markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        yield lambda num_rows: None
        return
    with console.status("reading") as status:
        yield lambda num_rows: status.update(f"{num_rows:,} rows")
