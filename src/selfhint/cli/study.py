"""`selfhint study`: the runs of a specification, then their tables and their page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Literal

from rich.console import Console
from rich.table import Table

from selfhint.cli import quiet, rundir
from selfhint.cli.progress import clock_time
from selfhint.cli.stopping import Stopped, signals_raise
from selfhint.cli.study_progress import StudyProgress, steps_kept
from selfhint.cli.train import run
from selfhint.cli.warm import warm_with_progress
from selfhint.cli.wiring import check_context, check_enough, lab_task, problems_of, tokenizer_of, uses_lab
from selfhint.config import LAB_MODEL, Recipe, changed_keys, load_recipe
from selfhint.core.errors import InputError, RunError
from selfhint.report.lines import metrics_of
from selfhint.report.quantities import Quantity
from selfhint.report.table import quantity_table
from selfhint.study.compare import READING, DataSet, by_data, headline, pair_rows
from selfhint.study.page import write_study_page
from selfhint.study.pool import Outcome, run_all
from selfhint.study.results import check_whole, read_result, rows_of_runs, rows_of_steps, write_table
from selfhint.study.spec import PlannedRun, Study

PAGE, RUNS, STEPS, PAIRS = "study.html", "runs_table", "steps_table", "pairs_table"
AGAIN = "repeat the command to go on"
LAB_STEP_SECONDS = 0.2
"""What a step of the lab task takes on one core, roughly; only for the estimate while no run has finished."""

Progress = Literal["finished", "begun", "new"]


def run_study(study: Study, jobs: int, console: Console) -> None:
    """Runs what is not there yet, `jobs` at a time, and writes the tables and the page.

    Raises:
        InputError: a recipe would be refused, a run that is there was made with other settings or lost a part of its
            log, or something cannot be written.
        RunError: runs failed, or the command was stopped.
    """
    try:
        with signals_raise():
            _run_study(study, jobs, console)
    except Stopped as stopped:  # while nothing runs: the pool passes signals on
        raise RunError(f"{study.out}: {stopped}; {AGAIN}") from None


def _run_study(study: Study, jobs: int, console: Console) -> None:
    _check_runs(study)
    begun = {one.label: progress_of(one) for one in study.runs}
    left = [one for one in study.runs if begun[one.label] != "finished"]
    console.print(_summary(study, begun, jobs))
    outcomes: list[Outcome] = []
    if left:
        _warm(left, console)
        with StudyProgress(study.runs, len(study.runs) - len(left), left, console) as progress:
            outcomes = run_all(left, train, jobs, progress)
    ended = {outcome.run.label: outcome for outcome in outcomes}
    failed = [outcome for outcome in outcomes if outcome.state == "failed"]
    missing = [one.label for one in left if one.label not in ended or ended[one.label].state != "done"]
    if len(missing) > len(failed):
        raise RunError(f"{study.out}: stopped with {len(missing)} of {len(study.runs)} runs left; {AGAIN}")
    _write(study, [one for one in study.runs if one.label not in missing], missing, console)
    if failed:
        first = failed[0]
        raise RunError(
            f"{study.out}: {len(failed)} of {len(study.runs)} runs failed, {first.run.label} first ({first.message}); "
            f"mend the cause, then {AGAIN}"
        )


def train(planned: PlannedRun) -> None:
    """Runs one run, from its beginning or from its last checkpoint, in the current process."""
    quiet.calm_libraries()
    try:
        with signals_raise():
            resume = rundir.has_run(planned.folder)
            run(planned.recipe, quiet.plain_console(), resume=resume, mend=AGAIN)
    except Stopped as stopped:
        raise RunError(f"{planned.folder}: {stopped} before it began; {AGAIN}") from None


def show_plan(study: Study, jobs: int, console: Console) -> None:
    """Lists the runs and estimates the time that they need.

    Raises:
        InputError: a recipe would be refused, or a run that is there was made with other settings.
    """
    _check_runs(study)
    begun = {one.label: progress_of(one) for one in study.runs}
    for one in study.runs:
        done = f"{steps_kept(one)} of " if begun[one.label] == "begun" else ""
        console.print(f"{one.label}: {begun[one.label]}, {done}{one.recipe.steps} steps")
    console.print(_summary(study, begun, jobs))
    console.print(_estimate(study, begun, jobs))


def _check_runs(study: Study) -> None:
    """What only the engine and the lab know of a recipe's values, for each method on each data set.

    Data files and models are left to the runs: reading them takes as long as beginning one.

    Raises:
        InputError: one of them would refuse its recipe.
    """
    from selfhint.engines.trl.arguments import grpo_config

    for (data, method), one in {(one.data, one.method): one for one in study.runs}.items():
        try:
            grpo_config(one.recipe, one.folder / rundir.CHECKPOINTS)
            if one.recipe.model == LAB_MODEL:
                _check_lab(one.recipe)
        except InputError as error:
            raise InputError(f"methods.{method} on data.{data}: {error}") from error


def _check_lab(recipe: Recipe) -> None:
    """As a run does before it warms the lab's policy up.

    Raises:
        InputError: the sizes do not fit each other.
    """
    lab_task(recipe)
    check_context(recipe)
    if uses_lab(recipe):
        check_enough(recipe, problems_of(recipe, tokenizer_of(recipe)).train)


def progress_of(planned: PlannedRun) -> Progress:
    """How far a run is.

    Raises:
        InputError: it was made with other settings, or it is finished and a part of its log is lost.
    """
    if not rundir.has_run(planned.folder):
        return "new"
    made = load_recipe(planned.folder / rundir.RECIPE)
    changed = changed_keys(made, planned.recipe) + ["steps"] * (made.steps != planned.recipe.steps)
    if changed:
        raise InputError(
            f"{planned.folder}: was made with another {', '.join(changed)}; undo it in the study, remove that folder, "
            "or choose another place with --out"
        )
    if not _is_finished(planned.folder):
        return "begun"
    check_whole(planned)
    return "finished"


def _is_finished(folder: Path) -> bool:
    """Whether the final model is there, which is put in its place as a whole."""
    final = folder / rundir.FINAL
    return final.is_dir() and any(final.iterdir())


def _summary(study: Study, begun: dict[str, Progress], jobs: int) -> str:
    counts = [list(begun.values()).count(state) for state in ("finished", "begun", "new")]
    return (
        f"{study.name}: {len(study.runs)} runs, {counts[0]} finished, {counts[1]} begun, {counts[2]} new; "
        f"{jobs} at a time, into {study.out}"
    )


def _estimate(study: Study, begun: dict[str, Progress], jobs: int) -> str:
    """From the finished runs of the same method and data, else of any; for the lab from a rough figure."""
    speeds: dict[tuple[str, str], list[float]] = {}
    for one in study.runs:
        if begun[one.label] == "finished":
            steps = [line.real("time/step") for line in metrics_of(one.folder)]
            speeds.setdefault((one.data, one.method), []).append(fmean(steps))
    everywhere = [speed for found in speeds.values() for speed in found]
    needed: list[float] = []
    for one in study.runs:
        if begun[one.label] != "finished":
            known = speeds.get((one.data, one.method)) or everywhere
            if not known and one.recipe.model != LAB_MODEL:
                return "no estimate before a run has finished"
            needed.append((fmean(known) if known else LAB_STEP_SECONDS) * (one.recipe.steps - steps_kept(one)))
    basis = "from the finished runs" if everywhere else "roughly, before a run has finished"
    seconds = max(sum(needed) / jobs, *needed, 0.0)
    return f"about {clock_time(seconds)}, {jobs} runs at a time, {basis}"


def _terminal_table(data: DataSet) -> Table:
    """The page's first rows, a row for each method: nine methods stand below each other, not side by side."""
    rows = headline(data)
    turned = [Quantity(method, tuple(row.values[i] for row in rows)) for i, method in enumerate(data.results)]
    return quantity_table([row.label for row in rows], turned, f"{data.name}. {READING}")


