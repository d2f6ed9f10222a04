"""The `selfhint` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from selfhint.cli import look_options, quiet
from selfhint.cli.data_commands import data_app
from selfhint.cli.hint_commands import hints_app
from selfhint.cli.stopping import Stopped, signals_raise
from selfhint.cli.words import name_and_values
from selfhint.core.errors import InputError, SelfHintError

app = typer.Typer(
    help="GRPO that learns from problems too hard for the policy: SAGE, SAGE-light and plain GRPO on TRL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(hints_app, name="hints")
app.add_typer(data_app, name="data")


@app.command("train")
def train_command(
    recipe: Annotated[str | None, typer.Argument(metavar="RECIPE", help="A recipe file.", show_default=False)] = None,
    values: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Values that go over the recipe's.", show_default=False),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in the run directory.")
    ] = False,
    accept_changes: Annotated[
        bool, typer.Option("--accept-changes", help="With --resume: go on although the recipe changed.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the recipe and the prompts as the policy would see them, then stop.")
    ] = False,
) -> None:
    """Train a model. Without arguments: SAGE on the built-in lab task, on this CPU."""
    from selfhint.cli import dryrun
    from selfhint.cli.train import run
    from selfhint.config import load_recipe

    if accept_changes and not resume:
        raise InputError("--accept-changes says what a resumed run may do; add --resume, or leave it out")
    settings = load_recipe(*name_and_values([] if recipe is None else [recipe, *(values or [])]))
    quiet.calm_libraries()
    console = quiet.plain_console()
    if dry_run:
        dryrun.show(settings, console)
        return
    final = run(settings, console, resume=resume, accept_changes=accept_changes)
    console.print(f"model: {final}")


@app.command("demo")
def demo_command(
    out: Annotated[Path, typer.Option(help="Where the two runs and the page go.")] = Path("runs/demo"),
    seed: Annotated[int, typer.Option(help="Seed of both runs.")] = 1,
    steps: Annotated[int | None, typer.Option(help="Generation steps of each run; default: the lab recipe's.")] = None,
) -> None:
    """Train plain GRPO and SAGE on the built-in lab task, side by side, and compare them."""
    from selfhint.cli.demo import run_demo

    quiet.calm_libraries()
    run_demo(out, seed, steps, quiet.plain_console())


@app.command("study")
def study_command(
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="The study's YAML file.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the study; default: runs/ and the file's name.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Runs side by side, one thread each; default: a core each.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List the runs and how long they may take, then stop.")
    ] = False,
) -> None:
    """Run methods x seeds x data sets and compare them, with intervals. Goes on where an earlier call was stopped."""
    from selfhint.cli.study import run_study, show_plan
    from selfhint.study.spec import load_study

    study = load_study(spec, out)
    console = quiet.plain_console()
    jobs = jobs or _num_cores()
    if dry_run:
        show_plan(study, jobs, console)
    else:
        run_study(study, jobs, console)


def _num_cores() -> int:
    """Those that this process may use: a cluster's job often has but some of the machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@app.command("generate")
def generate_command(
    model: Annotated[str, typer.Argument(help="A model folder, such as RUN/final, or a hub id.")],
    question: Annotated[
        list[str] | None, typer.Argument(help="Problems to solve; without any, one a line from standard input.")
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest answer.")] = 1024,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 takes the likeliest token.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the sampling.")] = 0,
) -> None:
    """Ask a model as it was trained to be asked, without a hint."""
    from selfhint.cli.generate import generate

    quiet.calm_libraries()
    for text in generate(
        model, question or _lines_of_input(), max_tokens=max_tokens, temperature=temperature, seed=seed
    ):
        print(text, flush=True)


@app.command("diagnose")
def diagnose_command(
    data: look_options.DATA,
    values: look_options.VALUES = None,
    *,
    model: look_options.MODEL,
    format: look_options.FORMAT = None,
    num: Annotated[int, typer.Option(min=1, help="Problems, drawn at random.")] = 64,
    rounds: Annotated[int, typer.Option(min=1, help="Visits to each problem.")] = 1,
    group: look_options.GROUP = 8,
    max_tokens: look_options.MAX_TOKENS = None,
    seed: look_options.SEED = 0,
    batch: look_options.BATCH = 64,
    out: look_options.OUT = None,
) -> None:
    """Find out which problems give a policy no signal, what hints would open, and which method suits."""
    from selfhint.cli.diagnose import diagnose

    options = look_options.look_options(
        "diagnose",
        data,
        values or [],
        model=model,
        format=format,
        num=num,
        group=group,
        max_tokens=max_tokens,
        seed=seed,
        batch=batch,
        out=out,
        rounds=rounds,
    )
    quiet.calm_libraries()
    diagnose(options, quiet.plain_console())


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(help="JSON Lines; each row has gold and prediction.")],
    options: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY=VALUE", help="Options of the kind, such as tolerance=0.01.", show_default=False),
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="Where the rows go, each with its verdict.")],
    kind: Annotated[str, typer.Option(help="Kind of answers: math, numeric, choice, … or module:name.")] = "math",
    time_limit: Annotated[float, typer.Option(help="Seconds for one row.")] = 5.0,
    workers: Annotated[int, typer.Option(help="Processes that judge.")] = 2,
) -> None:
    """Judge predictions against gold answers."""
    from selfhint.cli.verify import kind_options, verify_file
    from selfhint.verify import make_verifier

    verifier = make_verifier(kind, time_limit=time_limit, workers=workers, **kind_options(options or []))
    try:
        reasons = verify_file(file, out, verifier)
    finally:
        verifier.close()
    counts = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    quiet.plain_console().print(f"{out}: {reasons.total()} verdicts ({counts or 'no rows'})")


def _lines_of_input() -> list[str]:
    if sys.stdin.isatty():
        print("one problem a line, then Ctrl-D:", file=sys.stderr)
    try:
        questions = [line.rstrip("\n") for line in sys.stdin if line.strip()]
    except UnicodeDecodeError as error:
        raise InputError(f"generate: standard input is not UTF-8 (byte {error.start + 1}); convert it") from error
    if not questions:
        raise InputError("generate: no problem given; name one, or write them to standard input, one a line")
    return questions


def main() -> None:
    """Entry point: every error of this package, and a stop from outside, end in one line and an exit code."""
    try:
        with signals_raise():
            app()
    except SelfHintError as error:
        _say(str(error))
        raise SystemExit(error.exit_code) from None
    except Stopped as stopped:
        _say(str(stopped))
        raise SystemExit(stopped.exit_code) from None


def _say(message: str) -> None:
    if quiet.is_main_process():
        print(f"selfhint: {quiet.visible(' '.join(message.splitlines()))}", file=sys.stderr)
