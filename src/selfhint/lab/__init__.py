"""The built-in lab task: plain GRPO is starved on it, and the gate of every hint level is known in closed form.

This package loads no framework. The policy itself needs torch and transformers: `selfhint.lab.policy` (model and
tokenizer), `selfhint.lab.warmup` (make one, cached), `selfhint.lab.sampling` (draw from it quickly) and
`selfhint.lab.evaluate` (measure one).
"""

from __future__ import annotations

from selfhint.lab.ideal import IdealReader, expected_success, level_probability, success_probability
from selfhint.lab.task import HINT_BLOCK, LabProblems, LabTask, hint_length, true_hint, with_true_hints

__all__ = [
    "HINT_BLOCK",
    "IdealReader",
    "LabProblems",
    "LabTask",
    "expected_success",
    "hint_length",
    "level_probability",
    "success_probability",
    "true_hint",
    "with_true_hints",
]
