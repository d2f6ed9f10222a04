"""Real runs of verl's trainer, 2 ranks and 2 rollout replicas: each problem climbs its own ladder."""

from __future__ import annotations

import itertools
import json

import pytest
from verl_support import riddle_run
from verl_support.ends import assert_same_end

from support import riddle_visits

pytestmark = [pytest.mark.verl]


def steps_of(folder):
    lines = riddle_run.lines(folder)
    return [[line["key"] for line in step] for _, step in itertools.groupby(lines, key=lambda line: line["step"])]


def check_run(folder, method):
    steps = steps_of(folder)
    assert [len(keys) for keys in steps] == [4, 4, 4]
    expected, ledger = riddle_visits.expected(steps, method)
    assert [riddle_visits.without_epoch(line) for line in riddle_run.lines(folder)] == expected
    state = json.loads((folder / "checkpoints" / "global_step_3" / "selfhint_state.json").read_bytes())
    assert state["ledger"] == json.loads(json.dumps(ledger.state_dict()))
    metrics = json_lines(folder / "metrics-0.jsonl")
    assert [line["step"] for line in metrics] == [1, 2, 3]
    assert all(line["data"]["training/rollout_probs_diff_max"] <= 1e-4 for line in metrics)
    return expected


def json_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_ladder_draws_what_an_engineless_driver_draws(ladder):
    groups = check_run(ladder, "sage")
    assert {group["level"] for group in groups} == {0, 1, 2, 3}


def test_epoch_scheduler_moves_the_level_between_visits(tmp_path):
    groups = check_run(riddle_run.run(tmp_path, "sage-light"), "sage-light")
    assert all(len(group["drawn"]) == 1 for group in groups)
    assert {group["level"] for group in groups} == {0, 1}


def test_gate_plans_on_the_trainer_with_the_whole_ledger_and_says_why(tmp_path):
    groups = check_run(riddle_run.run(tmp_path, "gate"), "gate")
    assert {group["why"]["rule"] for group in groups} >= {"nothing seen yet", "score"}


def test_what_is_trained_on_was_asked_with_its_hint(ladder):
    """The servers' own record: a group's completions answer the prompt of its level, and hints came before them."""
    requests = json_lines(ladder / "requests-0.jsonl")
    hints = {line["id"]: line["text"] for line in riddle_run.lines(ladder, "hints.jsonl")}
    questions = {key: problem.question for key, problem in riddle_visits.problems().items()}
    for group in riddle_run.lines(ladder):
        asked = [
            line["prompt"]
            for line in requests
            if line["step"] == group["step"] - 1
            and questions[group["key"]] in line["prompt"]
            and "You are a tutor" not in line["prompt"]
        ]
        assert len(asked) == 4 * len(group["drawn"])
        kept = [prompt for prompt in asked if (hints.get(group["hint"]) or "box?\n") in prompt]
        assert len(kept) >= 4


def test_both_replicas_answer(ladder):
    assert {line["replica"] for line in json_lines(ladder / "requests-0.jsonl")} == {0, 1}


def test_the_run_log_is_whole(ladder):
    metrics = riddle_run.lines(ladder, "metrics.jsonl")
    assert [line["step"] for line in metrics] == [1, 2, 3]
    assert [line["groups/lost"] for line in metrics] == [0, 0, 0]
    assert sum(line["hints/level_1"] + line["hints/level_2"] + line["hints/level_3"] for line in metrics) > 0


def test_trl_draws_the_same_groups_for_the_same_completions(ladder, tmp_path):
    from support.seeded_trainer import trained

    on_trl = {(line["key"], line["visit"]): line for line in trained(tmp_path, "sage", steps=3)}
    on_verl = {(line["key"], line["visit"]): line for line in riddle_run.lines(ladder)}
    both = on_trl.keys() & on_verl.keys()
    assert {key for key, _ in both} == set(riddle_visits.problems())
    assert any(visit for _, visit in both)
    for visit in both:
        assert when_aside(on_trl[visit]) == when_aside(on_verl[visit])


def when_aside(line):
    return {name: value for name, value in line.items() if name not in ("step", "epoch")}


def test_mini_batches_do_not_depend_on_the_order_of_answers(tmp_path):
    """Two updates a step; with two workers the groups come in another order."""
    actor = "actor_rollout_ref.actor"
    words = [f"{actor}.ppo_mini_batch_size=2", f"{actor}.ppo_micro_batch_size_per_gpu=4"]
    one = riddle_run.run(tmp_path / "one", "sage", *words)
    two = riddle_run.run(tmp_path / "two", "sage", *words, "actor_rollout_ref.rollout.agent.num_workers=2")
    assert_same_end(two, one)
    assert [line["update"] for line in riddle_run.lines(one, "metrics.jsonl")] == [0, 2, 4]
