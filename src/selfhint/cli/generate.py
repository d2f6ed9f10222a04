"""`selfhint generate`: what the trained model answers, asked as it was trained but without any hint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from selfhint.cli import models, rundir
from selfhint.core.errors import InputError
from selfhint.core.prompt import Prompt
from selfhint.hints import SOLVER_TEMPLATE, solver_prompt

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def asked(question: str, tokenizer: PreTrainedTokenizerBase, template: str = SOLVER_TEMPLATE) -> Prompt:
    """The solver's prompt of training, with no hint and no place for one."""
    return solver_prompt(question, chat=tokenizer.chat_template is not None, template=template)


def generate(model: str, questions: Iterable[str], *, max_tokens: int, temperature: float, seed: int) -> Iterator[str]:
    """One answer for each question, in order.

    Args:
        model: folder or hub id.
        temperature: 0 takes the likeliest token at each position.

    Raises:
        InputError: the model cannot be loaded, or a question does not fit into its context.
    """
    import torch

    from selfhint.engines.local import generation_settings

    tokenizer = models.load_tokenizer(model)
    context = models.context_length(model)
    template, template_arguments = rundir.read_asking(Path(model)) or (SOLVER_TEMPLATE, {})
    policy = models.load_policy(model)
    sampling = {"do_sample": True, "temperature": temperature, "top_k": 0, "top_p": 1.0} if temperature > 0 else {}
    settings = generation_settings(policy, tokenizer, max_tokens, **sampling)
    torch.manual_seed(seed)
    for question in questions:
        ids = models.token_ids(tokenizer, asked(question, tokenizer, template), template_arguments)
        if context is not None and len(ids) >= context:
            raise InputError(
                f"generate: a problem of {len(ids)} tokens is over the model's context of {context}; shorten it"
            )
        inputs = torch.tensor([ids], device=policy.device)
        output = policy.generate(inputs, attention_mask=torch.ones_like(inputs), generation_config=settings)
        yield tokenizer.decode(output[0, len(ids) :], skip_special_tokens=True)
