"""Checkpoints: complete or not counted, kept until the next one is complete, refused where they do not fit."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import time

import pytest
import torch
from safetensors.torch import load_file
from trl import GRPOTrainer

from selfhint.engines.trl import checkpoint as ckpt
from selfhint.hints import PrefixHints, SelfHints, TextFormat
from selfhint.schedulers import EpochLevels, Ladder
from support import riddles, tiny
from support.refusals import refused


def make(folder, updates, args=None, **ours):
    return riddles.trainer(
        folder,
        args={
            "max_steps": updates,
            "save_strategy": "steps",
            "save_steps": 1,
            "lr_scheduler_type": "constant",
            **(args or {}),
        },
        **{"scheduler": Ladder(), "hints": SelfHints(TextFormat()), "play": riddles.graded, **ours},
    )


def train(folder, updates, resume=False, **changes):
    trainer = make(folder, updates, **changes)
    trainer.train(resume_from_checkpoint=resume)
    return trainer


def names(folder):
    return sorted(path.name for path in folder.glob("checkpoint-*"))


@pytest.fixture(scope="module")
def two_steps(tmp_path_factory):
    """A run directory with complete checkpoints after the updates 1 and 2. Do not write in it."""
    folder = tmp_path_factory.mktemp("two")
    train(folder, 2)
    return folder


@pytest.fixture
def used(two_steps, tmp_path):
    """A copy of it."""
    return shutil.copytree(two_steps, tmp_path / "run")


# Files


def test_only_complete_checkpoints_with_a_step_are_chosen_and_the_highest_step_wins(tmp_path):
    assert ckpt.last_complete(tmp_path) is None
    assert ckpt.last_complete(tmp_path / "absent") is None
    for name in ("checkpoint-9", "checkpoint-10", "checkpoint-11", "checkpoint-best", "other-99"):
        (tmp_path / name).mkdir()
        if name != "checkpoint-11":
            ckpt.mark_complete(tmp_path / name)
    assert ckpt.last_complete(tmp_path) == tmp_path / "checkpoint-10"
    ckpt.unmark(tmp_path / "checkpoint-10")
    ckpt.unmark(tmp_path / "checkpoint-10")
    assert ckpt.last_complete(tmp_path) == tmp_path / "checkpoint-9"


def test_the_state_of_an_incomplete_checkpoint_is_not_read(tmp_path):
    ckpt.write_state(tmp_path, {"generation_step": 1})
    refused(lambda: ckpt.read_state(tmp_path), str(tmp_path), "not a complete checkpoint", "resume from an earlier one")
    ckpt.mark_complete(tmp_path)
    assert ckpt.read_state(tmp_path) == {"generation_step": 1}


def completed(folder):
    """A checkpoint of small files."""
    (folder / "shards").mkdir()
    for name in ("optimizer.pt", "rng_state_1.pth", "shards/1.bin"):
        (folder / name).write_bytes(b"1234")
    ckpt.write_state(folder, {"generation_step": 1})
    (folder / f"{ckpt.MARKER_FILE}.partial").write_bytes(b"of a crash")
    ckpt.mark_complete(folder)
    return folder


def test_the_marker_knows_the_files(tmp_path):
    marker = json.loads((completed(tmp_path) / ckpt.MARKER_FILE).read_text())
    assert set(marker["files"]) == {"optimizer.pt", "rng_state_1.pth", "shards/1.bin", ckpt.STATE_FILE}
    assert marker["files"]["shards/1.bin"] == 4
    (tmp_path / "added_later.txt").write_text("by the user")
    assert ckpt.read_state(tmp_path) == {"generation_step": 1}


@pytest.mark.parametrize("name", ["optimizer.pt", "rng_state_1.pth", "shards/1.bin", ckpt.STATE_FILE])
def test_a_file_that_was_lost_or_cut_after_the_marker_is_named(tmp_path, name):
    file = completed(tmp_path) / name
    file.write_bytes(b"1")
    end = "remove the folder and resume from an earlier checkpoint"
    refused(lambda: ckpt.read_state(tmp_path), f"{tmp_path}: its {name} has another size; {end}")
    file.unlink()
    refused(lambda: ckpt.read_state(tmp_path), f"{tmp_path}: its {name} is missing; {end}")


def test_the_empty_marker_of_an_earlier_release_is_accepted(tmp_path):
    (completed(tmp_path) / ckpt.MARKER_FILE).write_bytes(b"")
    (tmp_path / "optimizer.pt").unlink()
    assert ckpt.read_state(tmp_path) == {"generation_step": 1}


@pytest.mark.parametrize("text", ["{", "[]", "7", '{"files": []}', "[" * 100_000])
def test_a_damaged_marker_is_named(tmp_path, text):
    (completed(tmp_path) / ckpt.MARKER_FILE).write_text(text)
    refused(lambda: ckpt.read_state(tmp_path), f"{tmp_path}: its {ckpt.MARKER_FILE} is damaged; remove the folder")


@pytest.mark.parametrize("text", ["{", "{}", "[]", "null", '{"generation_step": "1"}'])
def test_a_state_that_is_not_what_was_written_is_damaged(tmp_path, text):
    (tmp_path / ckpt.STATE_FILE).write_text(text)
    ckpt.mark_complete(tmp_path)
    refused(lambda: ckpt.read_state(tmp_path), f"{tmp_path}: its {ckpt.STATE_FILE} is damaged; remove the folder")


# Writing


def test_the_marker_is_written_last(tmp_path, monkeypatch):
    before = {}

    def mark(folder, usual=ckpt.mark_complete):
        assert not ckpt.is_complete(folder)
        before[folder] = {path.name for path in folder.iterdir()}
        usual(folder)

    monkeypatch.setattr(ckpt, "mark_complete", mark)
    train(tmp_path, 2)
    assert {folder.name for folder in before} == {"checkpoint-1", "checkpoint-2"}
    for folder, content in before.items():
        assert {path.name for path in folder.iterdir()} == content | {ckpt.MARKER_FILE}
        assert {ckpt.STATE_FILE, "trainer_state.json", "optimizer.pt", "scheduler.pt", "rng_state.pth"} <= content
        assert "model.safetensors" in content


def test_a_checkpoint_that_is_written_again_does_not_count_meanwhile(used, monkeypatch):
    def fail(folder, state):
        assert not ckpt.is_complete(folder)
        raise KeyError

    monkeypatch.setattr(ckpt, "write_state", fail)
    with pytest.raises(KeyError):
        train(used, 2, resume=str(used / "checkpoint-1"))
    assert ckpt.last_complete(used) == used / "checkpoint-1"


@pytest.mark.parametrize("limit", [1, 2])
def test_the_last_complete_checkpoint_stays_until_the_next_one_is_complete(tmp_path, monkeypatch, limit):
    def mark(folder, usual=ckpt.mark_complete):
        step = int(folder.name.split("-")[1])
        if step > 1:
            assert ckpt.last_complete(tmp_path) == tmp_path / f"checkpoint-{step - 1}"
        usual(folder)

    monkeypatch.setattr(ckpt, "mark_complete", mark)
    trainer = train(tmp_path, 4, args={"save_total_limit": limit})
    assert names(tmp_path) == [f"checkpoint-{step}" for step in range(5 - limit, 5)]
    assert trainer.args.save_total_limit == limit


def test_what_a_crash_left_behind_never_outlives_a_complete_checkpoint(tmp_path):
    """Whatever its step, and whatever the clock of the machine that wrote it said."""
    left = tmp_path / "checkpoint-9"
    left.mkdir()
    ckpt.write_state(left, {"step": 9})
    later = time.time() + 3600
    os.utime(left, (later, later))
    train(tmp_path, 2, args={"save_total_limit": 1})
    assert ckpt.last_complete(tmp_path) == tmp_path / "checkpoint-2"
    assert names(tmp_path) == ["checkpoint-2"]


def test_the_completions_of_a_half_used_generation_are_saved_and_only_they(tmp_path):
    train(tmp_path, 3, args={"num_iterations": 2})
    buffered = [(tmp_path / f"checkpoint-{step}" / ckpt.buffer_file(0)).exists() for step in (1, 2, 3)]
    assert buffered == [True, False, True]


# Resuming


def test_resuming_without_a_path_takes_the_last_complete_checkpoint(used):
    ckpt.unmark(used / "checkpoint-2")
    before = riddles.lines(used)
    trainer = train(used, 3, resume=True)
    assert trainer.generation_step == trainer.state.global_step == 3
    assert len(trainer.visits) == 2, "the second step is drawn again"
    groups = riddles.lines(used)
    assert [line["step"] for line in groups] == [1] * 4 + [2] * 4 + [3] * 4
    assert groups[:8] == before
    assert [line["step"] for line in riddles.lines(used, "metrics.jsonl")] == [1, 2, 3]


def test_resuming_from_a_path_goes_on_from_there(used):
    trainer = train(used, 2, resume=str(used / "checkpoint-1"))
    assert (trainer.generation_step, len(trainer.visits)) == (2, 1)
    assert trainer.ledger.num_seen == 8
    assert [line["step"] for line in riddles.lines(used)] == [1] * 4 + [2] * 4


def test_a_resumed_run_ends_like_an_uninterrupted_one(used, tmp_path):
    resumed = train(used, 3, resume=str(used / "checkpoint-2"))
    whole = train(tmp_path / "whole", 3)
    assert tiny.weights_digest(resumed.model) == tiny.weights_digest(whole.model)
    assert resumed.ledger == whole.ledger
    assert riddles.lines(used) == riddles.lines(tmp_path / "whole")
    assert riddles.lines(used, "hints.jsonl") == riddles.lines(tmp_path / "whole", "hints.jsonl")


def test_the_same_trainer_can_go_on_from_its_own_checkpoint(tmp_path):
    trainer = train(tmp_path, 2)
    trainer.args.max_steps = 3
    trainer.train(resume_from_checkpoint=True)
    assert (trainer.generation_step, trainer.state.global_step) == (3, 3)
    train(tmp_path / "whole", 3)
    assert riddles.lines(tmp_path) == riddles.lines(tmp_path / "whole")


def test_an_incomplete_or_absent_checkpoint_is_refused_and_nothing_is_touched(used):
    ckpt.unmark(used / "checkpoint-2")
    before = (used / "groups.jsonl").read_bytes()
    for name in ("checkpoint-2", "checkpoint-7"):
        refused(lambda name=name: train(used, 3, resume=str(used / name)), str(used / name), "resume from an earlier")
    assert (used / "groups.jsonl").read_bytes() == before


def test_resuming_where_nothing_is_complete_is_refused(tmp_path):
    (tmp_path / "checkpoint-1").mkdir()
    refused(lambda: train(tmp_path, 1, resume=True), str(tmp_path), "no complete checkpoint", "start without resuming")
    assert not (tmp_path / "groups.jsonl").exists()


def test_a_checkpoint_of_stock_trl_is_refused(tmp_path):
    args = {"max_steps": 1, "save_strategy": "steps", "save_steps": 1}
    riddles.trainer(tmp_path, GRPOTrainer, args=args).train()
    refused(lambda: train(tmp_path, 2, resume=str(tmp_path / "checkpoint-1")), "not a complete checkpoint")


def changed_state(checkpoint, change):
    """Writes a complete checkpoint whose state is another."""
    state = json.loads((checkpoint / ckpt.STATE_FILE).read_text())
    change(state)
    ckpt.write_state(checkpoint, state)
    ckpt.mark_complete(checkpoint)


@pytest.mark.parametrize("name", ["rng_state.pth", "optimizer.pt", "scheduler.pt", "model.safetensors"])
def test_a_checkpoint_that_lost_a_file_is_refused_and_nothing_is_touched(used, name):
    (used / "checkpoint-2" / name).unlink()
    before = (used / "groups.jsonl").read_bytes()
    refused(lambda: train(used, 3, resume=True), f"checkpoint-2: its {name} is missing; remove the folder and resume")
    assert (used / "groups.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.pop("ledger"),
        lambda state: state.pop("record"),
        lambda state: state["ledger"].pop("records"),
        lambda state: state["record"].pop("log_sizes"),
    ],
    ids=["ledger", "record", "records", "sizes"],
)
def test_a_state_that_lacks_a_part_is_damaged(used, change):
    changed_state(used / "checkpoint-2", change)
    refused(lambda: train(used, 3, resume=True), f"checkpoint-2: its {ckpt.STATE_FILE} is damaged; remove the folder")


def test_another_number_of_processes_is_refused(used):
    changed_state(used / "checkpoint-2", lambda state: state.update(num_processes=2))
    refused(lambda: train(used, 3, resume=True), "num_processes=2, this run has 1", "use the same")


def test_another_scheduler_is_refused(used):
    refused(lambda: train(used, 3, resume=True, scheduler=EpochLevels()), "scheduler=ladder, this run has epoch")


def test_another_hint_source_is_refused(used):
    refused(lambda: train(used, 3, resume=True, hints=PrefixHints()), "hint_source=self, this run has prefix")


@pytest.mark.parametrize(
    "args",
    [
        {"num_generations": 2},
        {"per_device_train_batch_size": 8},
        {"per_device_train_batch_size": 8, "steps_per_generation": 2},
        {"num_iterations": 2},
    ],
    ids=["group-size", "batch", "mini-batches", "iterations"],
)
def test_another_shape_of_a_step_is_refused(used, args):
    refused(lambda: train(used, 3, resume=True, args=args), "checkpoint-2", "use the same")


@pytest.mark.parametrize("name", ["save_only_model", "ignore_data_skip"])
def test_a_run_that_could_not_go_on_exactly_is_refused(used, name):
    refused(lambda: train(used, 3, resume=True, args={name: True}), f"{name}=True", "cannot be resumed exactly")


def test_a_finished_run_has_its_weights_where_the_engine_loads_them_late(used):
    """DeepSpeed loads a checkpoint's weights in a preparation for the next update; here none follows."""
    trainer = make(used, 2)
    trainer.is_deepspeed_enabled = True
    trainer.train(resume_from_checkpoint=True)
    saved = load_file(used / "checkpoint-2" / "model.safetensors")
    have = trainer.model.state_dict()
    assert all(torch.equal(have[name], weight) for name, weight in saved.items())


