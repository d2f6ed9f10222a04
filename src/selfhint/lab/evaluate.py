"""Measures a policy on the lab task: success without hints, and success at each level beside the ideal reader's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from transformers import GenerationConfig, PreTrainedModel, PreTrainedTokenizerBase

from selfhint.core.levels import NO_HINT, NUM_LEVELS
from selfhint.core.problem import Problem
from selfhint.core.prompt import Prompt, append_to_prompt
from selfhint.lab.format import LabFormat
from selfhint.lab.ideal import expected_success
from selfhint.lab.task import HINT_BLOCK, LabTask, true_hint


def success_rate(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    problems: Sequence[Problem],
    *,
    seed: int,
    temperature: float = 1.0,
) -> float:
    """Share of problems solved without a hint, one sampled completion each.

    Neither the model nor any random state is changed, so that measuring never changes a run.
    """
    return _solved(model, tokenizer, problems, [""] * len(problems), seed=seed, temperature=temperature)


@dataclass(frozen=True, slots=True)
class LevelResult:
    """Success at one level, one completion for each problem.

    Args:
        level: 0 … L.
        ideal: expected success of an ideal reader with true hints, in closed form.
        true_hints: measured success with true hints.
        own_hints: measured success with hints that the policy wrote itself; at level 0 there is no hint.
        hints_exact: share of the policy's hints that equal the true one; 1 at level 0.
    """

    level: int
    ideal: float
    true_hints: float
    own_hints: float
    hints_exact: float


def level_report(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    task: LabTask,
    problems: Sequence[Problem],
    *,
    seed: int,
    temperature: float = 1.0,
) -> list[LevelResult]:
    """How far the policy is from an ideal reader and writer of hints, level by level."""
    results = []
    for level in range(NO_HINT, NUM_LEVELS + 1):
        wanted = [true_hint(problem, level) for problem in problems]
        written = _write_hints(model, tokenizer, problems, level, seed=seed, temperature=temperature)
        results.append(
            LevelResult(
                level=level,
                ideal=expected_success(task, problems, level),
                true_hints=_solved(model, tokenizer, problems, wanted, seed=seed, temperature=temperature),
                own_hints=_solved(model, tokenizer, problems, written, seed=seed, temperature=temperature),
                hints_exact=sum(w == t for w, t in zip(written, wanted, strict=True)) / len(problems),
            )
        )
    return results


def _write_hints(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    problems: Sequence[Problem],
    level: int,
    *,
    seed: int,
    temperature: float,
) -> list[str]:
    """The policy's hints in the order of `problems`; empty where the level shows nothing."""
    requests = [LabFormat().request(problem, level) for problem in problems]
    asked = [request for request in requests if request is not None]
    answers = iter(sample(model, tokenizer, asked, seed=seed, temperature=temperature) if asked else ())
    return ["" if request is None else next(answers) for request in requests]


def sample(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[Prompt],
    *,
    seed: int,
    temperature: float = 1.0,
) -> list[str]:
    """One completion for each chat prompt, drawn in one batch; special tokens are not part of the text.

    Raises:
        ValueError: no prompts.
    """
    if not prompts:
        raise ValueError("sampling needs at least one prompt")
    texts = [tokenizer.apply_chat_template(list(p), tokenize=False, add_generation_prompt=True) for p in prompts]
    inputs = tokenizer(texts, return_tensors="pt", padding=True, padding_side="left", add_special_tokens=False)
    inputs = inputs.to(model.device)
    settings = GenerationConfig(
        do_sample=True,
        temperature=temperature,
        top_k=0,
        top_p=1.0,
        max_new_tokens=max(len(text) for text in texts),
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    training = model.training
    model.eval()
    try:
        with torch.random.fork_rng(devices=[model.device] if model.device.type == "cuda" else []), torch.no_grad():
            torch.manual_seed(seed)
            output = model.generate(
                input_ids=inputs.input_ids, attention_mask=inputs.attention_mask, generation_config=settings
            )
    finally:
        model.train(training)
    return list(tokenizer.batch_decode(output[:, inputs.input_ids.shape[1] :], skip_special_tokens=True))


def _solved(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    problems: Sequence[Problem],
    hints: Sequence[str],
    *,
    seed: int,
    temperature: float,
) -> float:
    """Share of problems whose completion is the answer; an empty hint leaves the prompt as it is."""
    prompts = [
        append_to_prompt(p.prompt, HINT_BLOCK.format(hint=hint)) if hint else p.prompt
        for p, hint in zip(problems, hints, strict=True)
    ]
    completions = sample(model, tokenizer, prompts, seed=seed, temperature=temperature)
    return sum(c == p.answer for c, p in zip(completions, problems, strict=True)) / len(problems)
