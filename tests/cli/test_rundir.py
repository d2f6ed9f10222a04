"""The run directory: taken once, given back when no run begins, whole or not at all."""

from __future__ import annotations

import os
import re

import pytest

from selfhint.cli import rundir
from selfhint.config import Recipe, load_recipe
from selfhint.core.errors import InputError
from selfhint.runlog import LOG_FILES
from support.sealed import sealed_folder


@pytest.fixture
def recipe():
    return Recipe(model="m", data="d.jsonl", seed=3)


def test_a_directory_is_given_back_unless_a_run_begins(tmp_path, recipe):
    out = tmp_path / "a" / "b"
    with rundir.made(out):
        assert (out / "checkpoints").is_dir()
    assert os.listdir(tmp_path) == []
    with rundir.made(out):
        rundir.begin(out, recipe)
    assert load_recipe(out / "recipe.yaml") == recipe


def test_folders_that_were_there_stay(tmp_path):
    (tmp_path / "a").mkdir()
    with rundir.made(tmp_path / "a" / "b"):
        pass
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("links", [True, False])
def test_only_one_of_two_runs_begins(tmp_path, recipe, monkeypatch, links):
    def refuse(*names):
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    rundir.begin(tmp_path, recipe)
    with pytest.raises(InputError, match="holds an earlier run"):
        rundir.begin(tmp_path, Recipe(model="other", data="d.jsonl"))
    assert load_recipe(tmp_path / "recipe.yaml") == recipe
    assert os.listdir(tmp_path) == ["recipe.yaml"]


def test_a_run_with_a_finished_step_is_worth_keeping(tmp_path, recipe):
    rundir.begin(tmp_path, recipe)
    (tmp_path / "metrics.jsonl").write_text("{}\n")
    rundir.forget_unless_worth_keeping(tmp_path)
    assert rundir.has_run(tmp_path)
    (tmp_path / "metrics.jsonl").write_text("")
    (tmp_path / "checkpoints" / "checkpoint-1").mkdir(parents=True)
    rundir.forget_unless_worth_keeping(tmp_path)
    assert os.listdir(tmp_path) == []


def test_hints_that_were_written_before_training_are_worth_keeping(tmp_path):
    recipe = Recipe(model="m", data="d.jsonl", hints={"source": "offline", "per_level": 2}, out=str(tmp_path))
    rundir.begin(tmp_path, recipe)
    (tmp_path / rundir.OFFLINE_HINTS).write_text("{}\n")
    rundir.forget_unless_worth_keeping(tmp_path)
    with pytest.raises(InputError, match="holds an earlier run"):
        rundir.check_fresh(tmp_path)
    rundir.check_resume(tmp_path, recipe, accept_changes=False)
    other = recipe.model_copy(update={"hints": recipe.hints.model_copy(update={"per_level": 5})})
    with pytest.raises(InputError, match=r"hints\.per_level changed since offline_hints\.jsonl was written"):
        rundir.check_resume(tmp_path, other, accept_changes=True)


def test_logs_are_emptied_in_place(tmp_path):
    for name in LOG_FILES[:2]:
        (tmp_path / name).write_text("old\n")
    rundir.clear_logs(tmp_path)
    assert {(tmp_path / name).read_text() for name in LOG_FILES[:2]} == {""}


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path):
    target = tmp_path / "final"

    def fill(text):
        def write(folder):
            folder.mkdir()
            (folder / "weights").write_text(text)
            if text == "bad":
                raise OSError(28, "No space left on device")

        return write

    rundir.replace_folder(target, fill("one"))
    with pytest.raises(OSError, match="No space"):
        rundir.replace_folder(target, fill("bad"))
    assert (target / "weights").read_text() == "one"
    rundir.replace_folder(target, fill("two"))
    assert (target / "weights").read_text() == "two"
    assert os.listdir(tmp_path) == ["final"]


def test_how_the_solver_was_asked_is_read_back(tmp_path):
    assert rundir.read_asking(tmp_path) is None
    rundir.write_asking(tmp_path, "ü {problem}", {"tone": "calm"})
    assert rundir.read_asking(tmp_path) == ("ü {problem}", {"tone": "calm"})


def test_a_name_that_is_too_long(tmp_path, recipe):
    out = tmp_path / ("x" * 300)
    says = re.escape(f"{out}: cannot be read (File name too long); check its name and rights")
    for look in (rundir.has_run, rundir.read_asking, lambda out: rundir.check_resume(out, recipe, False)):
        with pytest.raises(InputError, match=says):
            look(out)


@pytest.fixture
def sealed(tmp_path, recipe):
    """A run's directory that this process may not look into."""
    rundir.begin(tmp_path, recipe)
    with sealed_folder(tmp_path):
        yield tmp_path


def test_a_directory_without_permission(sealed, recipe):
    says = re.escape(f"{sealed}: cannot be read (Permission denied); check its name and rights")
    for look in (rundir.has_run, rundir.read_asking, lambda out: rundir.check_resume(out, recipe, False)):
        with pytest.raises(InputError, match=says):
            look(sealed)


def test_checkpoints_without_permission(tmp_path, recipe, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    rundir.begin(tmp_path, recipe)
    monkeypatch.setattr(rundir, "_holds_something", refuse)
    with pytest.raises(InputError, match=r"checkpoints: cannot be read \(Permission denied\)"):
        rundir.check_resume(tmp_path, recipe.model_copy(update={"lr": 0.5}), True)
