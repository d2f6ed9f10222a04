"""The policy as an engine in this process, set up as a training would set it up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from selfhint.cli import models, wiring
from selfhint.cli.look_options import LookOptions
from selfhint.config import Recipe
from selfhint.core.errors import InputError
from selfhint.core.ports import BatchEngine
from selfhint.core.prompt import Prompt
from selfhint.engines.build import make_teacher
from selfhint.engines.write_hints import Place
from selfhint.hints import insert_hint

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@contextmanager
def policy_engine(
    options: LookOptions, tokenizer: PreTrainedTokenizerBase, on_batch: Callable[[int, int], None]
) -> Iterator[BatchEngine]:
    """Loads the model, and asks the teacher where the hints come from one.

    Args:
        on_batch: called after each batch with its completions and sampled tokens.

    Raises:
        InputError: the model cannot be loaded, or the teacher cannot be asked.
    """
    from selfhint.engines.local import LocalEngine
    from selfhint.engines.teacher.router import TeacherBatchRouter

    recipe = options.recipe
    template_arguments = wiring.template_arguments_of(recipe)
    verifier = wiring.verifier_of(recipe)
    teacher = None if options.out is None else make_teacher(recipe, options.out.parent)
    try:
        engine = LocalEngine(
            models.load_policy(
                wiring.model_folder(recipe), trust_remote_code=recipe.trl.get("trust_remote_code") is True
            ),
            tokenizer,
            verifier,
            token_ids=lambda prompt: models.token_ids(tokenizer, prompt, template_arguments),
            max_tokens={"solve": recipe.max_completion_tokens, "hint": recipe.hints.max_tokens},
            seed=recipe.seed,
            temperature=recipe.trl["temperature"],
            max_rows=options.batch,
            on_batch=on_batch,
        )
        yield engine if teacher is None else TeacherBatchRouter(engine, teacher)
    finally:
        verifier.close()
        if teacher is not None:
            teacher.close()


def check_teacher(options: LookOptions) -> None:
    """A teacher's answers cost money: they are kept beside the result.

    Raises:
        InputError: there is no result to keep them beside.
    """
    if options.recipe.hint_source == "teacher" and options.out is None:
        raise InputError(f"{options.command}: a teacher's answers are kept beside the result; name it with --out")


def place_of(recipe: Recipe, tokenizer: PreTrainedTokenizerBase) -> Place:
    """How a hint stands in the solver's prompt, and the budgets of prompts and of requests, as a training has them."""
    template_arguments = wiring.template_arguments_of(recipe)
    block = wiring.hint_block_of(recipe)
    longest_request = wiring.longest_request_of(recipe)

    def num_tokens(prompt: Prompt) -> int:
        return len(models.token_ids(tokenizer, prompt, template_arguments))

    return Place(
        hinted=lambda prompt, text: insert_hint(prompt, text, block),
        fits=lambda prompt: num_tokens(prompt) <= recipe.max_prompt_tokens,
        fits_request=lambda prompt: num_tokens(prompt) <= longest_request,
    )
