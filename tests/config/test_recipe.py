from __future__ import annotations

from typing import Literal, get_args, get_origin

import pytest
from pydantic import ValidationError

from selfhint.config.engine import TRL_DEFAULTS
from selfhint.config.methods import METHODS, SCHEDULER_KEYS
from selfhint.config.recipe import VERIFIER_KINDS, Recipe
from selfhint.config.settings import HintSettings, SchedulerSettings
from selfhint.hints import FORMATS, HINT_SOURCES
from selfhint.lab.task import LabTask
from selfhint.schedulers import SCHEDULERS
from selfhint.verify.kinds import KINDS


def recipe(**values):
    return Recipe.model_validate({"model": "m", "data": "d.jsonl"} | values)


def test_defaults_are_the_papers():
    default = recipe()
    assert (default.group_size, default.batch_problems, default.lr, default.steps) == (8, 128, 1e-6, 500)
    assert (default.max_prompt_tokens, default.max_completion_tokens, default.hints.format) == (2048, 8192, "json")
    trl = default.trl
    assert (trl["epsilon"], trl["epsilon_high"], trl["beta"], trl["temperature"]) == (0.2, 0.28, 0.0, 1.0)
    updates = trl["steps_per_generation"] // trl["gradient_accumulation_steps"]
    assert default.batch_problems // updates == 64


def test_generated_data_bring_their_verifier():
    generated = {"data": "reasoning_gym:chain_sum"}
    assert recipe(**generated).verifier.kind == "reasoning_gym"
    kept = recipe(**generated, verifier={"workers": 1}).verifier
    assert (kept.kind, kept.workers) == ("reasoning_gym", 1)
    assert recipe().verifier.kind == "math"
    with pytest.raises(ValidationError, match=r"set verifier\.kind to reasoning_gym"):
        recipe(**generated, verifier={"kind": "math"})


def test_a_recipe_is_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        recipe().steps = 3


def test_the_users_engine_fields_go_over_the_defaults():
    assert recipe(trl={"epsilon_high": 0.4, "use_vllm": True}).trl == TRL_DEFAULTS | {
        "epsilon_high": 0.4,
        "use_vllm": True,
    }
    assert TRL_DEFAULTS["epsilon_high"] == 0.28


@pytest.mark.parametrize(
    ("values", "scheduler", "arguments", "hints"),
    [
        ({"method": "grpo"}, "none", {}, "none"),
        ({"method": "grpo", "hints": {"source": "prefix"}}, "none", {}, "none"),
        ({"method": "sage"}, "ladder", {}, "self"),
        ({"method": "sage", "hints": {"source": "prefix"}}, "ladder", {}, "prefix"),
        ({"method": "sage-light"}, "epoch", {"rule": "thresholds"}, "self"),
        ({"method": "sage-light-paper"}, "epoch", {"rule": "paper"}, "self"),
        ({"method": "sage-light", "scheduler": {"rule": "paper"}}, "epoch", {"rule": "paper"}, "self"),
        ({"method": "sage-light", "scheduler": {"name": "ladder"}}, "ladder", {}, "self"),
        ({"method": "sage", "scheduler": {"name": "epoch"}}, "epoch", {}, "self"),
        ({"method": "fixed", "scheduler": {"level": 2}}, "fixed", {"level": 2}, "self"),
        ({"method": "gate", "scheduler": {"discount": 0.97}}, "gate", {"discount": 0.97}, "self"),
        ({"method": "window", "scheduler": {"groups": 8, "share": 0.7}}, "window", {"groups": 8, "share": 0.7}, "self"),
    ],
)
def test_pieces_of_a_method(values, scheduler, arguments, hints):
    built = recipe(**values)
    assert (built.scheduler_name, built.scheduler_arguments, built.hint_source) == (scheduler, arguments, hints)
    assert SCHEDULERS[built.scheduler_name](**built.scheduler_arguments).name == scheduler


def choices(section, key):
    """The words a key may hold."""
    annotation = section.model_fields[key].annotation
    (literal,) = (option for option in (annotation, *get_args(annotation)) if get_origin(option) is Literal)
    return set(get_args(literal))


def test_names_agree_with_the_parts_they_name():
    assert choices(SchedulerSettings, "name") == set(SCHEDULERS) == set(SCHEDULER_KEYS)
    assert choices(HintSettings, "source") == set(HINT_SOURCES)
    assert choices(HintSettings, "format") == set(FORMATS)
    assert {*VERIFIER_KINDS, "function"} == set(KINDS)
    assert {method.scheduler for method in METHODS.values()} <= set(SCHEDULERS)
    assert {method.hints for method in METHODS.values()} <= set(HINT_SOURCES)


def test_sizes_of_the_lab_agree_with_the_task():
    lab, task = recipe().lab, LabTask()
    for name in ("num_known", "num_unknown", "num_digits", "hard_length", "max_length"):
        assert getattr(lab, name) == getattr(task, name)
