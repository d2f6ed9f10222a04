"""Ancestral sampling for a batch of requests, each with its own seed.

A request's tokens depend on the weights, its prompt and its seed alone: every row has its own random numbers, padding
is masked and counted out of the positions, and the arithmetic is done in double precision, so that the rounding that
differs between batch shapes is far too small to move a draw.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Row:
    """One request.

    Args:
        prompt_ids: tokens of the prompt.
        seed: of the row's random numbers; any integer.
        temperature: 0 takes the most probable token.
        max_tokens: longest completion, counting the end-of-sequence token.
        forced: this completion instead of a sampled one; only its log-probabilities are computed.
    """

    prompt_ids: tuple[int, ...]
    seed: int
    temperature: float
    max_tokens: int
    forced: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A completion: its tokens with their log-probabilities at the row's temperature (at 1 for greedy rows)."""

    token_ids: list[int]
    log_probs: list[float]


@torch.inference_mode()
def draw(model: torch.nn.Module, rows: Sequence[Row], *, pad_id: int, eos_ids: frozenset[int]) -> list[Drawn]:
    """Completions of `rows`, in their order. `model` is a causal language model in evaluation mode."""
    longest = max(len(row.prompt_ids) for row in rows)
    ids_BT = torch.full((len(rows), longest), pad_id)
    mask_BT = torch.zeros_like(ids_BT)
    for i, row in enumerate(rows):
        ids_BT[i, longest - len(row.prompt_ids) :] = torch.tensor(row.prompt_ids)
        mask_BT[i, longest - len(row.prompt_ids) :] = 1
    rngs = [random.Random(row.seed) for row in rows]
    temperature_B = torch.tensor([row.temperature or 1.0 for row in rows], dtype=torch.float64)
    drawn = [Drawn([], []) for _ in rows]
    is_open = [_limit(row) > 0 for row in rows]

    cache = None
    inputs_BT = ids_BT
    while any(is_open):
        positions_BT = (mask_BT.cumsum(1) - 1).clamp(min=0)[:, -inputs_BT.shape[1] :]
        output = model(
            input_ids=inputs_BT,
            attention_mask=mask_BT,
            position_ids=positions_BT,
            past_key_values=cache,
            use_cache=True,
        )
        cache = output.past_key_values
        log_probs_BV = (output.logits[:, -1].double() / temperature_B[:, None]).log_softmax(-1)
        next_B = torch.full((len(rows),), pad_id)
        for i, row in enumerate(rows):
            if not is_open[i]:
                continue
            token = _choose(row, len(drawn[i].token_ids), log_probs_BV[i], rngs[i])
            drawn[i].token_ids.append(token)
            drawn[i].log_probs.append(log_probs_BV[i, token].item())
            next_B[i] = token
            at_limit = len(drawn[i].token_ids) == _limit(row)
            is_open[i] = not at_limit and (row.forced is not None or token not in eos_ids)
        inputs_BT = next_B[:, None]
        mask_BT = torch.cat([mask_BT, torch.ones_like(inputs_BT)], 1)
    return drawn


def _limit(row: Row) -> int:
    return row.max_tokens if row.forced is None else min(row.max_tokens, len(row.forced))


def _choose(row: Row, position: int, log_probs_V: Tensor, rng: random.Random) -> int:
    if row.forced is not None:
        return row.forced[position]
    if row.temperature == 0:
        return int(log_probs_V.argmax())
    cumulative_V = log_probs_V.exp().cumsum(0)
    drawn = torch.tensor(rng.random(), dtype=torch.float64) * cumulative_V[-1]
    return min(int(torch.searchsorted(cumulative_V, drawn, right=True)), len(cumulative_V) - 1)
