"""The weight of hinted groups reaches the update, and nothing else changes."""

from __future__ import annotations

import torch

from selfhint.hints import SelfHints
from selfhint.lab.format import LabFormat
from selfhint.lab.task import HINT_BLOCK
from selfhint.runlog import read_lines
from selfhint.schedulers import HintWeight, Ladder
from support import tiny
from support.scripted import ScriptedTrainer

HALF_OPEN = {0: 0.2, 1: 0.3, 2: 0.4, 3: 0.6}


class Watching(ScriptedTrainer):
    """Keeps the advantages that each update is given."""

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        self.given.append(output["advantages"].clone())
        return output


def trained(folder, weight):
    model, tokenizer = tiny.policy()
    trainer = Watching(
        model=model,
        reward_funcs=[tiny.correct],
        args=tiny.arguments(folder, max_steps=3),
        train_dataset=tiny.dataset(12, "hard"),
        processing_class=tokenizer,
        scheduler=Ladder(),
        hints=SelfHints(LabFormat()),
        hint_weight=weight,
        hint_block=HINT_BLOCK,
        hint_max_tokens=6,
        right_by_level=HALF_OPEN,
    )
    trainer.given = []
    trainer.train()
    return trainer


def test_advantages_of_hinted_groups_are_scaled_by_the_weight_that_is_logged(tmp_path):
    plain = trained(tmp_path / "plain", None)
    weighed = trained(tmp_path / "weighed", HintWeight(kappa=0.5, decay=0.5, gamma=1.0))
    groups = list(read_lines(tmp_path / "weighed" / "groups.jsonl"))
    weights = [line["hints/weight"] for line in read_lines(tmp_path / "weighed" / "metrics.jsonl")]
    assert all(0.0 < weight < 0.5 for weight in weights)
    assert len(set(weights)) > 1
    for step, (before, after) in enumerate(zip(plain.given, weighed.given, strict=True), start=1):
        levels = [line["level"] for line in groups if line["step"] == step]
        scales = torch.tensor([weights[step - 1] if level else 1.0 for level in levels]).repeat_interleave(4)
        assert 0 < sum(level > 0 for level in levels) < len(levels)
        assert torch.equal(after, before * scales)
    assert "hints/weight" not in next(iter(read_lines(tmp_path / "plain" / "metrics.jsonl")))
