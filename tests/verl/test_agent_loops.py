"""A user's own agent loop keeps working with hints, or is stopped with a message."""

from __future__ import annotations

import itertools

import pytest
from verl_support import riddle_run
from verl_support.agent_loops import TOOL, words

from support import riddle_visits

pytestmark = [pytest.mark.verl]
LONGER = ["data.max_response_length=32", "reward.custom_reward_function.name=last_word_score"]


def outcomes(lines):
    return [(line["key"], [(drawn["level"], drawn["rewards"]) for drawn in line["drawn"]]) for line in lines]


def test_two_turns_with_a_tool_between_them(tmp_path):
    with riddle_run.start(tmp_path, "sage", *words(tmp_path, "TwoTurns"), *LONGER) as run:
        done = run.finish()
    assert done.returncode == 0, done.output
    lines = riddle_run.lines(tmp_path)
    steps = [[line["key"] for line in step] for _, step in itertools.groupby(lines, key=lambda line: line["step"])]
    single, _ = riddle_visits.expected(steps, "sage")
    assert outcomes(lines) == outcomes(single)
    assert any(line["level"] for line in lines)
    # Twice the policy's own tokens and none of the tool's.
    assert [line["tokens"]["kept"] for line in lines] == [2 * line["tokens"]["kept"] for line in single]
    assert all(difference <= 1e-4 for difference in riddle_run.differences(done))
    assert any(TOOL in request["prompt"] and "Here is a hint" in request["prompt"] for request in done.requests)


def test_a_loop_that_asks_something_else_is_refused(tmp_path):
    with riddle_run.start(tmp_path, "sage", *words(tmp_path, "OwnPrompt"), *LONGER) as run:
        done = run.finish()
    assert done.returncode == 2, done.output
    assert riddle_run.message(done).startswith("agent loop mine: the prompt it sent does not hold")
