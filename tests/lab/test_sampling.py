"""The lab's own sampling draws what transformers draws."""

from __future__ import annotations

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import GenerationConfig

from selfhint.lab import sampling
from selfhint.lab.sampling import draw, quicken

TEXTS = ["<Pa|", "<Pa|", "<Pa|", "<Pabdc|20|", "<Pabdc|20|", "<Pa|", "<Habc|2012|3|"]


@pytest.fixture
def prompts(tiny_policy):
    _, tokenizer = tiny_policy
    return tokenizer(TEXTS * 8, return_tensors="pt", padding=True, padding_side="left", add_special_tokens=False)


def settings(tokenizer, **changes):
    values = {
        "do_sample": True,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "max_new_tokens": 6,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": [tokenizer.eos_token_id],
    }
    return GenerationConfig(**{**values, **changes})


def with_seed(function, *args, **kwargs):
    torch.manual_seed(11)
    return function(*args, **kwargs)


@pytest.mark.parametrize("changes", [{}, {"temperature": 1.7}, {"max_new_tokens": 1}, {"max_new_tokens": 40}], ids=str)
def test_the_same_random_numbers_give_the_same_tokens(tiny_policy, prompts, changes):
    model, tokenizer = tiny_policy
    config = settings(tokenizer, **changes)
    usual = with_seed(model.generate, **prompts, generation_config=config)
    assert torch.equal(with_seed(draw, model, *prompts.values(), config), usual)
    assert len({tuple(row.tolist()) for row in usual}) > len(set(TEXTS))


def test_adapters_take_part(tiny_policy, prompts):
    model, tokenizer = tiny_policy
    adapted = get_peft_model(model, LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False))
    usual = with_seed(adapted.generate, **prompts, generation_config=settings(tokenizer))
    quicken(adapted.get_base_model())
    assert torch.equal(with_seed(adapted.generate, **prompts, generation_config=settings(tokenizer)), usual)
    with adapted.disable_adapter():
        bare = with_seed(adapted.generate, **prompts, generation_config=settings(tokenizer))
    assert bare.shape != usual.shape or not torch.equal(bare, usual)


@pytest.mark.parametrize(
    ("changes", "own"),
    [
        ({}, True),
        ({"repetition_penalty": 1.0, "bos_token_id": 1, "disable_compile": True, "min_p": None}, True),
        ({"do_sample": False}, False),
        ({"top_k": 2}, False),
        ({"top_p": 0.5}, False),
        ({"min_p": 0.3}, False),
        ({"repetition_penalty": 1.2}, False),
    ],
    ids=str,
)
def test_more_than_plain_sampling_is_left_to_transformers(tiny_policy, prompts, changes, own, monkeypatch):
    model, tokenizer = tiny_policy
    usual = with_seed(model.generate, **prompts, generation_config=settings(tokenizer, **changes))
    drawn = []
    monkeypatch.setattr(sampling, "draw", lambda *args: drawn.append(args) or draw(*args))
    quicken(model)
    assert torch.equal(with_seed(model.generate, **prompts, generation_config=settings(tokenizer, **changes)), usual)
    assert bool(drawn) == own


def test_a_quickened_model_is_saved_as_a_plain_one(tiny_policy, tmp_path):
    model, _ = tiny_policy
    quicken(model)
    model.save_pretrained(tmp_path)
    assert type(model).from_pretrained(tmp_path).config.architectures == ["LlamaForCausalLM"]
