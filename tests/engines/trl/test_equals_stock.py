"""Scheduler none goes through the same episode driver as every other scheduler and computes what stock TRL computes."""

from __future__ import annotations

import pytest
import torch
from peft import LoraConfig
from trl import GRPOTrainer

from selfhint.engines.trl import SelfHintTrainer
from selfhint.engines.trl import trainer as trainer_module
from support import tiny


def train(cls, folder, peft_config=None, **changes):
    model, tokenizer = tiny.policy()
    trainer = cls(
        model=model,
        reward_funcs=changes.pop("reward_funcs", [tiny.correct]),
        args=tiny.arguments(folder, **changes),
        train_dataset=tiny.dataset(32),
        processing_class=tokenizer,
        peft_config=peft_config,
    )
    trainer.train()
    return trainer


def digits_right(completions, answer, log_extra=None, log_metric=None, **kwargs):
    """A dense reward, so that an untrained policy moves, which also uses TRL's logging hooks."""
    shares = [
        sum(x == y for x, y in zip(c[0]["content"], a, strict=False)) / len(a)
        for c, a in zip(completions, answer, strict=True)
    ]
    log_extra("first_digit", [a[0] for a in answer])
    log_metric("share", sum(shares) / len(shares))
    return shares


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"num_iterations": 2, "steps_per_generation": 2},
        {"gradient_accumulation_steps": 2, "beta": 0.04, "scale_rewards": "batch"},
        {"loss_type": "dr_grpo", "epsilon_high": 0.28, "mask_truncated_completions": True},
    ],
    ids=["plain", "several-updates", "accumulation-kl-batch-std", "dr-grpo"],
)
def test_weights_equal_stock_bit_for_bit(tmp_path, changes, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        trainer_module,
        "drive_lockstep",
        lambda e, engine, run=trainer_module.drive_lockstep: drawn.append(len(e)) or run(e, engine),
    )
    before = tiny.weights_digest(tiny.policy()[0])
    if changes.get("beta"):
        model, tokenizer = tiny.policy()
        model.save_pretrained(tmp_path / "policy")
        tokenizer.save_pretrained(tmp_path / "policy")
        monkeypatch.setattr(tiny, "policy", lambda seed=0: _load(tmp_path / "policy"))
    stock = train(GRPOTrainer, tmp_path / "stock", reward_funcs=[digits_right], **changes)
    ours = train(SelfHintTrainer, tmp_path / "ours", reward_funcs=[digits_right], **changes)

    assert tiny.weights_digest(stock.model) != before
    assert tiny.weights_digest(ours.model) == tiny.weights_digest(stock.model)
    assert drawn, "the run must have gone through the episode driver"
    assert ours._logs["extra"]["first_digit"] == stock._logs["extra"]["first_digit"]
    assert ours._logs["advantages"] == stock._logs["advantages"]


def _load(folder):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)


def test_lora_weights_equal_stock_bit_for_bit(tmp_path):
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
    stock = train(GRPOTrainer, tmp_path / "stock", lora, reward_funcs=[digits_right])
    ours = train(SelfHintTrainer, tmp_path / "ours", lora, reward_funcs=[digits_right])
    assert tiny.weights_digest(ours.model) == tiny.weights_digest(stock.model)
    moved = [p for n, p in ours.model.named_parameters() if "lora_B" in n]
    assert any(torch.count_nonzero(p) for p in moved)
