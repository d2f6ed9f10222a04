"""The update conditions on the hinted prompt; evaluation never sees a hint."""

from __future__ import annotations

import pytest
import torch

from selfhint.core.errors import InputError
from selfhint.core.problem import content_key
from selfhint.engines.trl import SelfHintTrainer
from selfhint.hints import SelfHints
from selfhint.lab.format import LabFormat
from selfhint.lab.task import HINT_BLOCK
from selfhint.runlog import read_lines
from selfhint.schedulers import Fixed, Ladder, NoHints
from support import tiny
from support.scripted import ScriptedTrainer

NEVER_RIGHT_BARE = {0: 0.0, 1: 0.1, 2: 0.3, 3: 0.6}


class Watching(ScriptedTrainer):
    """Keeps what the update was given, before the parent shuffles it, and what evaluation asked for."""

    outputs: list[dict]
    asked: list[str]

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        if self.model.training:
            kept = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in output.items()}
            with torch.no_grad():
                kept["reference"] = {
                    name: self.log_probabilities(prompts, output)
                    for name, prompts in (("hinted", None), ("bare", [row["prompt"] for row in inputs]))
                }
            self.outputs.append(kept)
        return output

    def log_probabilities(self, prompts, output):
        """log π(completion | prompt) of this moment's policy; `prompts` None keeps the prompts of the output."""
        rows = []
        for i in range(len(output["prompt_ids"])):
            if prompts is None:
                prompt = output["prompt_ids"][i][output["prompt_mask"][i].bool()]
            else:
                prompt = torch.tensor(self._tokenize_prompts([prompts[i]])[0][0])
            completion = output["completion_ids"][i][output["completion_mask"][i].bool()]
            ids = torch.cat([prompt, completion])[None]
            logits = type(self.model).forward(self.model, input_ids=ids).logits[0, len(prompt) - 1 : -1]
            rows.append(torch.log_softmax(logits, -1).gather(-1, completion[:, None])[:, 0])
        return rows


def rendered(question, hint=""):
    return f"P{question}|{hint}|" if hint else f"P{question}|"


def trainer_of(folder, scheduler, cls=Watching, hinted_updates="on-policy", **changes):
    model, tokenizer = tiny.policy()
    trainer = cls(
        model=model,
        reward_funcs=[tiny.correct],
        args=tiny.arguments(folder, **{"max_steps": 3, "num_iterations": 2, **changes}),
        train_dataset=tiny.dataset(12, "hard"),
        eval_dataset=tiny.dataset(4, "hard"),
        processing_class=tokenizer,
        scheduler=scheduler,
        hints=SelfHints(LabFormat()),
        hinted_updates=hinted_updates,
        hint_block=HINT_BLOCK,
        hint_max_tokens=6,
        right_by_level=NEVER_RIGHT_BARE,
    )
    trainer.outputs = []
    return trainer


