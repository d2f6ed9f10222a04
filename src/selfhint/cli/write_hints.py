"""`selfhint hints write`: the policy's hints for a whole data set, for `hints.source: given`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from selfhint.cli import models, wiring
from selfhint.cli.look_options import LookOptions
from selfhint.cli.look_progress import LookProgress
from selfhint.cli.policy_engine import place_of, policy_engine
from selfhint.cli.stopping import Stopped
from selfhint.cli.warm import warm_with_progress
from selfhint.core.errors import InputError, RunError
from selfhint.core.problem import Problem
from selfhint.engines.write_hints import WriteReport, take_up, write_hints

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def write(options: LookOptions, out: Path, per_level: int, console: Console) -> None:
    """Writes a row for each problem. Rows that are there stay.

    Raises:
        InputError: the data, the model or the file cannot be used.
        RunError: stopped after some rows; the same command goes on.
        Stopped: stopped before.
    """
    recipe = options.recipe
    if recipe.hint_source != "self":
        raise InputError(f"hints write: hints.source={recipe.hint_source}: the policy writes them; leave it out")
    tokenizer = wiring.tokenizer_of(recipe)
    loaded = wiring.problems_of(recipe, tokenizer)
    wiring.check_context(recipe)
    console.print(loaded.report)
    report = WriteReport()
    there = take_up(out, report, options.levels) if out.exists() else set()
    if any(problem.key not in there for problem in loaded.train):
        report = _write_missing(options, out, per_level, console, tokenizer, loaded.train, len(there))
    counts = ", ".join(f"{report.num_hints[level]:,} of level {level}" for level in options.levels)
    console.print(f"{out}: {report.num_problems:,} rows; hints: {counts}; {report.outcome()}")
    console.print(f"{report.tokens:,} tokens sampled. Train with hints.source=given hints.file={out}")


def _write_missing(
    options: LookOptions,
    out: Path,
    per_level: int,
    console: Console,
    tokenizer: PreTrainedTokenizerBase,
    problems: Sequence[Problem],
    earlier: int,
) -> WriteReport:
    import torch

    warm_with_progress(options.recipe, console)
    done = earlier
    with LookProgress(len(problems), earlier, "problems") as progress:

        def wrote(report: WriteReport) -> None:
            nonlocal done
            done = report.num_problems
            progress.done(done)

        try:
            with policy_engine(options, tokenizer, progress.drew) as engine:
                return write_hints(
                    problems,
                    engine,
                    wiring.format_of(options.recipe),
                    out,
                    levels=options.levels,
                    per_level=per_level,
                    tries=options.recipe.hints.tries,
                    count_leaks=options.recipe.hints.leaks == "count",
                    batch=max(1, options.batch // per_level),
                    on_batch=wrote,
                    place=place_of(options.recipe, tokenizer),
                )
        except torch.OutOfMemoryError as error:
            raise RunError(
                f"{out}: {models.first_line(error)}; lower --batch and repeat the command, the {done} rows there stay"
            ) from error
        except Stopped as stopped:
            if not done:
                raise
            raise RunError(
                f"{out}: {stopped} after {done} of {len(problems)} rows; repeat the command to go on"
            ) from None
