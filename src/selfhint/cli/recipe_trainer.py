"""The trainer that a recipe asks for, and the plain model that it leaves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from selfhint.cli import rundir, wiring
from selfhint.cli.models import first_line
from selfhint.cli.progress import RunProgress
from selfhint.config import LAB_MODEL, Recipe
from selfhint.core.errors import InputError
from selfhint.core.levels import NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.engines.build import make_hint_weight, make_scheduler

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from selfhint.engines.teacher import Teacher
    from selfhint.engines.trl import SelfHintTrainer


def build_trainer(
    recipe: Recipe,
    config: Any,
    tokenizer: PreTrainedTokenizerBase,
    problems: wiring.Problems,
    reward: Any,
    progress: RunProgress,
    teacher: Teacher | None = None,
) -> SelfHintTrainer:
    """The trainer of a recipe, with held-out measurements where the data offer them.

    Raises:
        InputError: the model cannot be loaded, or TRL or PEFT refuse the recipe's settings.
    """
    import httpx
    from safetensors import SafetensorError
    from transformers import PrinterCallback

    from selfhint.engines.trl import SelfHintTrainer
    from selfhint.engines.trl.arguments import check_adapted, lora_config
    from selfhint.engines.trl.callbacks import MeasureHeldOut, SaveAsAsked

    try:
        trainer = SelfHintTrainer(
            model=wiring.model_folder(recipe),
            reward_funcs=[reward],
            args=config,
            train_dataset=as_dataset(problems.train, with_hints=wiring.shows_given(recipe)),
            columns={"hints": "hints"} if wiring.shows_given(recipe) else None,
            teacher=teacher,
            processing_class=tokenizer,
            peft_config=lora_config(recipe),
            scheduler=make_scheduler(recipe, seed=recipe.seed, steps=recipe.steps),
            hint_weight=make_hint_weight(recipe),
            hints=wiring.hints_of(recipe),
            hinted_updates=recipe.hinted_updates,
            hint_block=wiring.hint_block_of(recipe),
            hint_max_tokens=recipe.hints.max_tokens,
            max_prompt_tokens=recipe.max_prompt_tokens,
            run_dir=recipe.out,
            listener=progress.show,
        )
    except (OSError, SafetensorError) as error:
        raise InputError(
            f"model={recipe.model}: cannot be loaded ({first_line(error)}); give a causal language model's folder"
        ) from error
    except (ValueError, TypeError, ImportError, RuntimeError, httpx.HTTPError) as error:
        raise InputError(f"the trainer refuses the recipe ({first_line(error)}); correct model, lora or trl") from error
    check_adapted(recipe, trainer.model)
    check_saved_whole(trainer)
    if recipe.model == LAB_MODEL:
        from selfhint.lab.sampling import quicken

        quicken(trainer.model if recipe.lora is None else trainer.model.get_base_model())
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(SaveAsAsked())
    if problems.held_out:
        every = recipe.lab.heldout_every if wiring.uses_lab(recipe) else recipe.heldout.every
        measure = _held_out_measure(trainer, recipe, tokenizer, problems.held_out)
        trainer.add_callback(MeasureHeldOut(trainer, measure, every, recipe.steps))
    return trainer


def _held_out_measure(
    trainer: SelfHintTrainer, recipe: Recipe, tokenizer: PreTrainedTokenizerBase, problems: tuple[Problem, ...]
) -> Callable[[], float | None]:
    """Success without hints of the trainer's policy as it is when this is called."""
    if wiring.uses_lab(recipe):
        from selfhint.lab.evaluate import success_rate

        def measure_lab() -> float:
            policy = trainer.accelerator.unwrap_model(trainer.model)
            return success_rate(policy, tokenizer, problems, seed=recipe.seed)

        return measure_lab
    from selfhint.engines.trl.held_out import held_out_success

    rows = list(as_dataset(problems))
    return lambda: held_out_success(trainer, rows, recipe.heldout.samples)


def as_dataset(problems: tuple[Problem, ...], *, with_hints: bool = False) -> Any:
    """Problems as the data set that TRL trains on; their given hints in a column of their own."""
    from datasets import Dataset

    rows: list[dict[str, Any]] = [
        {"prompt": p.prompt, "problem": p.question, "solution": p.solution, "answer": p.answer} for p in problems
    ]
    if with_hints:
        for row, problem in zip(rows, problems, strict=True):
            row["hints"] = [list(problem.hints.get(level, ())) for level in range(1, NUM_LEVELS + 1)]
    return Dataset.from_list(rows)


def check_saved_whole(trainer: SelfHintTrainer) -> None:
    """`save_final` takes the weights from one process, after merging adapters into them.

    Raises:
        InputError: each process holds a part of them.
    """
    if trainer.weights_are_spread:
        raise InputError(
            "the final model cannot be saved from weights that FSDP or DeepSpeed ZeRO-3 spread over processes: use "
            "DeepSpeed ZeRO-1 or ZeRO-2, or SelfHintTrainer in a script of your own with its save_model()"
        )


def save_final(trainer: SelfHintTrainer, tokenizer: PreTrainedTokenizerBase, recipe: Recipe, final: Path) -> None:
    """Writes a plain Hugging Face model; adapters are merged into the weights."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    if hasattr(model, "merge_and_unload"):
        model = model.merge_and_unload()
    if trainer.accelerator.is_main_process:

        def fill(folder: Path) -> None:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            rundir.write_asking(folder, wiring.solver_template_of(recipe), wiring.template_arguments_of(recipe))

        rundir.replace_folder(final, fill)
    trainer.accelerator.wait_for_everyone()
