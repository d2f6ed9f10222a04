"""A trainer whose completions follow from (problem, visit, level, number) alone: the same on any number of ranks."""

from __future__ import annotations

import hashlib
import random

from selfhint.core.group import Completion
from selfhint.core.prompt import question_of
from selfhint.engines.trl import SelfHintTrainer
from selfhint.engines.trl.engine import Tokens

RIGHT_BY_LEVEL = {0: 0.04, 1: 0.08, 2: 0.2, 3: 0.4}
"""Chance that a scripted completion is right."""


def rng_of(*parts) -> random.Random:
    return random.Random(hashlib.sha256(repr(parts).encode()).digest())


class ScriptedTrainer(SelfHintTrainer):
    """Draws from a script. `answers` maps a problem's key to its gold answer; `drawn` counts jobs by purpose."""

    def __init__(self, *args, right_by_level=RIGHT_BY_LEVEL, refuse_hints=0.1, **kwargs):
        super().__init__(*args, **kwargs)
        self.answers = {}
        for row in self.train_dataset:
            problem = self.columns.problem_of(row)
            self.answers[problem.key] = problem.answer
        self.right_by_level = right_by_level
        self.refuse_hints = refuse_hints
        self.drawn = []

    def draw(self, jobs, aligned):
        self.drawn.extend(jobs)
        return [self._completion(job) for job in jobs]

    def _completion(self, job):
        request = job.request
        rng = rng_of(request.key, request.visit, request.level, request.purpose, request.attempt, job.index)
        answer = self.answers[request.key]
        if request.purpose == "hint":
            text = "" if rng.random() < self.refuse_hints else answer[: request.level]
        elif rng.random() < self.right_by_level[request.level]:
            text = answer
        else:
            text = "".join(rng.choice("01234567") for _ in range(rng.randint(1, 6)))
        ids = [*self.processing_class(text)["input_ids"], self.processing_class.eos_token_id]
        prompt_ids = self._tokenize_prompts([request.prompt])[0][0]
        message = [{"role": "assistant", "content": text}]
        return Completion(text=text, num_tokens=len(ids), raw=Tokens(prompt_ids, ids, None, message))


__all__ = ["ScriptedTrainer", "question_of"]
