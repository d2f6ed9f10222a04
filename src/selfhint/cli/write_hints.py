"""`selfhint hints write`: the policy's hints for a whole data set, for `hints.source: given`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from selfhint.cli import models, wiring
from selfhint.cli.look_options import LookOptions
from selfhint.cli.look_progress import LookProgress
from selfhint.cli.looking import Sample
from selfhint.cli.policy_engine import place_of, policy_engine
from selfhint.cli.stopping import Stopped
from selfhint.cli.warm import warm_with_progress
from selfhint.cli.workfile import SETTINGS, check_settings
from selfhint.core.errors import InputError, RunError
from selfhint.core.problem import Problem
from selfhint.engines.durable import write_durably
from selfhint.engines.write_hints import write_hints
from selfhint.engines.written_hints import WriteReport, alone, take_up
from selfhint.runlog import encode_line

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

NOT_OF_A_TEXT = ("--num", "--rounds", "--group", "--max-tokens", "--batch")
"""Settings that do not decide a hint's text. With less memory `--batch` is lowered and the command goes on."""


def write(options: LookOptions, out: Path, per_level: int, console: Console) -> None:
    """Writes a row for each problem. Rows that are there stay; what decided them is kept beside the file.

    Raises:
        InputError: the data, the model or the file cannot be used, or the rows there were written with other settings.
        RunError: stopped after some rows; the same command goes on.
        Stopped: stopped before.
    """
    recipe = options.recipe
    if recipe.hint_source != "self":
        raise InputError(f"hints write: hints.source={recipe.hint_source}: the policy writes them; leave it out")
    tokenizer = wiring.tokenizer_of(recipe)
    loaded = wiring.problems_of(recipe, tokenizer)
    wiring.check_context(recipe)
    settings = _settings(options, per_level, Sample(loaded.train, loaded.report).identity)
    console.print(loaded.report)
    with alone(out):
        report = WriteReport()
        there = _take_up(out, settings, report, options.levels, console)
        if any(problem.key not in there for problem in loaded.train):
            with _kept(out, settings):
                report = _write_missing(options, out, per_level, console, tokenizer, loaded.train, len(there))
    counts = ", ".join(f"{report.num_hints[level]:,} of level {level}" for level in options.levels)
    console.print(f"{out}: {report.num_problems:,} rows; hints: {counts}; {report.outcome()}")
    console.print(f"{report.tokens:,} tokens were sampled for them. Train with hints.source=given hints.file={out}")


def _settings(options: LookOptions, per_level: int, problems: str) -> dict[str, Any]:
    """What decides the texts, under the names a user knows."""
    settings = options.settings(problems)
    return {name: value for name, value in settings.items() if name not in NOT_OF_A_TEXT} | {"--per-level": per_level}


def _take_up(
    out: Path, settings: Mapping[str, Any], report: WriteReport, levels: Sequence[int], console: Console
) -> set[str]:
    """The keys of the rows that are there, counted in the report.

    Raises:
        InputError: they were written with other settings, or are no rows of hints.
    """
    earlier = _read_settings(_beside(out))
    if earlier is not None and out.stat().st_size:
        check_settings(earlier, settings, out)
    there = take_up(out, report, levels)
    if there and earlier is None:
        console.print(
            f"{out}: its settings are not kept beside it ({_beside(out).name}), so they cannot be compared; its rows "
            "are taken as they are"
        )
    return there


def _beside(out: Path) -> Path:
    return out.with_name(f"{out.name}.{SETTINGS}")


def _read_settings(path: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(path.read_bytes())[SETTINGS])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(
            f"{path}: holds no settings of hints that were written; restore or remove it, or choose another --out"
        ) from error


@contextmanager
def _kept(out: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """Inside, rows may be written: the settings are on disk before the first. Where no row came they go again."""
    path, before = _beside(out), out.stat().st_size
    if before and path.exists():  # they were compared
        yield
        return
    try:
        write_durably(path, encode_line({SETTINGS: settings}))
    except OSError as error:
        raise InputError(
            f"{path}: the settings cannot be kept there ({error.strerror or error}); make room, or choose another --out"
        ) from error
    try:
        yield
    finally:
        if not out.exists() or out.stat().st_size == before:
            path.unlink(missing_ok=True)  # they would bind rows that they did not decide


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
