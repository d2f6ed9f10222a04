"""The words of `selfhint data …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from selfhint.cli import look_options, quiet

data_app = typer.Typer(
    help="Make a training set from what you have, and check it before it costs GPU hours.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SOURCE = "File, folder, FOLDER@SPLIT, glob, hub name, remote path or reasoning_gym:TASK[,option=value...]."


@data_app.command("prepare")
def prepare_command(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE)],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the result.")],
    values: look_options.VALUES = None,
    *,
    against: Annotated[
        list[str] | None,
        typer.Option(help="Benchmark whose problems must not be in the result; may be repeated.", show_default=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Whose tokenizer counts: a folder or hub id.", show_default=False)
    ] = None,
    max_prompt_tokens: Annotated[int | None, typer.Option(min=1, help="Longest prompt.", show_default=False)] = None,
    max_solution_tokens: Annotated[
        int | None, typer.Option(min=1, help="Longest reference solution.", show_default=False)
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Keep only rows whose solution ends in the answer.")
    ] = True,
    near: Annotated[bool, typer.Option("--near/--no-near", help="Drop near-duplicates too.")] = True,
    difficulty: Annotated[
        Path | None, typer.Option(help="What diagnose --out wrote: labels the problems.", show_default=False)
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(help="With --difficulty: never or always, as solved.", show_default=False)
    ] = None,
    num: Annotated[int | None, typer.Option(min=1, help="Problems to draw.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Which problems are drawn.")] = 0,
    validation: Annotated[float, typer.Option(help="Share that goes to the validation file.")] = 0.0,
    format: Annotated[str, typer.Option(help="jsonl, or Parquet for trl or verl.")] = "jsonl",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another result in OUT.")] = False,
) -> None:
    """Verify, shorten, deduplicate and decontaminate a data set; a manifest says what became of each row."""
    from selfhint.cli.prepare import PrepareOptions, prepare_data

    quiet.calm_libraries()
    settings = {
        "against": tuple(against or ()),
        "max_prompt_tokens": max_prompt_tokens,
        "max_solution_tokens": max_solution_tokens,
        "near": near,
        "difficulty": None if difficulty is None else str(difficulty),
        "drop": frozenset(drop or ()),
        "num": num,
        "seed": seed,
        "validation": validation,
        "format": format,
    }
    options = PrepareOptions(source, out, values or [], model, verify, overwrite, settings)
    prepare_data(options, quiet.plain_console())


@data_app.command("audit")
def audit_command(
    data: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help=SOURCE, show_default=False),
    ] = None,
    values: look_options.VALUES = None,
    *,
    recipe: Annotated[
        Path | None, typer.Option(help="Columns, verifier, budgets and, without FILE, the data.", show_default=False)
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Whose tokenizer counts: a folder or hub id.", show_default=False)
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(help="Benchmark that must not be in the data; may be repeated.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find what would harm a run, or is worth knowing, in a data set. Exit code 1: something would harm a run."""
    from selfhint.cli.audit import AuditOptions, audit_data

    words = [] if data is None else [data, *(values or [])]
    if audit_data(AuditOptions(words, recipe, model, against or [], as_json), quiet.plain_console()):
        raise typer.Exit(1)
