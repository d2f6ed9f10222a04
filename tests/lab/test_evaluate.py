"""Measuring changes nothing and measures what it says."""

from __future__ import annotations

import pytest
import torch

from selfhint.core.prompt import question_of
from selfhint.lab import evaluate
from selfhint.lab.evaluate import level_report, sample, success_rate
from selfhint.lab.ideal import expected_success
from selfhint.lab.task import true_hint


@pytest.fixture
def problems(tiny_task):
    made = tiny_task.problems("mixed", num_train=8, num_held_out=8)
    return made.train + made.held_out


def test_neither_model_nor_random_state_is_changed(tiny_policy, problems):
    model, tokenizer = tiny_policy
    model.train()
    torch.manual_seed(3)
    before = torch.get_rng_state()
    weights = [p.detach().clone() for p in model.parameters()]
    success_rate(model, tokenizer, problems, seed=0)
    assert torch.equal(torch.get_rng_state(), before)
    assert model.training
    assert all(torch.equal(a, b) for a, b in zip(weights, model.parameters(), strict=True))
    assert all(p.grad is None for p in model.parameters())


def test_a_seed_gives_the_same_completions(tiny_policy, problems):
    model, tokenizer = tiny_policy
    prompts = [p.prompt for p in problems] * 4
    first = sample(model, tokenizer, prompts, seed=1)
    assert first == sample(model, tokenizer, prompts, seed=1)
    assert first != sample(model, tokenizer, prompts, seed=2)


def test_success_is_the_share_of_right_answers_to_prompts_without_hints(monkeypatch, problems):
    asked = []

    def answer(model, tokenizer, prompts, *, seed, temperature):
        asked.extend(prompts)
        return [p.answer if i < 4 else "x" for i, p in enumerate(problems)]

    monkeypatch.setattr(evaluate, "sample", answer)
    assert success_rate(None, None, problems, seed=0) == 4 / 16
    assert asked == [p.prompt for p in problems]


def test_the_report_shows_each_level_with_true_and_own_hints(monkeypatch, tiny_task, problems):
    def policy(model, tokenizer, prompts, *, seed, temperature):
        """Writes a right hint of level 3 and 0 otherwise; solves where the hint is the right one or there is none."""
        texts = [question_of(prompt) for prompt in prompts]
        return [
            (text.split("|")[1][:1] if text[-1] == "3" else "0") if text[0] == "H" else solve(text[1:])
            for text in texts
        ]

    def solve(message):
        word, _, hint = message.partition("|")
        answer = tiny_task.problem(word).answer
        return answer if answer.startswith(hint) else "x"

    monkeypatch.setattr(evaluate, "sample", policy)
    report = level_report(None, None, tiny_task, problems, seed=0)
    assert [r.level for r in report] == [0, 1, 2, 3]
    assert [r.ideal for r in report] == [expected_success(tiny_task, problems, level) for level in range(4)]
    assert [r.true_hints for r in report] == [1.0] * 4
    wrong = sum(true_hint(p, 2) not in ("", "0") for p in problems) / len(problems)
    assert 0 < wrong < 1
    assert [r.hints_exact for r in report] == [1.0, 1.0, 1 - wrong, 1.0]
    assert [r.own_hints for r in report] == [1.0, 1.0, 1 - wrong, 1.0]


def test_no_problems_is_an_error(tiny_policy):
    with pytest.raises(ValueError, match="at least one prompt"):
        success_rate(*tiny_policy, [], seed=0)
