"""The verifier as the trainer's reward, on answers that hang others."""

from __future__ import annotations

import pytest

from selfhint.core.errors import InputError
from selfhint.engines.trl import SelfHintTrainer
from selfhint.hints import SelfHints
from selfhint.lab.format import LabFormat
from selfhint.lab.task import HINT_BLOCK
from selfhint.runlog import read_lines
from selfhint.schedulers import SCHEDULERS
from selfhint.verify import make_verifier
from selfhint.verify.reward import format_reward, length_reward, reward_function
from support import tiny
from support.hanging import HANGING
from support.scripted import ScriptedTrainer

HINTED = {"hints": SelfHints(LabFormat()), "hint_block": HINT_BLOCK, "hint_max_tokens": 6}


def trainer_with(out, rewards, cls=SelfHintTrainer, **kwargs):
    model, tokenizer = tiny.policy()
    return cls(
        model=model,
        reward_funcs=rewards,
        args=tiny.arguments(out, max_steps=1),
        train_dataset=tiny.dataset(8),
        processing_class=tokenizer,
        **kwargs,
    )


def test_a_run_whose_completions_hang_others(tmp_path):
    """Of each four completions one hangs and one is right; the reward comes through and the run ends."""
    verifier = make_verifier("math", time_limit=1.0)
    judge = reward_function(verifier)
    seen = []

    def correct(completions, answer, **kwargs):
        texts = [f"\\boxed{{{gold}}}" if i % 4 == 0 else "\\boxed{x}" for i, gold in enumerate(answer)]
        for i in range(1, len(texts), 4):
            texts[i] = HANGING[i // 4 % 2][1]
        seen.extend(judge(texts, answer, **kwargs))
        return seen[-len(texts) :]

    trainer = trainer_with(tmp_path, [correct])
    trainer.train()
    verifier.close()
    assert seen == [1.0, 0.0, 0.0, 0.0] * 4
    assert [line["rewards"] for line in read_lines(tmp_path / "groups.jsonl")] == [[1.0, 0.0, 0.0, 0.0]] * 4


def test_form_never_counts_as_correct(tmp_path, monkeypatch):
    """Every completion earns the reward for its form, and the groups fail all the same."""
    monkeypatch.setattr("selfhint.verify.reward.last_boxed", lambda text: text)

    def right(completions, **kwargs):
        return [0.0] * len(completions)

    forms = [format_reward(), length_reward(max_tokens=7, buffer=2)]
    trainer = trainer_with(tmp_path, [*forms, right], ScriptedTrainer, scheduler=SCHEDULERS["ladder"](), **HINTED)
    trainer.train()
    lines = list(read_lines(tmp_path / "groups.jsonl"))
    assert lines
    assert all(drawn["rewards"] == [0.0] * 4 for line in lines for drawn in line["drawn"])
    assert any(line["level"] > 0 for line in lines)


@pytest.mark.parametrize("correct", [None, "format"])
def test_form_alone_says_nothing_of_correctness(tmp_path, correct):
    with pytest.raises(InputError, match="there is none: every one judges the form"):
        trainer_with(tmp_path, [format_reward()], correct=correct)
