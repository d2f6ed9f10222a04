"""TRL's own generation for a list of prompts: tokens, and completions as reward functions see them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from trl.chat_template_utils import parse_response
from trl.data_utils import is_conversational

from selfhint.core.group import Completion
from selfhint.core.prompt import Prompt
from selfhint.engines.trl.engine import Tokens

if TYPE_CHECKING:
    from selfhint.engines.trl.trainer import SelfHintTrainer


def generate(
    trainer: SelfHintTrainer, prompts: Sequence[Prompt], num_generations: int, max_tokens: int
) -> list[Completion]:
    """Samples one completion for each prompt with the backend the trainer is configured for.

    Args:
        num_generations: how many neighbours in `prompts` are copies of one prompt on all ranks together; vLLM's server
            mode sends each only once.
        max_tokens: limit of sampled tokens.
    """
    prompt_ids, images, fields = tokenize(trainer, prompts)
    with _completion_limit(trainer, max_tokens):
        completion_ids, logprobs = trainer._generate_single_turn(prompt_ids, images, fields, num_generations)
    texts = trainer.processing_class.batch_decode(completion_ids, skip_special_tokens=True)
    has_schema = any(
        getattr(trainer._tokenizer, name, None) is not None for name in ("response_template", "response_schema")
    )
    return [
        Completion(
            text=text,
            num_tokens=len(ids),
            raw=Tokens(
                prompt_ids=prompt_ids[i],
                completion_ids=ids,
                logprobs=None if logprobs is None else logprobs[i],
                message=_message(trainer, prompts[i], prompt_ids[i], ids, text, has_schema),
            ),
        )
        for i, (ids, text) in enumerate(zip(completion_ids, texts, strict=True))
    ]


def tokenize(trainer: SelfHintTrainer, prompts: Sequence[Prompt]) -> tuple[list[list[int]], Any, dict[str, Any]]:
    """TRL's own tokenisation, each run of neighbours that are one object only once."""
    distinct: list[Prompt] = []
    places = []
    for prompt in prompts:
        if not distinct or prompt is not distinct[-1]:
            distinct.append(prompt)
        places.append(len(distinct) - 1)
    ids, images, fields = trainer._tokenize_prompts(distinct)
    return [ids[i] for i in places], images, {name: [values[i] for i in places] for name, values in fields.items()}


def _message(
    trainer: SelfHintTrainer, prompt: Prompt, prompt_ids: list[int], ids: list[int], text: str, has_schema: bool
) -> Any:
    """The completion in the form TRL hands to reward functions."""
    if not is_conversational({"prompt": prompt}):
        return text
    if has_schema:
        return [parse_response(trainer._tokenizer, ids, prefix=prompt_ids, tools=[])]
    return [{"role": "assistant", "content": text}]


@contextmanager
def _completion_limit(trainer: SelfHintTrainer, max_tokens: int) -> Iterator[None]:
    """Hint requests have their own token limit; TRL keeps one for the whole run."""
    if max_tokens == trainer.max_completion_length:
        yield
    elif trainer.use_vllm:
        trainer.vllm_generation.max_completion_length = max_tokens
        try:
            yield
        finally:
            trainer.vllm_generation.max_completion_length = trainer.max_completion_length
    else:
        usual = trainer.generation_config
        trainer.generation_config = copy.deepcopy(usual)
        trainer.generation_config.max_new_tokens = max_tokens
        try:
            yield
        finally:
            trainer.generation_config = usual