def _warm(left: Sequence[PlannedRun], console: Console) -> None:
    """Makes the lab's policies, each once, before the runs that begin with them."""
    warmed = set()
    for one in left:
        if one.recipe.model == LAB_MODEL and (task := lab_task(one.recipe)) not in warmed:
            warmed.add(task)
            warm_with_progress(one.recipe, console)


def _write(study: Study, finished: Sequence[PlannedRun], missing: Sequence[str], console: Console) -> None:
    if not finished:
        return
    results = [read_result(one) for one in finished]
    data = by_data(results, list(study.spec.methods), study.spec.baseline)
    write_table(rows_of_runs(results), study.out / RUNS)
    write_table(rows_of_steps(results), study.out / STEPS)
    pairs = [row for one in data for row in pair_rows(one)]
    if pairs:
        write_table(pairs, study.out / PAIRS)
    else:  # only one method has a finished run
        for ending in (".csv", ".parquet"):
            (study.out / PAIRS).with_suffix(ending).unlink(missing_ok=True)
    for one in data:
        console.print(_terminal_table(one), soft_wrap=False)
    page = study.out / PAGE
    write_study_page(page, study.name, study.spec.note, missing, data)
    written = [RUNS, STEPS, *[PAIRS] * bool(pairs)]
    console.print(f"tables in {study.out}: {', '.join(f'{name}.csv' for name in written)}, and the same as .parquet")
    console.print(f"page: {page}")