def test_trained_rows_carry_the_hint_and_old_log_probabilities_condition_on_it(tmp_path):
    trainer = trainer_of(tmp_path, Ladder())
    trainer.train()
    hints = {line["id"]: line["text"] for line in read_lines(tmp_path / "hints.jsonl")}
    groups = list(read_lines(tmp_path / "groups.jsonl"))
    questions = {content_key(row["problem"], row["answer"]): row["problem"] for row in trainer.train_dataset}
    size = trainer.num_generations
    hinted_rows = 0
    for step, output in enumerate(trainer.outputs):
        lines = groups[step * 4 : step * 4 + 4]
        texts = trainer.processing_class.batch_decode(output["prompt_ids"], skip_special_tokens=True)
        for i, text in enumerate(texts):
            line = lines[i // size]
            hint = hints.get(line["hint"], "")
            assert text == rendered(questions[line["key"]], hint)
            old = output["old_per_token_logps"][i][output["completion_mask"][i].bool()]
            torch.testing.assert_close(old, output["reference"]["hinted"][i], atol=1e-5, rtol=0)
            difference = (old - output["reference"]["bare"][i]).abs().max()
            if hint:
                hinted_rows += 1
                assert difference > 1e-4
            else:
                assert difference < 1e-5
    assert hinted_rows >= 12


def test_rewards_and_advantages_are_those_of_the_kept_groups(tmp_path):
    trainer = trainer_of(tmp_path, Ladder())
    trainer.train()
    groups = list(read_lines(tmp_path / "groups.jsonl"))
    assert any(line["rewards"] != line["drawn"][0]["rewards"] for line in groups)
    for step, output in enumerate(trainer.outputs):
        rewards = torch.tensor([line["rewards"] for line in groups[step * 4 : step * 4 + 4]])
        expected = (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)
        torch.testing.assert_close(output["advantages"], expected.flatten(), atol=1e-6, rtol=0)


def test_a_group_that_fails_at_every_level_has_no_advantage_but_counts_in_the_denominator(tmp_path):
    trainer = trainer_of(tmp_path, Ladder())
    trainer.right_by_level = dict.fromkeys(NEVER_RIGHT_BARE, 0.0)
    trainer.train()
    for output in trainer.outputs:
        assert not output["advantages"].any()
        assert output["num_items_in_batch"] == output["completion_mask"].sum() > 0
    assert {line["level"] for line in read_lines(tmp_path / "groups.jsonl")} == {3}


def test_evaluation_never_sees_a_hint(tmp_path):
    asked = []

    class Evaluating(Watching):
        def _generate_single_turn(self, prompt_ids, *args, **kwargs):
            asked.extend(self.processing_class.batch_decode(prompt_ids, skip_special_tokens=True))
            return super()._generate_single_turn(prompt_ids, *args, **kwargs)

    trainer = trainer_of(tmp_path, Fixed(3), Evaluating, per_device_eval_batch_size=8)
    trainer.train()
    assert not asked, "scripted training draws do not go through the backend"
    lines = len(list(read_lines(tmp_path / "groups.jsonl")))
    trainer.evaluate()
    bare = {rendered(row["problem"]) for row in trainer.eval_dataset}
    assert set(asked) == bare
    assert len(list(read_lines(tmp_path / "groups.jsonl"))) == lines
    assert all(line["level"] == 3 for line in read_lines(tmp_path / "groups.jsonl"))


def test_the_hint_request_carries_the_solution_and_the_solver_never_does(tmp_path):
    trainer = trainer_of(tmp_path, Ladder())
    trainer.train()
    solutions = {content_key(row["problem"], row["answer"]): row["solution"] for row in trainer.train_dataset}
    for job in trainer.drawn:
        content = job.request.prompt[-1]["content"]
        assert (solutions[job.request.key] in content) == (job.request.purpose == "hint")


def test_the_users_data_are_left_as_they_were(tmp_path):
    trainer = trainer_of(tmp_path, Ladder())
    before = trainer.train_dataset.to_list()
    trainer.train()
    assert trainer.train_dataset.to_list() == before


@pytest.mark.parametrize("level", [1, 2, 3])
def test_fixed_level_trains_on_that_level(tmp_path, level):
    trainer = trainer_of(tmp_path, Fixed(level))
    trainer.train()
    assert {line["level"] for line in read_lines(tmp_path / "groups.jsonl")} <= {level, 0}
    assert sum(line["level"] == level for line in read_lines(tmp_path / "groups.jsonl")) >= 4


class Deriving(Watching):
    """Keeps the gradient of TRL's loss beside one made by hand from full forward passes over (x) and (x, h)."""

    def _record(self, visits, effort, more):
        self.drawn_from = [visit.kept.prompt for visit in visits for _ in range(visit.kept.size)]
        super()._record(visits, effort, more)

    def _generate_and_score_completions(self, inputs):
        output = super()._generate_and_score_completions(inputs)
        prompts = {"hinted": self.drawn_from, "bare": [row["prompt"] for row in inputs]}
        new, old = (torch.cat(self.log_probabilities(prompts[given], output)) for given in self.ratio)
        mask = output["completion_mask"].bool()
        advantage = output["advantages"][:, None].expand(mask.shape)[mask]
        ratio = torch.exp(new - old.detach())
        clipped = ratio.clamp(1 - self.epsilon_low, 1 + self.epsilon_high)
        by_hand = -torch.min(ratio * advantage, clipped * advantage).sum() / mask.sum()
        self.outputs[-1] |= {
            "loss": self._compute_loss(self.model, output),
            "by_hand": by_hand,
            "gradient": self._gradient(self._compute_loss(self.model, output)),
            "gradient_by_hand": self._gradient(by_hand),
            "hint_effect": (new - old).abs().max(),
        }
        return output

    def _gradient(self, loss):
        return torch.cat([g.flatten() for g in torch.autograd.grad(loss, list(self.model.parameters()))])


@pytest.mark.parametrize("num_iterations", [1, 2])
@pytest.mark.parametrize(
    ("hinted_updates", "ratio"),
    [("on-policy", ("hinted", "hinted")), ("off-policy", ("bare", "bare")), ("corrected", ("bare", "hinted"))],
)
def test_the_loss_has_the_ratio_that_is_asked_for(tmp_path, hinted_updates, ratio, num_iterations):
    trainer = trainer_of(tmp_path, Ladder(), Deriving, hinted_updates, num_iterations=num_iterations)
    trainer.ratio = ratio
    trainer.train()
    assert len(trainer.outputs) == 3 // num_iterations + 3 % num_iterations
    for output in trainer.outputs:
        assert output["gradient_by_hand"].norm() > 1e-3
        torch.testing.assert_close(output["loss"], output["by_hand"], atol=1e-6, rtol=1e-4)
        torch.testing.assert_close(output["gradient"], output["gradient_by_hand"], atol=1e-6, rtol=1e-4)
        assert ("old_per_token_logps" in output) == (num_iterations == 2 or hinted_updates == "corrected")
        assert (output["hint_effect"] > 1e-3) == (hinted_updates == "corrected")
    assert sum(line["level"] > 0 for line in read_lines(tmp_path / "groups.jsonl")) >= 4


@pytest.mark.parametrize("hinted_updates", ["off-policy", "corrected"])
def test_off_policy_updates_read_the_bare_prompt_and_the_logs_still_show_the_hint(tmp_path, hinted_updates):
    trainer = trainer_of(tmp_path, Ladder(), hinted_updates=hinted_updates)
    trainer.train()
    bare = {rendered(row["problem"]) for row in trainer.train_dataset}
    for output in trainer.outputs:
        assert set(trainer.processing_class.batch_decode(output["prompt_ids"], skip_special_tokens=True)) <= bare
    levels, hints = trainer._logs["extra"]["hint_level"], trainer._logs["extra"]["hint"]
    assert max(levels) > 0
    assert [bool(hint) for hint in hints] == [level > 0 for level in levels]
    assert len(levels) == len(trainer._logs["prompt"])


@pytest.mark.parametrize(
    ("scheduler", "changes", "says"),
    [
        (Ladder(), {"hinted_updates": "offpolicy"}, "use one of on-policy, off-policy, corrected"),
        (NoHints(), {"hinted_updates": "off-policy", "hints": None}, "needs a scheduler that uses hints"),
        (
            Ladder(),
            {"hinted_updates": "corrected", "args": {"use_vllm": True}},
            "set vllm_importance_sampling_correction=False",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_before_anything_is_loaded(tmp_path, scheduler, changes, says):
    changes = {"hints": SelfHints(LabFormat()), **changes}
    with pytest.raises(InputError, match=says) as caught:
        SelfHintTrainer(
            model="no such model",
            reward_funcs=[tiny.correct],
            args=tiny.arguments(tmp_path, **changes.pop("args", {})),
            train_dataset=tiny.dataset(4),
            scheduler=scheduler,
            **changes,
        )
    assert "\n" not in str(caught.value)
