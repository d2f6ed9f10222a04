"""A policy of a few thousand parameters and a data set of lab words: enough for every mechanism, no download."""

from __future__ import annotations

import hashlib

import torch
from datasets import Dataset

from selfhint.lab.policy import PolicySize, build_model, build_tokenizer
from selfhint.lab.task import LabTask

TASK = LabTask()


def policy(seed: int = 0):
    tokenizer = build_tokenizer(TASK)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = build_model(tokenizer, PolicySize(hidden_size=32, intermediate_size=64, num_layers=1, num_heads=2))
    return model, tokenizer


def dataset(num: int, kind: str = "mixed", task: LabTask = TASK) -> Dataset:
    problems = task.problems(kind, seed=0, num_train=num, num_held_out=0).train
    return Dataset.from_list(
        [{"prompt": p.prompt, "problem": p.question, "solution": p.solution, "answer": p.answer} for p in problems]
    )


def correct(completions, answer, **kwargs):
    return [float(c[0]["content"] == a) for c, a in zip(completions, answer, strict=True)]


def weights_digest(model: torch.nn.Module) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode() + tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def arguments(folder, **changes):
    from trl import GRPOConfig

    values = {
        "output_dir": str(folder),
        "per_device_train_batch_size": 16,
        "num_generations": 4,
        "max_completion_length": 7,
        "max_steps": 5,
        "learning_rate": 1e-3,
        "seed": 3,
        "use_cpu": True,
        "report_to": "none",
        "save_strategy": "no",
        "logging_strategy": "no",
        "disable_tqdm": True,
        "gradient_checkpointing": False,
        "bf16": False,
    }
    return GRPOConfig(**{**values, **changes})
