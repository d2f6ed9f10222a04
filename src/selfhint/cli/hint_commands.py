"""The words of `selfhint hints …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from selfhint.cli import look_options, quiet

hints_app = typer.Typer(
    help="Look at hints, read them from raw answers, write them to a file.", no_args_is_help=True, rich_markup_mode=None
)


@hints_app.command("preview")
def preview_command(
    data: look_options.DATA,
    values: look_options.VALUES = None,
    *,
    model: look_options.MODEL,
    format: look_options.FORMAT = None,
    levels: look_options.LEVELS = look_options.ALL_LEVELS,
    num: Annotated[int, typer.Option(min=1, help="Problems, drawn at random.")] = 20,
    group: look_options.GROUP = 8,
    max_tokens: look_options.MAX_TOKENS = None,
    seed: look_options.SEED = 0,
    batch: look_options.BATCH = 64,
    out: look_options.OUT = None,
) -> None:
    """See the hints a policy writes, why some are refused, and what they do to its success, before training."""
    from selfhint.cli.preview import preview

    options = look_options.look_options(
        "hints preview",
        data,
        values or [],
        model=model,
        format=format,
        levels=levels,
        num=num,
        group=group,
        max_tokens=max_tokens,
        seed=seed,
        batch=batch,
        out=out,
    )
    quiet.calm_libraries()
    preview(options, quiet.plain_console())


@hints_app.command("parse")
def parse_command(
    file: Annotated[Path, typer.Argument(help="JSON Lines; each row has raw, the answer to a request for hints.")],
    *,
    out: Annotated[Path, typer.Option(help="Where the rows go, each with its hints.")],
    format: Annotated[str, typer.Option(help="What was asked for: json (all levels) or text (one).")] = "json",
    num_levels: Annotated[int, typer.Option(min=1, max=100, help="Levels that a JSON answer should have.")] = 3,
    count_leaks: Annotated[
        bool, typer.Option("--count-leaks", help="Keep hints with leaks; the field flagged names them.")
    ] = False,
) -> None:
    """Read hints from raw answers; rows with problem, solution and answer are checked for leaks too."""
    from selfhint.cli.parse_hints import parse_file
    from selfhint.engines.hint_warnings import counted

    counts = parse_file(file, out, format=format, num_levels=num_levels, count_leaks=count_leaks)
    refused = f", refused: {counted(counts.refused)}" if counts.refused else ""
    flagged = f", kept although flagged: {counted(counts.flagged)}" if counts.flagged else ""
    unchecked = f"; not checked for leaks: {counts.unchecked} rows without problem and answer" * bool(counts.unchecked)
    quiet.plain_console().print(f"{out}: {counts.rows} rows, {counts.hints} hints{refused}{flagged}{unchecked}")


@hints_app.command("write")
def write_command(
    data: look_options.DATA,
    values: look_options.VALUES = None,
    *,
    model: look_options.MODEL,
    out: Annotated[Path, typer.Option(help="JSON Lines, a row for each problem; rows that are there stay.")],
    format: look_options.FORMAT = None,
    levels: look_options.LEVELS = look_options.ALL_LEVELS,
    per_level: Annotated[int, typer.Option(min=1, max=1000, help="Hints for each level, used in turn.")] = 1,
    seed: look_options.SEED = 0,
    batch: look_options.BATCH = 64,
) -> None:
    """Write a policy's hints for all problems to a file, for hints.source=given."""
    from selfhint.cli.write_hints import write

    options = look_options.look_options(
        "hints write", data, values or [], model=model, format=format, levels=levels, seed=seed, batch=batch, out=out
    )
    quiet.calm_libraries()
    write(options, out, per_level, quiet.plain_console())
