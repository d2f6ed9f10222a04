"""A task and a policy small enough to be warmed up in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from selfhint.lab.policy import PolicySize
from selfhint.lab.task import LabTask
from selfhint.lab.warmup import WarmUp, warm_policy

TINY_TASK = LabTask(num_known=2, num_unknown=2, num_digits=4, hard_length=2, max_length=2)
TINY_SIZE = PolicySize(hidden_size=48, intermediate_size=64, num_heads=3)
TINY_WARM_UP = WarmUp(steps=300, batch_size=32, rise_steps=20, size=TINY_SIZE)


@pytest.fixture(scope="session")
def tiny_task() -> LabTask:
    return TINY_TASK


@pytest.fixture(scope="session")
def tiny_warm_up() -> WarmUp:
    return TINY_WARM_UP


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return warm_policy(TINY_TASK, tmp_path_factory.mktemp("lab"), settings=TINY_WARM_UP)


@pytest.fixture
def tiny_policy(tiny_folder: Path):
    """Model and tokenizer as plain transformers loads them."""
    return AutoModelForCausalLM.from_pretrained(tiny_folder), AutoTokenizer.from_pretrained(tiny_folder)