def test_a_finished_run_with_spread_weights_is_refused(used):
    trainer = make(used, 2)
    trainer.is_fsdp_enabled = True
    refused(lambda: trainer.train(resume_from_checkpoint=True), "checkpoint-2", "the run is finished")


def test_lines_that_the_checkpoint_counted_must_be_there(used):
    (used / "groups.jsonl").write_bytes(b"")
    refused(lambda: train(used, 3, resume=True), "groups.jsonl", "has 0 bytes")


# Fresh starts


def test_a_fresh_start_over_an_earlier_runs_logs_is_refused(used):
    for name in names(used):
        shutil.rmtree(used / name)
    before = (used / "groups.jsonl").read_bytes()
    refused(lambda: train(used, 1), str(used), "earlier run", "choose another directory")
    assert (used / "groups.jsonl").read_bytes() == before


def test_a_fresh_start_over_an_earlier_runs_checkpoints_is_refused(used, tmp_path):
    """They would be taken for the new run's when it is resumed."""
    refused(lambda: train(used, 1, run_dir=tmp_path / "elsewhere"), str(used), "checkpoint-2")
    assert names(used) == ["checkpoint-1", "checkpoint-2"]


def test_a_fresh_start_where_nothing_complete_was_left_goes_ahead(tmp_path):
    (tmp_path / "checkpoint-1").mkdir()
    assert train(tmp_path, 1).state.global_step == 1
    assert ckpt.last_complete(tmp_path) == tmp_path / "checkpoint-1"


