"""Sampling from the lab's policy without transformers' bookkeeping, which at 0.1 M parameters takes most of the time.

It draws from the same distribution with the same random numbers as transformers' `generate`: a prompt that stands in
neighbouring rows is read once for all of them, and each further token is one pass through the model's own layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import GenerationConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaAttention, apply_rotary_pos_emb

_ASKED = {"do_sample", "temperature", "max_new_tokens", "pad_token_id", "eos_token_id"}
"""Fields of a GenerationConfig that `draw` follows."""
_WITHOUT_EFFECT = {"bos_token_id": None, "disable_compile": True, "top_k": 0, "top_p": 1.0, "repetition_penalty": 1.0}
"""Fields that change nothing at these values; at None any value will do."""


def quicken(model: LlamaForCausalLM) -> None:
    """Lets `model.generate` sample by `draw` where plain sampling is asked for, and as usual where more is.

    Only this object changes: it is saved, loaded and trained as the plain Llama it is.
    """
    usual = model.generate

    def generate(
        input_ids: Tensor, attention_mask: Tensor, generation_config: GenerationConfig, **others: Any
    ) -> Tensor:
        if others or not _is_plain(generation_config):
            output: Tensor = usual(
                input_ids=input_ids, attention_mask=attention_mask, generation_config=generation_config, **others
            )
            return output
        return draw(model, input_ids, attention_mask, generation_config)

    model.generate = generate


def _is_plain(config: GenerationConfig) -> bool:
    """Samples from the whole vocabulary, changed by a temperature at most, up to a number of new tokens."""
    given = {key: value for key, value in config.to_diff_dict().items() if value is not None}
    rest = given.keys() - _ASKED - {"transformers_version"}
    without_effect = all(key in _WITHOUT_EFFECT and _WITHOUT_EFFECT[key] in (None, given[key]) for key in rest)
    return given.keys() >= _ASKED and given["do_sample"] is True and without_effect


@torch.no_grad()
def draw(model: LlamaForCausalLM, input_ids: Tensor, attention_mask: Tensor, config: GenerationConfig) -> Tensor:
    """One completion for each row.

    Args:
        input_ids, attention_mask: prompts, padded on the left. Shape (B, P).
        config: max_new_tokens, temperature and the tokens that end and pad a completion.

    Returns:
        Prompts and completions, padded on the right. Shape (B, P + N), where N ≤ max_new_tokens is the longest
        completion.
    """
    ends = torch.as_tensor(config.eos_token_id, device=input_ids.device)
    logits, memory = _read(model, input_ids, attention_mask, config.max_new_tokens)
    position = attention_mask.sum(dim=1, keepdim=True)
    finished = torch.zeros_like(position, dtype=torch.bool)
    output = [input_ids]
    while True:
        probabilities = torch.softmax(logits.float() / config.temperature, dim=-1)
        token = torch.multinomial(probabilities, num_samples=1).masked_fill_(finished, config.pad_token_id)
        output.append(token)
        finished |= torch.isin(token, ends)
        if finished.all() or len(output) > config.max_new_tokens:
            return torch.cat(output, dim=1)
        logits = _go_on(model, token, position, memory)
        position = position + 1


@dataclass(slots=True)
class Memory:
    """What the policy has read and written so far.

    Time comes first, so that attention from one token is a few plain operations over long rows.

    Args:
        keys, values: of each layer. Shape (S, B, heads, d), where S has room for every new token.
        bias: −∞ where a prompt is padded, else 0. Shape (S, B, 1).
        length: positions in use.
    """

    keys: list[Tensor]
    values: list[Tensor]
    bias: Tensor
    length: int


def _read(model: LlamaForCausalLM, input_ids: Tensor, attention_mask: Tensor, num_new: int) -> tuple[Tensor, Memory]:
    """Reads the prompts, each run of equal neighbours once; gives what may come next, shape (B, V), and the memory."""
    num_prompt = input_ids.shape[1]
    both = torch.cat([input_ids, attention_mask], dim=1)
    rows, place = torch.unique_consecutive(both, dim=0, return_inverse=True)
    ids, mask = rows[:, :num_prompt], rows[:, num_prompt:]
    positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
    read = model(input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=True, logits_to_keep=1)

    def with_room(cached: Tensor) -> Tensor:
        by_time = cached.permute(2, 0, 1, 3)[:, place]
        return torch.cat([by_time, by_time.new_empty(num_new, *by_time.shape[1:])])

    padded = F.pad(attention_mask == 0, (0, num_new), value=False).T[..., None]
    memory = Memory(
        keys=[with_room(layer.keys) for layer in read.past_key_values.layers],
        values=[with_room(layer.values) for layer in read.past_key_values.layers],
        bias=torch.zeros_like(padded, dtype=model.dtype).masked_fill_(padded, -torch.inf),
        length=num_prompt,
    )
    return read.logits[:, -1][place], memory


def _go_on(model: LlamaForCausalLM, token: Tensor, position: Tensor, memory: Memory) -> Tensor:
    """Reads one more token of each row, shape (B, 1), and says what may come next, shape (B, V)."""
    hidden = model.model.embed_tokens(token)
    rotation = model.model.rotary_emb(hidden, position)
    for i, layer in enumerate(model.model.layers):
        hidden = hidden + _attend(layer.self_attn, layer.input_layernorm(hidden), rotation, memory, i)
        hidden = hidden + layer.mlp(layer.post_attention_layernorm(hidden))
    memory.length += 1
    logits: Tensor = model.lm_head(model.model.norm(hidden))[:, -1]
    return logits


def _attend(
    attention: LlamaAttention, hidden: Tensor, rotation: tuple[Tensor, Tensor], memory: Memory, layer: int
) -> Tensor:
    shape = (*hidden.shape[:2], -1, attention.head_dim)
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    query, key, value = (project(hidden).view(shape) for project in projections)
    query, key = apply_rotary_pos_emb(query, key, *rotation, unsqueeze_dim=2)
    memory.keys[layer][memory.length], memory.values[layer][memory.length] = key[:, 0], value[:, 0]
    now = slice(memory.length + 1)
    scores = (memory.keys[layer][now] * query[:, 0]).sum(dim=-1) * attention.scaling + memory.bias[now]
    mixed = (memory.values[layer][now] * scores.softmax(dim=0)[..., None]).sum(dim=0)
    output: Tensor = attention.o_proj(mixed.view(hidden.shape))
    return output
