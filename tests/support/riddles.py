"""A trainer whose generation backend plays a script, on the riddles."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import torch
from datasets import Dataset

from selfhint.core.group import Visit
from selfhint.engines.trl import SelfHintTrainer
from selfhint.runlog import read_lines
from support import tiny
from support.riddle_set import (  # noqa: F401 (tests name them through this module)
    GROUP_SIZE,
    HINT_TEXT,
    PROBLEMS_A_STEP,
    WORDS,
    Play,
    asks_for_hint,
    correct,
    graded,
    has_hint,
    level_asked,
    level_of,
    needs_hint,
    number_of,
    policy,
    question,
    rows,
    solution,
    text_of,
)


@dataclass(frozen=True)
class Call:
    """One call of the generation backend."""

    prompts: list[str]
    num_generations: int
    limit: int


class PlayedTrainer(SelfHintTrainer):
    """Its backend plays a script. Keeps every call, and each step's visits and tensors before TRL shuffles them."""

    def __init__(self, *args, play: Play = needs_hint, **kwargs):
        self.play, self.asked = play, Counter()
        self.calls: list[Call] = []
        self.outputs: list[dict] = []
        self.visits: list[list[Visit]] = []
        super().__init__(*args, **kwargs)

    @property
    def prompts_asked(self) -> list[str]:
        return [prompt for call in self.calls for prompt in call.prompts]

    def _generate_single_turn(self, prompt_ids, images, multimodal_fields, num_generations, has_tool_images=False):
        prompts = self._tokenizer.batch_decode(prompt_ids)
        limit = self.generation_config.max_new_tokens
        self.calls.append(Call(prompts, num_generations, limit))
        completions = []
        for prompt in prompts:
            text = self.play(prompt, self.asked[prompt])
            self.asked[prompt] += 1
            completions.append([*self._tokenizer(text)["input_ids"], self._tokenizer.eos_token_id][:limit])
        return completions, None

    def _run_visits(self, leads):
        visits, effort = super()._run_visits(leads)
        self.visits.append(visits)
        return visits, effort

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        if self.model.training:
            self.outputs.append({k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in output.items()})
        return output

    def trained_prompts(self, step: int = 0) -> list[str]:
        """Decoded prompts of the rows of one generation step."""
        return self._tokenizer.batch_decode(self.outputs[step]["prompt_ids"], skip_special_tokens=True)


def trainer(folder, cls=PlayedTrainer, *, data=None, chat=True, context=4096, args=None, **ours):
    """A trainer for 4 groups of 4 a step, 2 steps an epoch of the 8 riddles; `args` go to GRPOConfig."""
    model, tokenizer = policy(chat, context)
    settings = {
        "per_device_train_batch_size": GROUP_SIZE * PROBLEMS_A_STEP,
        "num_generations": GROUP_SIZE,
        "max_completion_length": 8,
        "max_steps": 1,
        **(args or {}),
    }
    return cls(
        **{
            "model": model,
            "reward_funcs": [correct],
            "args": tiny.arguments(folder, **settings),
            "train_dataset": Dataset.from_list(rows(chat=chat)) if data is None else data,
            "processing_class": tokenizer,
            **ours,
        }
    )


def lines(folder, name: str = "groups.jsonl") -> list[dict]:
    return list(read_lines(folder / name))
