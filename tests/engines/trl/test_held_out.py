"""Success on problems that are not trained on, and that measuring it leaves no trace in a run."""

from __future__ import annotations

import pytest
import torch

from selfhint.engines.trl.callbacks import MeasureHeldOut
from selfhint.engines.trl.held_out import held_out_success
from selfhint.hints import SelfHints, TextFormat
from selfhint.schedulers import Ladder
from support import riddles
from support.riddles import GROUP_SIZE, PROBLEMS_A_STEP, WORDS, lines


def right_at_first(prompt, nth):
    """The first of each riddle's completions is right, the others are not."""
    return WORDS[riddles.number_of(prompt)] if nth == 0 else "mud"


@pytest.mark.parametrize(("samples", "expected"), [(1, 1.0), (2, 0.5), (3, 1 / 3)])
def test_the_share_of_correct_completions(tmp_path, samples, expected):
    trainer = riddles.trainer(tmp_path, play=right_at_first)
    assert held_out_success(trainer, riddles.rows(len(WORDS)), samples) == pytest.approx(expected)
    drawn = [prompt for call in trainer.calls for prompt in call.prompts]
    assert len(drawn) == len(WORDS) * samples
    assert max(len(call.prompts) for call in trainer.calls) <= GROUP_SIZE * PROBLEMS_A_STEP
    assert {call.num_generations for call in trainer.calls} == {samples}


def test_what_cannot_be_judged_does_not_count(tmp_path):
    def judge(completions, answer, **kwargs):
        judged = riddles.correct(completions, answer)
        return [None if a == WORDS[0] else r for r, a in zip(judged, answer, strict=True)]

    trainer = riddles.trainer(tmp_path, play=lambda prompt, nth: WORDS[1], reward_funcs=[judge])
    assert held_out_success(trainer, riddles.rows(3), 1) == 0.5
    assert held_out_success(trainer, riddles.rows(1), 1) is None


def test_measuring_changes_nothing_of_the_run(tmp_path):
    def trained(folder, every):
        made = riddles.trainer(
            folder, riddles.SelfHintTrainer, scheduler=Ladder(), hints=SelfHints(TextFormat()), args={"max_steps": 3}
        )
        if every:
            made.add_callback(MeasureHeldOut(made, lambda: held_out_success(made, riddles.rows(5), 2), every, 3))
        torch.manual_seed(1)
        made.train()
        return made

    plain, measured = trained(tmp_path / "plain", None), trained(tmp_path / "measured", 2)
    assert lines(tmp_path / "plain") == lines(tmp_path / "measured")
    theirs = measured.model.state_dict()
    assert all(torch.equal(value, theirs[name]) for name, value in plain.model.state_dict().items())
    with_success = [line["step"] for line in lines(tmp_path / "measured", "metrics.jsonl") if "heldout/success" in line]
    assert with_success == [2, 3]
    for line in lines(tmp_path / "measured", "metrics.jsonl"):
        assert ("time/heldout" in line) == ("heldout/success" in line)
