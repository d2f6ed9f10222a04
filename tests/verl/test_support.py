"""The support itself: stock verl trains on this CPU, repeats itself, and a broken weight sync shows."""

from __future__ import annotations

import random

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from verl_support import tiny
from verl_support.options import ServerOptions
from verl_support.overrides import merge
from verl_support.run import Finished, run_verl, start_verl
from verl_support.sampling import Row, draw

from selfhint.lab.policy import BOS, SEPARATOR
from selfhint.lab.task import SOLVE, LabTask

STOCK = "verl.trainer.main_ppo"
STEPS = 2
PROMPTS_A_STEP, GROUP_SIZE = 4, 4
DIFFERENCE = "training/rollout_probs_diff_max"


pytestmark = [pytest.mark.verl]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return tiny.build(tmp_path_factory.mktemp("tiny"))


def stock(folder, files, score="digits_score", **changes) -> Finished:
    # a learning rate that moves every probability within one step
    words = [*files.overrides(score), f"trainer.total_training_steps={STEPS}", "actor_rollout_ref.actor.optim.lr=1e-2"]
    done = run_verl(STOCK, folder, words, **changes)
    assert done.returncode == 0, done.output
    assert set(done.metrics) == set(range(1, STEPS + 1))
    return done


@pytest.fixture(scope="module")
def first(files, tmp_path_factory):
    return stock(tmp_path_factory.mktemp("first"), files)


def rewards(done: Finished) -> list[float]:
    return [done.metrics[step]["critic/score/mean"] for step in range(1, STEPS + 1)]


def drawn(done: Finished) -> list[tuple]:
    return sorted((line["step"], line["prompt"], line["seed"], line["completion"]) for line in done.requests)


def test_stock_verl_trains_and_its_servers_follow_the_weights(first):
    assert all(first.metrics[step][DIFFERENCE] <= 1e-4 for step in first.metrics)
    assert all(first.metrics[step]["actor/grad_norm"] > 0 for step in first.metrics)


def test_all_replicas_answer_and_no_two_requests_draw_alike(first):
    assert len(first.requests) == STEPS * PROMPTS_A_STEP * GROUP_SIZE
    assert {line["replica"] for line in first.requests} == {0, 1}
    assert len({line["pid"] for line in first.requests}) == 2
    assert len({line["seed"] for line in first.requests}) == len(first.requests)
    assert {line["step"] for line in first.requests} == set(range(STEPS))


def test_same_run_twice_draws_and_rewards_the_same(first, files, tmp_path):
    again = stock(tmp_path, files)
    assert drawn(again) == drawn(first)
    assert rewards(again) == pytest.approx(rewards(first), abs=1e-6)  # a mean of floats in the order of arrival


def test_frozen_weights_show_from_the_second_step(files, tmp_path):
    done = stock(tmp_path, files, server=ServerOptions(freeze=True))
    assert done.metrics[1][DIFFERENCE] <= 1e-4
    assert done.metrics[2][DIFFERENCE] > 1e-3


SCRIPT = """
from selfhint.lab.task import LabTask

def answer(prompt, sampling_params):
    word = prompt.removeprefix("<P").removesuffix("|")
    return LabTask().problem(word).answer if sampling_params["seed"] % 2 else ""
"""


def test_script_answers_and_the_model_gives_the_log_probs(files, tmp_path):
    (tmp_path / "scripted_answers.py").write_text(SCRIPT)
    done = stock(
        tmp_path,
        files,
        "compute_score",
        server=ServerOptions(script="scripted_answers:answer"),
        env={"PYTHONPATH": str(tmp_path)},
    )
    right = {line["prompt"]: LabTask().problem(line["prompt"][2:-1]).answer + ">" for line in done.requests}
    for line in done.requests:
        assert line["prompt"].startswith(BOS + SOLVE)
        assert line["prompt"].endswith(SEPARATOR)
        assert line["completion"] == (right[line["prompt"]] if line["seed"] % 2 else ">")
    for step in done.metrics:
        odd = [line["seed"] % 2 for line in done.requests if line["step"] == step - 1]
        assert done.metrics[step]["critic/score/mean"] == pytest.approx(sum(odd) / len(odd))
        assert done.metrics[step][DIFFERENCE] <= 1e-4


