"""A recipe as TRL's configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfhint.config import Recipe
from selfhint.config.engine import TRL_DEFAULTS
from selfhint.engines.trl import arguments
from support.refusals import refused

CPU = {"use_cpu": True, "bf16": False}


def recipe(trl=None, **changes):
    values = {"group_size": 4, "batch_problems": 6, "steps": 10, "save_every": 5, "seed": 7, "lr": 2e-5}
    return Recipe(model="m", data="d.jsonl", **{**values, **changes, "trl": {**CPU, **(trl or {})}})


def config(*args, **kwargs):
    return arguments.grpo_config(recipe(*args, **kwargs), Path("out"))


def test_top_level_keys_become_trls_fields():
    made = config(max_completion_tokens=99)
    assert (made.output_dir, made.seed, made.learning_rate) == ("out", 7, 2e-5)
    assert (made.num_generations, made.max_completion_length) == (4, 99)
    assert made.generation_batch_size == 6 * 4


def test_the_papers_settings_are_the_defaults():
    made = config()
    assert {name: getattr(made, name) for name in TRL_DEFAULTS} == TRL_DEFAULTS


def test_the_trl_group_goes_to_trl_unchanged():
    made = config({"temperature": 0.7, "epsilon_high": 0.3, "save_total_limit": 5, "report_to": []})
    assert (made.temperature, made.epsilon_high, made.save_total_limit) == (0.7, 0.3, 5)


@pytest.mark.parametrize(
    ("trl", "updates"),
    [
        ({"steps_per_generation": 1}, 1),
        ({"steps_per_generation": 4}, 4),
        ({"steps_per_generation": 4, "num_iterations": 2}, 8),
        ({"steps_per_generation": 4, "gradient_accumulation_steps": 2}, 2),
        ({"steps_per_generation": 4, "gradient_accumulation_steps": 4, "num_iterations": 3}, 3),
    ],
)
def test_steps_and_saving_are_counted_in_generation_steps(trl, updates):
    assert arguments.updates_per_step(recipe(trl)) == updates
    made = config(trl)
    assert (made.max_steps, made.save_steps) == (10 * updates, 5 * updates)
    assert made.per_device_train_batch_size * trl["steps_per_generation"] == 24


def test_several_processes_share_the_batch(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "3")
    monkeypatch.setenv("RANK", "2")
    assert (arguments.num_processes(), arguments.process_index()) == (3, 2)
    refused(lambda: config({"steps_per_generation": 3}), "= 24 completions", "3 processes", "steps_per_generation = 3")


def test_one_process_without_a_launcher(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.delenv("RANK", raising=False)
    assert (arguments.num_processes(), arguments.process_index()) == (1, 0)


def test_an_unknown_field_names_the_nearest_one():
    refused(lambda: config({"temperatur": 1.0}), "trl.temperatur", "did you mean trl.temperature?")
    refused(lambda: config({"zzz": 1.0}), "trl.zzz: GRPOConfig has no such field")


@pytest.mark.parametrize("trl", [{"lr_scheduler_type": "nope"}, {"loss_type": "grpo", "optim": "nope"}])
def test_what_trl_refuses_is_one_line(trl):
    refused(lambda: config(trl), "trl: ", "nope")


def test_lora_settings_become_adapters():
    assert arguments.lora_config(recipe()) is None
    lora = arguments.lora_config(recipe(lora={"r": 4, "alpha": 8, "dropout": 0.1, "target_modules": ["q_proj"]}))
    assert (lora.r, lora.lora_alpha, lora.lora_dropout, lora.task_type) == (4, 8, 0.1, "CAUSAL_LM")
    assert set(lora.target_modules) == {"q_proj"}
    assert arguments.lora_config(recipe(lora={})).target_modules == "all-linear"
