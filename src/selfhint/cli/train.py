"""`selfhint train`: a recipe becomes a run directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from selfhint.cli import rundir, wiring
from selfhint.cli.progress import RunProgress
from selfhint.cli.warm import warm_with_progress
from selfhint.config import Recipe
from selfhint.core.errors import RunError
from selfhint.core.problem import Problem
from selfhint.runlog import Listener
from selfhint.verify.reward import reward_function

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from selfhint.engines.trl import SelfHintTrainer


def run(recipe: Recipe, console: Console, *, resume: bool = False, accept_changes: bool = False) -> Path:
    """Runs a recipe to its end with a progress display and returns the folder of the final model.

    Raises:
        InputError: something the user gave cannot be used; no run directory was begun then.
        RunError: the run was stopped by a signal after writing a checkpoint.
    """
    if resume:
        rundir.check_resume(Path(recipe.out), recipe, accept_changes)
    else:
        rundir.check_fresh(Path(recipe.out))
    warm_with_progress(recipe, console)
    with RunProgress(recipe.steps, console, recipe.method) as progress:
        return train(recipe, console, progress.show, resume)


def train(recipe: Recipe, console: Console, listener: Listener, resume: bool) -> Path:
    """Everything of `run` but the checks of the directory and the display."""
    from selfhint.engines.trl import arguments
    from selfhint.engines.trl.checkpoint import last_complete

    out = Path(recipe.out)
    checkpoints = out / rundir.CHECKPOINTS
    config = arguments.grpo_config(recipe, checkpoints)
    model = wiring.model_folder(recipe)
    tokenizer = wiring.load_tokenizer(model)
    problems = wiring.problems_of(recipe, tokenizer)
    wiring.check_enough(recipe, problems.train)
    is_main = arguments.process_index() == 0
    if is_main and not resume:
        rundir.write_recipe(out, recipe)
    console.print(problems.report, soft_wrap=True)
    verifier = wiring.verifier_of(recipe)
    try:
        trainer = build_trainer(recipe, config, model, tokenizer, problems, reward_function(verifier), listener)
        go_on = resume and last_complete(checkpoints) is not None
        if resume and not go_on:
            console.print(f"{checkpoints}: no complete checkpoint yet, starting from the first step", soft_wrap=True)
            if is_main:
                rundir.clear_logs(out)
        _train_until_stopped(trainer, recipe, go_on)
    finally:
        verifier.close()
    final = out / rundir.FINAL
    save_final(trainer, tokenizer, wiring.solver_template_of(recipe), final)
    return final


def build_trainer(
    recipe: Recipe,
    config: Any,
    model: str,
    tokenizer: PreTrainedTokenizerBase,
    problems: wiring.Problems,
    reward: Any,
    listener: Listener,
) -> SelfHintTrainer:
    """The trainer of a recipe, with held-out measurements where the data offer them."""
    from transformers import PrinterCallback

    from selfhint.engines.trl import SelfHintTrainer
    from selfhint.engines.trl.arguments import lora_config
    from selfhint.engines.trl.callbacks import MeasureHeldOut

    trainer = SelfHintTrainer(
        model=model,
        reward_funcs=[reward],
        args=config,
        train_dataset=as_dataset(problems.train),
        processing_class=tokenizer,
        peft_config=lora_config(recipe),
        scheduler=wiring.scheduler_of(recipe),
        hints=wiring.hints_of(recipe),
        hint_block=wiring.hint_block_of(recipe),
        hint_max_tokens=recipe.hints.max_tokens,
        max_prompt_tokens=recipe.max_prompt_tokens,
        run_dir=recipe.out,
        listener=listener,
    )
    trainer.remove_callback(PrinterCallback)
    if problems.held_out:
        from selfhint.lab.evaluate import success_rate

        def measure(policy: Any) -> float:
            return success_rate(policy, tokenizer, problems.held_out, seed=recipe.seed)

        trainer.add_callback(MeasureHeldOut(trainer, measure, recipe.lab.heldout_every, recipe.steps))
    return trainer


def as_dataset(problems: tuple[Problem, ...]) -> Any:
    """Problems as the data set that TRL trains on."""
    from datasets import Dataset

    return Dataset.from_list(
        [{"prompt": p.prompt, "problem": p.question, "solution": p.solution, "answer": p.answer} for p in problems]
    )


def _train_until_stopped(trainer: SelfHintTrainer, recipe: Recipe, resume: bool) -> None:
    from selfhint.engines.trl.callbacks import StopOnSignal

    stop = StopOnSignal()
    trainer.add_callback(stop)
    try:
        trainer.train(resume_from_checkpoint=resume)
    finally:
        stop.restore()
    if stop.stopped:
        raise RunError(
            f"stopped by a signal after step {trainer.generation_step} of {recipe.steps}; "
            f"a checkpoint is in {trainer.args.output_dir}, go on with --resume"
        )


def save_final(trainer: SelfHintTrainer, tokenizer: PreTrainedTokenizerBase, template: str, final: Path) -> None:
    """Writes a plain Hugging Face model; adapters are merged into the weights."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
    if trainer.accelerator.is_main_process:

        def fill(folder: Path) -> None:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            rundir.write_solver_template(folder, template)

        rundir.replace_folder(final, fill)
    trainer.accelerator.wait_for_everyone()
