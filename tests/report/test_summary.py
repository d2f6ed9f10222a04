"""What a run directory says about its run, and what happens to a damaged one."""

from __future__ import annotations

import json
import os
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.core.errors import InputError
from selfhint.report import Measurement, summarise
from selfhint.runlog import GROUPS, METRICS, read_lines
from support.runs import ONE_STEP, write_run


def test_a_run_that_learns(fading):
    run = summarise(fading)
    assert (run.name, run.folder, run.last_step) == ("sage", fading, 4)
    assert run.held_out == (Measurement(2, 40, 0.5), Measurement(3, 48, 0.95), Measurement(4, 56, 1.0))
    assert run.final == run.best == Measurement(4, 56, 1.0)
    assert run.first_passed == Measurement(3, 48, 0.95)
    assert (run.problems_seen, run.never_signal) == (2, 0)
    assert (run.never_solved, run.never_solved_without_hint) == (0, 0)
    assert (run.tokens, run.seconds, run.seconds_per_step) == (56, 2.0, 0.5)
    assert run.hinted_first == run.hinted_last == (4, 8)


def test_its_curves(fading):
    curves = summarise(fading).curves
    assert curves.steps == (1, 2, 3, 4)
    assert curves.tokens == (24, 40, 48, 56)
    assert curves.rewards == (0.375, 0.875, 0.75, 1.0)
    assert curves.visits == (2, 2, 2, 2)
    assert curves.no_signal == (0, 1, 0, 2)
    assert curves.all_correct == (0, 1, 0, 2)
    assert curves.hinted == ((0, 2, 0, 0), (2, 0, 0, 0), (0, 0, 0, 0))


def test_a_run_that_is_starved(starved):
    run = summarise(starved)
    assert run.final == Measurement(4, 32, 0.0)
    assert run.best == Measurement(2, 16, 0.0)
    assert run.first_passed is None
    assert (run.problems_seen, run.never_signal, run.never_solved, run.never_solved_without_hint) == (2, 2, 2, 2)
    assert run.hinted_first == run.hinted_last == (0, 8)


def test_a_summary_cannot_be_changed(starved):
    with pytest.raises(FrozenInstanceError):
        summarise(starved).last_step = 0


@pytest.mark.parametrize(
    ("outcomes_by_visit", "never_signal"),
    [
        (["0000", "0000"], 1),
        (["1111", "1111"], 1),
        (["0000", "1111"], 1),
        (["????", "????"], 1),
        (["000?", "111?"], 1),
        (["0000", "0001"], 0),
        (["1110", "0000"], 0),
    ],
)
def test_a_problem_gave_a_signal_when_rewards_within_one_kept_group_differ(tmp_path, outcomes_by_visit, never_signal):
    write_run(tmp_path, [{0: [outcomes]} for outcomes in outcomes_by_visit])
    assert summarise(tmp_path).never_signal == never_signal


def test_a_discarded_group_gives_no_signal(tmp_path):
    write_run(tmp_path, [{0: ["0001", "0000"]}])
    assert summarise(tmp_path).never_signal == 1


def test_hints_count_as_solving_only_where_it_says_so(tmp_path):
    run = summarise(write_run(tmp_path, [{0: ["0000", "0001"], 1: ["0000"], 2: ["0100"]}]))
    assert (run.never_solved, run.never_solved_without_hint) == (1, 2)


def test_every_sampled_token_counts(tmp_path):
    run = summarise(write_run(tmp_path, [{0: ["0000", "0100"]}] * 2, token=3, hint_tokens=5, padding=7))
    assert run.curves.tokens == (36, 72)


def test_padding_may_be_absent(tmp_path):
    assert summarise(write_run(tmp_path, ONE_STEP)).tokens == 4


def test_edges_are_ten_steps(tmp_path):
    steps = [{0: ["0000", "0001"], 1: ["0001"]}] * 3 + [{0: ["0001"], 1: ["0001"]}] * 9 + [{0: ["00", "0"]}] * 1
    run = summarise(write_run(tmp_path, steps))
    assert run.hinted_first == (3, 20)
    assert run.hinted_last == (1, 19)


def test_no_measurement_and_no_groups_file(tmp_path):
    run = summarise(write_run(tmp_path, ONE_STEP))
    assert run.held_out == ()
    assert run.final is run.best is run.first_passed is run.at_tokens(10**9) is None
    (tmp_path / GROUPS).unlink()
    assert summarise(tmp_path).never_signal is None


def test_a_step_in_which_nothing_could_be_scored_has_no_reward(tmp_path):
    assert summarise(write_run(tmp_path, [{0: ["????"]}])).curves.rewards == (None,)


@pytest.mark.parametrize(("budget", "step"), [(39, None), (40, 2), (47, 2), (48, 3), (55, 3), (56, 4), (1000, 4)])
def test_success_at_a_token_budget(fading, budget, step):
    measured = summarise(fading).at_tokens(budget)
    assert (measured and measured.step) == step


@given(st.integers(0, 70), st.integers(0, 70))
def test_more_budget_never_means_an_earlier_measurement(tmp_path_factory, less, more):
    less, more = sorted((less, more))
    folder = tmp_path_factory.getbasetemp() / "budget"
    if not folder.exists():
        write_run(folder, ONE_STEP * 16, held_out=dict.fromkeys(range(1, 17, 3), 0.5))
    run = summarise(folder)
    few, many = run.at_tokens(less), run.at_tokens(more)
    if few is not None:
        assert few.tokens <= less
        assert many is not None
        assert few.step <= many.step


