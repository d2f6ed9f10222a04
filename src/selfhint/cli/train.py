"""`selfhint train`: a recipe becomes a run directory."""

from __future__ import annotations

import traceback
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from selfhint.cli import rundir, wiring
from selfhint.cli.models import first_line
from selfhint.cli.progress import RunProgress
from selfhint.cli.quiet import is_main_process
from selfhint.cli.recipe_trainer import as_dataset, build_trainer, save_final
from selfhint.cli.stopping import Stopped
from selfhint.cli.warm import warm_with_progress
from selfhint.config import Recipe
from selfhint.core.errors import InputError, RunError, SelfHintError
from selfhint.core.problem import Problem
from selfhint.data import read_hints_file, with_hints
from selfhint.engines.build import make_teacher
from selfhint.report.lines import lines_of
from selfhint.runlog import METRICS
from selfhint.verify.reward import reward_function

if TYPE_CHECKING:
    from selfhint.engines.trl import SelfHintTrainer


def run(
    recipe: Recipe,
    console: Console,
    *,
    resume: bool = False,
    accept_changes: bool = False,
    mend: str = "repeat the command with --resume to go on",
) -> Path:
    """Runs a recipe to its end with a progress display and returns the folder of the final model.

    Args:
        mend: what the user does after the run was stopped; ends the error's line.

    Raises:
        InputError: something the user gave cannot be used; no run directory was begun then.
        RunError: the run stopped after it was begun, by a signal or a failure; it can be resumed.
        Stopped: a signal came before that.
    """
    out = Path(recipe.out)
    if is_main_process():  # the others would look while this one makes the directory
        if resume:
            rundir.check_resume(out, recipe, accept_changes)
        else:
            rundir.check_fresh(out)
    console.print(f"{recipe.method}: model {recipe.model}, data {recipe.data}, {recipe.steps} steps, into {out}")
    if recipe.notice is not None:
        console.print(recipe.notice)
    try:
        with rundir.made(out) if is_main_process() else nullcontext():
            return _train(recipe, console, resume, mend)
    except Stopped as stopped:
        if not rundir.has_run(out):
            raise
        raise RunError(f"out={out}: {stopped}; {mend} from the last checkpoint") from None
    except SelfHintError:
        raise
    except Exception as error:
        failure = f"{type(error).__name__}: {first_line(error)}"
        if not isinstance(error, OSError | ValueError | ImportError):  # these say what to mend, others need the place
            traceback.print_exc()
        if not rundir.has_run(out):
            raise InputError(
                f"the run could not begin ({failure}); correct the recipe and repeat the command"
            ) from error
        raise RunError(f"out={out}: {failure}; mend the cause, then {mend}") from error


def _train(recipe: Recipe, console: Console, resume: bool, mend: str) -> Path:
    from selfhint.engines.trl import arguments
    from selfhint.engines.trl.checkpoint import last_complete, read_state

    out = Path(recipe.out)
    checkpoints = out / rundir.CHECKPOINTS
    config = arguments.grpo_config(recipe, checkpoints)
    tokenizer = wiring.tokenizer_of(recipe)
    problems = wiring.problems_of(recipe, tokenizer)
    wiring.check_enough(recipe, problems.train)
    wiring.check_context(recipe)
    warm_with_progress(recipe, console)
    console.print(problems.report)
    progress = RunProgress(recipe.steps, console, recipe.method)
    last = last_complete(checkpoints) if resume else None
    if last is not None:
        _look_back(out, recipe, read_state(last)["generation_step"], progress)
    elif resume:
        console.print(f"{checkpoints}: no complete checkpoint yet, starting from the first step")
    verifier = wiring.verifier_of(recipe)
    teacher, begun = None, False
    try:
        teacher = make_teacher(recipe, out) if is_main_process() else None
        trainer = build_trainer(recipe, config, tokenizer, problems, reward_function(verifier), progress, teacher)
        if is_main_process():
            _open_directory(out, recipe, resume, is_new=last is None)
            begun = True
        if recipe.hint_source == "offline":
            _write_hints(trainer, recipe, problems.train, console)
        with progress:
            _train_until_stopped(trainer, recipe, progress, last is not None, mend)
    except InputError:
        if begun and not resume and last_complete(checkpoints) is None:
            rundir.forget_unless_worth_keeping(out)
        raise
    except (SelfHintError, OSError):
        raise
    except Exception:
        if is_main_process() and not resume and last_complete(checkpoints) is None:
            rundir.forget_unless_worth_keeping(out)
        raise
    finally:
        verifier.close()
        if teacher is not None:
            teacher.close()
    final = out / rundir.FINAL
    save_final(trainer, tokenizer, recipe, final)
    return final


def _look_back(out: Path, recipe: Recipe, step: int, progress: RunProgress) -> None:
    """Counts what the run did before the checkpoint of `step`.

    Raises:
        InputError: the recipe wants fewer steps.
    """
    if step > recipe.steps:
        raise InputError(f"out={out}: the run is at step {step} already; set steps to {step} or more")
    if (out / METRICS).exists():
        for line in lines_of(out / METRICS):
            if line.count("step") < step:
                progress.add_earlier(line.fields)


def _open_directory(out: Path, recipe: Recipe, resume: bool, is_new: bool) -> None:
    if not resume:
        rundir.begin(out, recipe)
        return
    if is_new:  # the run died before its first checkpoint
        rundir.clear_logs(out)
    rundir.write_recipe(out, recipe)


def _write_hints(trainer: SelfHintTrainer, recipe: Recipe, problems: tuple[Problem, ...], console: Console) -> None:
    """Lets the untrained model write the hints that are not there yet, and trains on what there is then."""
    from selfhint.engines.trl.offline import write_offline_hints

    path = Path(recipe.out) / rundir.OFFLINE_HINTS
    report = write_offline_hints(
        trainer,
        problems,
        wiring.format_of(recipe),
        path,
        per_level=recipe.hints.per_level,
        tries=recipe.hints.tries,
        count_leaks=recipe.hints.leaks == "count",
        on_batch=lambda report: console.print(f"{path}: hints for {report.num_problems} of {len(problems)} problems"),
    )
    console.print(f"{path}: {report.num_hints.total()} hints; {report.outcome()}")
    joined, _ = with_hints(problems, read_hints_file(path))
    trainer.train_dataset = as_dataset(joined, with_hints=True)


def _train_until_stopped(
    trainer: SelfHintTrainer, recipe: Recipe, progress: RunProgress, resume: bool, mend: str
) -> None:
    from selfhint.engines.trl.callbacks import StopOnSignal

    stop = StopOnSignal(progress.announce_stop)
    trainer.add_callback(stop)
    try:
        trainer.train(resume_from_checkpoint=resume)
    finally:
        stop.restore()
    if stop.stopped:
        raise RunError(
            f"out={recipe.out}: stopped by {stop.stopped} after step {trainer.generation_step} of {recipe.steps}, "
            f"with a checkpoint; {mend}"
        )
