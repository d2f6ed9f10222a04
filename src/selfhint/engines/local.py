"""Answers an episode's requests with a model in this process: for looking at hints and data before a training.

Generation is the model's own `generate`; only the choice of each token is ours. It takes one uniform number for each
position from the completion's own generator, so that a completion follows from its seed and not from its neighbours in
the batch, up to rounding: a batch of another shape can change a probability in its last digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from selfhint.core.group import Completion, Verdict
from selfhint.core.ports import Judge, Purpose, Sample, Verifier
from selfhint.core.prompt import Prompt
from selfhint.engines.seeds import completion_seed

if TYPE_CHECKING:
    from transformers import GenerationConfig, PreTrainedModel, PreTrainedTokenizerBase

MAX_ROWS = 64
"""Completions drawn at once."""
MAX_BATCH_TOKENS = 131_072
"""Positions, padding and room for completions included, that a batch may hold in the key-value cache."""


@dataclass(frozen=True, slots=True)
class Row:
    """One completion to draw: the `index`-th of request number `request`."""

    request: int
    index: int
    prompt_ids: list[int]
    seed: int


class LocalEngine:
    """A `BatchEngine` over a transformers model and a verifier. The model's random state is not used.

    Args:
        model: on the device that it shall use.
        tokenizer: decodes; has an end token.
        verifier: judges completions against the problems' gold answers.
        token_ids: a prompt as the model reads it.
        max_tokens: limit of sampled tokens for each purpose.
        seed: with a request's identity it gives each completion's seed.
        temperature: 0 takes the likeliest token.
        max_rows, max_batch_tokens: what is drawn at once; a single completion may exceed the second.
        on_batch: called after each batch with its completions and sampled tokens.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        verifier: Verifier,
        *,
        token_ids: Callable[[Prompt], list[int]],
        max_tokens: Mapping[Purpose, int],
        seed: int,
        temperature: float = 1.0,
        max_rows: int = MAX_ROWS,
        max_batch_tokens: int = MAX_BATCH_TOKENS,
        on_batch: Callable[[int, int], None] | None = None,
    ) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._verifier = verifier
        self._token_ids = token_ids
        self._max_tokens = max_tokens
        self._seed = seed
        self._temperature = temperature
        self._max_rows = max_rows
        self._max_batch_tokens = max_batch_tokens
        self._on_batch = on_batch
        self._ends = end_tokens(model, tokenizer)

    def sample(self, requests: Sequence[Sample]) -> list[list[Completion]]:
        """Completions for each request, in batches of rows with prompts of similar length."""
        if not requests:
            return []
        limit = self._max_tokens[requests[0].purpose]
        prompts = [self._token_ids(request.prompt) for request in requests]
        rows = [
            Row(number, i, prompts[number], completion_seed(self._seed, request, i))
            for number, request in enumerate(requests)
            for i in range(request.num)
        ]
        drawn: dict[tuple[int, int], Completion] = {}
        for batch in self._batches(rows, limit):
            completions = self._draw(batch, limit)
            for row, completion in zip(batch, completions, strict=True):
                drawn[row.request, row.index] = completion
            if self._on_batch is not None:
                self._on_batch(len(batch), sum(c.num_tokens for c in completions))
        return [[drawn[number, i] for i in range(request.num)] for number, request in enumerate(requests)]

    def judge(self, requests: Sequence[Judge]) -> list[list[Verdict]]:
        """Verdicts for each request; the verifier gets all of them at once."""
        golds = [request.problem.answer for request in requests for _ in request.completions]
        verdicts = iter(self._verifier.judge(golds, [c.text for request in requests for c in request.completions]))
        return [[next(verdicts) for _ in request.completions] for request in requests]

    def _batches(self, rows: Sequence[Row], limit: int) -> Iterator[list[Row]]:
        """Longest prompts first, so that a batch that does not fit into memory is met at once."""
        batch: list[Row] = []
        for row in sorted(rows, key=lambda row: -len(row.prompt_ids)):
            width = len((batch or [row])[0].prompt_ids) + limit
            if batch and (len(batch) == self._max_rows or (len(batch) + 1) * width > self._max_batch_tokens):
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch

    def _draw(self, rows: Sequence[Row], limit: int) -> list[Completion]:
        width = max(len(row.prompt_ids) for row in rows)
        settings = generation_settings(self._model, self._tokenizer, limit)
        ids = torch.tensor([[settings.pad_token_id] * (width - len(r.prompt_ids)) + r.prompt_ids for r in rows])
        present = torch.tensor([[0] * (width - len(r.prompt_ids)) + [1] * len(r.prompt_ids) for r in rows])
        device = self._model.device
        choices: list[Any] = []
        if self._temperature > 0:
            choices.append(SeededChoice([row.seed for row in rows], limit, self._temperature, device))
        with torch.inference_mode():
            output = self._model.generate(
                ids.to(device),
                attention_mask=present.to(device),
                generation_config=settings,
                logits_processor=choices,
            )
        return [self._completion(sampled) for sampled in output[:, width:].tolist()]

    def _completion(self, ids: list[int]) -> Completion:
        length = next((i + 1 for i, token in enumerate(ids) if token in self._ends), len(ids))
        return Completion(self._tokenizer.decode(ids[:length], skip_special_tokens=True), length)


class SeededChoice:
    """A logits processor that leaves one token of each row: the inverse of the distribution function at a number of
    the row's own stream. Greedy search then takes that token.

    Args:
        seeds: one for each row.
        limit: positions that can be asked for.
        temperature: above 0.
        device: of the scores.
    """

    def __init__(self, seeds: Sequence[int], limit: int, temperature: float, device: torch.device) -> None:
        streams = [torch.rand(limit, dtype=torch.float64, generator=torch.Generator().manual_seed(s)) for s in seeds]
        self._uniform_TN = torch.stack(streams, dim=1).to(device)
        self._temperature = temperature
        self._position = 0

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Minus infinity but for the chosen token. Shape (N, vocabulary)."""
        cumulative = (scores / self._temperature).softmax(dim=-1).cumsum(dim=-1, dtype=torch.float64)
        threshold = self._uniform_TN[self._position, :, None] * cumulative[:, -1:]
        self._position += 1
        # The first token whose cumulated probability is above the threshold: never one of probability 0.
        chosen = torch.searchsorted(cumulative, threshold, right=True).clamp_(max=scores.shape[-1] - 1)
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen, 0.0)


def end_tokens(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """As in training, the model's own end tokens and the tokenizer's end a completion."""
    ends = model.generation_config.eos_token_id
    ends = [ends] if isinstance(ends, int) else list(ends or [])
    return sorted({tokenizer.eos_token_id, *ends})


def generation_settings(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, max_tokens: int, **sampling: Any
) -> GenerationConfig:
    """Settings under which a model says what it would say in training; greedy unless `sampling` says otherwise.

    What is not set here comes from the model's own file, so what changes its distribution is set: as in training there
    is no penalty for repetition.
    """
    from transformers import GenerationConfig

    return GenerationConfig(
        max_new_tokens=max_tokens,
        pad_token_id=tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id,
        eos_token_id=end_tokens(model, tokenizer),
        repetition_penalty=1.0,
        **{"do_sample": False, **sampling},
    )