def test_the_earliest_of_equally_good_measurements_is_the_best(tmp_path):
    run = summarise(write_run(tmp_path, ONE_STEP * 4, held_out={1: 0.1, 2: 0.9, 3: 0.9, 4: 0.2}))
    assert run.best == Measurement(2, 8, 0.9)
    assert run.final == Measurement(4, 16, 0.2)


def test_the_name_is_the_directorys_own_however_it_is_reached(starved, monkeypatch):
    monkeypatch.chdir(starved)
    assert summarise(Path()).name == "grpo"
    assert summarise(Path("..") / "grpo").folder == starved


# After a crash


@pytest.mark.parametrize("name", [METRICS, GROUPS])
def test_a_crash_while_writing_leaves_the_whole_steps(fading, name):
    """Groups of a step are on disk before its metrics line is."""
    whole = summarise(fading)
    with open(fading / GROUPS, "ab") as file:
        line = next(read_lines(fading / GROUPS))
        file.write(json.dumps({**line, "step": 5}).encode() + b"\n")
    with open(fading / name, "ab") as file:
        file.write(b'{"step": 5, "ep')
    assert summarise(fading) == whole


def test_groups_that_are_lost_are_not_passed_over(fading):
    lines = (fading / GROUPS).read_bytes().splitlines(keepends=True)
    (fading / GROUPS).write_bytes(b"".join(lines[:-1]))
    with pytest.raises(InputError, match=r"7 visits until step 4 where metrics\.jsonl counts 8; restore .* --resume"):
        summarise(fading)


# Bad directories and files


def refusal(run_dir, path):
    """The one line that `summarise` says, which begins with the path."""
    with pytest.raises(InputError) as caught:
        summarise(run_dir)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    assert ";" in message, "no mend"
    return message


def test_no_directory(tmp_path):
    assert "no such directory" in refusal(tmp_path / "gone", tmp_path / "gone")


def test_a_directory_without_a_run(tmp_path):
    assert "no such file" in refusal(tmp_path, tmp_path / METRICS)


@pytest.mark.parametrize("content", [b"", b'{"step": 1, "ep'])
def test_a_run_without_a_finished_step(tmp_path, content):
    (tmp_path / METRICS).write_bytes(content)
    assert "no finished step" in refusal(tmp_path, tmp_path / METRICS)


@pytest.mark.parametrize("name", [METRICS, GROUPS])
@pytest.mark.parametrize("damage", [b"\x00\x00\n", b"[1]\n", b'{"step": \xff}\n', b"\n"])
def test_a_line_that_is_no_object(fading, name, damage):
    path = fading / name
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], damage, *lines[1:]]))
    assert "line 2 is no JSON" in refusal(fading, path)


def change(path, number, **fields):
    """Puts other values into one line; a value of `...` takes the field out."""
    lines = list(read_lines(path))
    changed = {**lines[number - 1], **fields}
    lines[number - 1] = {name: value for name, value in changed.items() if value is not ...}
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


NUMBERS = ["step", "groups/total", "groups/no_signal", "hints/level_3", "tokens/kept", "tokens/hints", "time/step"]


@pytest.mark.parametrize("field", [*NUMBERS, "reward/mean", "tokens/padding", "heldout/success"])
@pytest.mark.parametrize("value", ["7", True, [1], float("nan")])
def test_a_metric_of_the_wrong_kind(fading, field, value):
    change(fading / METRICS, 3, **{field: value})
    message = refusal(fading, fading / METRICS)
    assert f"line 3 has {field!r}: {value!r} where a" in message


@pytest.mark.parametrize("field", NUMBERS)
def test_a_metric_that_is_missing(fading, field):
    change(fading / METRICS, 2, **{field: ...})
    assert f"line 2 has no field {field!r}" in refusal(fading, fading / METRICS)


@pytest.mark.parametrize(("field", "value"), [("problems/seen", 1.5), ("problems/never_solved", -1)])
def test_counts_are_whole_and_not_negative(fading, field, value):
    change(fading / METRICS, 4, **{field: value})
    assert f"line 4 has {field!r}: {value!r} where a whole number" in refusal(fading, fading / METRICS)


@pytest.mark.parametrize(("field", "value"), [("key", 3), ("rewards", "0101"), ("step", "1")])
def test_a_group_field_of_the_wrong_kind(fading, field, value):
    change(fading / GROUPS, 5, **{field: value})
    assert f"line 5 has {field!r}: {value!r} where a" in refusal(fading, fading / GROUPS)


def test_two_runs_in_one_file(fading):
    path = fading / METRICS
    path.write_bytes(path.read_bytes() * 2)
    assert "line 5 goes from step 4 to 1" in refusal(fading, path)


@pytest.mark.parametrize("name", [METRICS, GROUPS])
def test_a_directory_in_place_of_a_file(fading, name):
    os.remove(fading / name)
    (fading / name).mkdir()
    assert "cannot be read (Is a directory)" in refusal(fading, fading / name)


def test_measuring_held_out_success_is_no_part_of_a_step(tmp_path):
    write_run(tmp_path, ONE_STEP * 2, held_out={2: 0.5}, held_out_seconds=0.25, seconds=1.0)
    run = summarise(tmp_path)
    assert (run.curves.seconds, run.seconds) == ((1.0, 0.75), 1.75)