# Times


def test_times_are_never_negative_after_a_resume_within_a_generation(tmp_path, monkeypatch):
    args = {"num_iterations": 2}
    ticks = itertools.count()
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    train(tmp_path, 1, args=args)
    before = ckpt.read_state(tmp_path / "checkpoint-1")["record"]["open_line"]
    ticks = itertools.count()  # another process counts from where it began
    train(tmp_path, 2, resume=True, args=args)
    (line,) = riddles.lines(tmp_path, "metrics.jsonl")
    assert line["time/solve"] == before["time/solve"] > 0
    assert line["time/step"] == pytest.approx(
        sum(line[f"time/{part}"] for part in ("solve", "hint", "verify", "update"))
    )
    assert min(value for name, value in line.items() if name.startswith("time/")) >= 0


# Making room


@pytest.mark.parametrize(
    ("limit", "best", "left"),
    [
        (None, None, "3 5 7 8 9"),
        (0, None, "3 5 7 8 9"),
        (9, None, "3 5 7 8 9"),
        (4, None, "3 5 7 8"),
        (3, None, "5 7 8"),
        (1, None, "7"),
        (1, "checkpoint-3", "3 7"),
        (3, "checkpoint-3", "3 7 8"),
    ],
)
def test_incomplete_checkpoints_go_first_then_those_of_low_steps(tmp_path, limit, best, left):
    for step in (3, 5, 7, 8, 9):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if step != 9:
            ckpt.mark_complete(tmp_path / f"checkpoint-{step}")
    (tmp_path / "checkpoint-best").mkdir()
    ckpt.rotate(tmp_path / "checkpoint-7", limit, best and str(tmp_path / best))
    assert names(tmp_path) == [*(f"checkpoint-{step}" for step in left.split()), "checkpoint-best"]