def test_killed_driver_leaves_no_process(files, tmp_path):
    words = [*files.overrides(), "trainer.total_training_steps=50"]
    with start_verl(STOCK, tmp_path, words, server=ServerOptions(delay=0.05)) as run:
        run.wait_for(lambda run: len(run.requests()) > PROMPTS_A_STEP * GROUP_SIZE)
        assert len(run.pids("HFServer")) == 2
        run.kill()
        done = run.finish()
    assert done.returncode == -9
    assert run.pids("") == []


@pytest.fixture(scope="module")
def policy(files):
    tokenizer = AutoTokenizer.from_pretrained(files.model)
    return AutoModelForCausalLM.from_pretrained(files.model, dtype=torch.float64).eval(), tokenizer


def rows(policy, files, num=24, temperature=1.0):
    prompts = [p.prompt for p in files.problems]
    ids = [policy[1].apply_chat_template(p, tokenize=True, return_dict=False) for p in prompts]
    return [Row(tuple(ids[i % len(ids)]), seed=i, temperature=temperature, max_tokens=8) for i in range(num)]


def answers(policy, rows):
    model, tokenizer = policy
    return draw(model, rows, pad_id=tokenizer.pad_token_id, eos_ids=frozenset([tokenizer.eos_token_id]))


@pytest.mark.parametrize("temperature", [1.0, 0.5, 0.0])
def test_a_draw_does_not_depend_on_the_batch(policy, files, temperature):
    batch = rows(policy, files, temperature=temperature)
    together = answers(policy, batch)
    order = list(range(len(batch)))
    random.Random(0).shuffle(order)
    shuffled = answers(policy, [batch[i] for i in order])
    alone = [answers(policy, [row])[0] for row in batch]
    for place, i in enumerate(order):
        assert together[i].token_ids == shuffled[place].token_ids == alone[i].token_ids
        assert together[i].log_probs == pytest.approx(alone[i].log_probs, abs=1e-12)


def test_draws_end_at_eos_or_at_the_limit_and_follow_the_seed(policy, files):
    eos = policy[1].eos_token_id
    batch = [Row(rows(policy, files, 1)[0].prompt_ids, seed, 1.0, 8) for seed in range(200)]
    drawn = answers(policy, batch)
    assert all(eos not in d.token_ids[:-1] for d in drawn)
    assert all(d.token_ids[-1] == eos or len(d.token_ids) == 8 for d in drawn)
    assert {len(d.token_ids) for d in drawn} > {1, 8}
    assert len({tuple(d.token_ids) for d in drawn}) > 150


def test_first_tokens_follow_the_policy(policy, files):
    """Chi-square of 4,000 first tokens against the model's own probabilities."""
    prompt_ids = rows(policy, files, 1)[0].prompt_ids
    drawn = answers(policy, [Row(prompt_ids, seed, 1.0, 1) for seed in range(4000)])
    with torch.inference_mode():
        expected = policy[0](torch.tensor([prompt_ids])).logits[0, -1].softmax(-1) * len(drawn)
    counts = torch.bincount(torch.tensor([d.token_ids[0] for d in drawn]), minlength=len(expected))
    statistic = ((counts - expected) ** 2 / expected).sum().item()
    freedom = len(expected) - 1
    assert statistic < freedom + 4 * (2 * freedom) ** 0.5


def test_log_probs_are_the_models_at_the_temperature(policy, files):
    model, _ = policy
    for row, completion in zip(
        rows(policy, files, temperature=0.7), answers(policy, rows(policy, files, temperature=0.7)), strict=True
    ):
        with torch.inference_mode():
            logits = model(torch.tensor([[*row.prompt_ids, *completion.token_ids]])).logits[0]
        expected = (logits[len(row.prompt_ids) - 1 : -1] / 0.7).log_softmax(-1)
        expected = expected.gather(1, torch.tensor(completion.token_ids)[:, None])[:, 0]
        assert completion.log_probs == pytest.approx(expected.tolist(), abs=1e-9)


def test_forced_tokens_are_scored_as_if_drawn(policy, files):
    batch = rows(policy, files)
    drawn = answers(policy, batch)
    forced = [Row(r.prompt_ids, 99, 1.0, 8, tuple(d.token_ids)) for r, d in zip(batch, drawn, strict=True)]
    for scored, completion in zip(answers(policy, forced), drawn, strict=True):
        assert scored.token_ids == completion.token_ids
        assert scored.log_probs == pytest.approx(completion.log_probs, abs=1e-12)


def test_a_given_override_replaces_the_same_key():
    assert merge({"a.b": "1", "+c": "2"}, ["+a.b=3", "selfhint.x=4"]) == ["+c=2", "+a.b=3", "selfhint.x=4"]
