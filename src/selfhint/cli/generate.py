"""`selfhint generate`: what the trained model answers, asked as it was trained but without any hint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from selfhint.cli import rundir
from selfhint.cli.wiring import load_tokenizer
from selfhint.core.errors import InputError
from selfhint.core.prompt import Prompt
from selfhint.hints import SOLVER_TEMPLATE, solver_prompt

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def render(question: str, tokenizer: PreTrainedTokenizerBase, template: str = SOLVER_TEMPLATE) -> str:
    """The text the model sees: the solver's prompt of training, with no hint and no place for one."""
    prompt: Prompt = solver_prompt(question, chat=tokenizer.chat_template is not None, template=template)
    if isinstance(prompt, str):
        return prompt
    text: str = tokenizer.apply_chat_template(list(prompt), tokenize=False, add_generation_prompt=True)
    return text


def generate(model: str, questions: Iterable[str], *, max_tokens: int, temperature: float, seed: int) -> Iterator[str]:
    """One answer for each question, in order.

    Args:
        model: folder or hub id.
        temperature: 0 takes the likeliest token at each position.

    Raises:
        InputError: the model cannot be loaded.
    """
    import torch
    from transformers import AutoModelForCausalLM, GenerationConfig

    tokenizer = load_tokenizer(model)
    try:
        policy = AutoModelForCausalLM.from_pretrained(model, dtype="auto")
    except (OSError, ValueError) as error:
        raise InputError(
            f"{model}: cannot be loaded ({str(error).strip().splitlines()[0]}); give a model folder"
        ) from error
    policy.to("cuda" if torch.cuda.is_available() else "cpu")
    sampling = {"do_sample": True, "temperature": temperature, "top_k": 0} if temperature > 0 else {"do_sample": False}
    settings = GenerationConfig(
        max_new_tokens=max_tokens,
        pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
        eos_token_id=policy.generation_config.eos_token_id or tokenizer.eos_token_id,
        **sampling,
    )
    template = rundir.read_solver_template(Path(model)) or SOLVER_TEMPLATE
    torch.manual_seed(seed)
    for question in questions:
        text = render(question, tokenizer, template)
        special = tokenizer.chat_template is None
        inputs = tokenizer(text, return_tensors="pt", add_special_tokens=special).to(policy.device)
        output = policy.generate(**inputs, generation_config=settings)
        yield tokenizer.decode(output[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
