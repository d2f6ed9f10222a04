"""Log-probabilities of completions given the prompts they were drawn from, where the update reads other prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from trl.trainer.utils import pad

if TYPE_CHECKING:
    from selfhint.engines.trl.trainer import SelfHintTrainer


def log_probs_as_drawn(
    trainer: SelfHintTrainer, prompt_ids: Sequence[Sequence[int]], output: Mapping[str, Any]
) -> Tensor:
    """Log π(τ | x, h), token by token, under the policy as it is now.

    Args:
        prompt_ids: tokens of (x, h) for each row.
        output: what TRL made of the rows; completion_ids and completion_mask have shape (B, C).

    Returns:
        Shape (B, C), without gradient.
    """
    ids = [torch.tensor(row) for row in prompt_ids]
    padding = trainer._tokenizer.pad_token_id
    device = output["completion_ids"].device
    prompts = pad(ids, padding_value=padding, padding_side="left").to(device)
    mask = pad([torch.ones_like(row) for row in ids], padding_value=0, padding_side="left").to(device)
    with torch.no_grad():
        logps: Tensor
        logps, _, _ = trainer._get_per_token_logps_and_entropies(
            trainer.model,
            torch.cat([prompts, output["completion_ids"]], dim=1),
            torch.cat([mask, output["completion_mask"]], dim=1),
            output["completion_ids"].size(1),
            batch_size=trainer.args.per_device_train_batch_size,
        )
    return logps
