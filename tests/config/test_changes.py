from __future__ import annotations

import pytest

from selfhint.config import Recipe, changed_keys


def recipe(**values):
    return Recipe.model_validate({"model": "m", "data": "d.jsonl"} | values)


@pytest.mark.parametrize(
    ("values", "changed"),
    [
        ({}, []),
        ({"steps": 3, "save_every": 2, "out": "elsewhere"}, []),
        ({"lr": 1e-5, "steps": 3}, ["lr"]),
        ({"seed": 1, "model": "n"}, ["model", "seed"]),
        ({"hints": {"tries": 5, "format": "text"}}, ["hints.format", "hints.tries"]),
        ({"lora": {}}, ["lora"]),
        ({"trl": {"epsilon": 0.3, "use_vllm": False}}, ["trl.epsilon", "trl.use_vllm"]),
        ({"trl": {"model_init_kwargs": {"dtype": "bfloat16"}}}, ["trl.model_init_kwargs"]),
    ],
)
def test_changed_keys(values, changed):
    assert changed_keys(recipe(), recipe(**values)) == changed
    assert sorted(changed_keys(recipe(**values), recipe())) == sorted(changed)


def test_nested_engine_fields_are_compared_inside():
    old = recipe(trl={"model_init_kwargs": {"a": 1, "b": 2}}, lora={"r": 4})
    new = recipe(trl={"model_init_kwargs": {"a": 1, "b": 3}}, lora={"r": 8})
    assert changed_keys(old, new) == ["lora.r", "trl.model_init_kwargs.b"]
