"""Words of the command, exit codes, and the ways to start it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import selfhint.cli
import selfhint.cli.train
from selfhint.core.errors import InputError, RunError


@pytest.fixture
def trained(monkeypatch):
    """Recipes that `selfhint train` would have run."""
    recipes = []

    def run(recipe, console, **options):
        recipes.append(recipe)
        return Path(recipe.out) / "final"

    monkeypatch.setattr(selfhint.cli.train, "run", run)
    return recipes


def test_a_run_without_words_is_the_lab(selfhint_command, trained):
    outcome = selfhint_command("train")
    assert (outcome.code, outcome.out, outcome.err) == (0, "model: runs/lab/final\n", "")
    assert (trained[0].model, trained[0].method) == ("lab", "sage")


def test_values_alone_go_over_the_lab_recipe(selfhint_command, trained):
    selfhint_command("train", "method=grpo", "out=runs/a.yaml")
    assert (trained[0].data, trained[0].method, trained[0].out) == ("lab:hard", "grpo", "runs/a.yaml")


@pytest.mark.parametrize("name", ["recipe.yaml", "steps=5", "with space.yaml", "no-suffix", "ünïcode.yml"])
def test_the_first_word_can_be_a_recipe_file(selfhint_command, trained, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("model: lab\ndata: lab:mixed\n")
    selfhint_command("train", name, "steps=7")
    assert (trained[0].data, trained[0].steps) == ("lab:mixed", 7)


def test_an_interrupted_run_is_resumed_only_with_the_flag(selfhint_command, trained, refused):
    refused("train", "--accept-changes", says=("add --resume",))
    assert trained == []


@pytest.mark.parametrize("words", [["train", "--nope"], ["generate"], ["nope"], ["generate", "m", "--max-tokens", "0"]])
def test_wrong_options_show_the_usage(selfhint_command, words):
    outcome = selfhint_command(*words)
    assert outcome.code == 2
    assert outcome.err.startswith("Usage: ")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["train", "--help"],
        ["demo", "--help"],
        ["generate", "--help"],
        ["diagnose", "--help"],
        ["hints", "preview", "--help"],
        ["hints", "parse", "--help"],
        ["hints", "write", "--help"],
    ],
)
def test_help(selfhint_command, words):
    outcome = selfhint_command(*words)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Usage: ")


@pytest.mark.parametrize(
    ("error", "code"),
    [(InputError("a: b; c"), 2), (RunError("a: b;\nc"), 3)],
)
def test_errors_end_in_one_line_and_their_code(selfhint_command, monkeypatch, error, code):
    def run(*args, **options):
        raise error

    monkeypatch.setattr(selfhint.cli.train, "run", run)
    outcome = selfhint_command("train")
    assert (outcome.code, outcome.out, outcome.err) == (code, "", "selfhint: a: b; c\n")


def test_only_the_first_process_speaks(selfhint_command, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    outcome = selfhint_command("train", "nope=1")
    assert (outcome.code, outcome.out, outcome.err) == (2, "", "")


@pytest.mark.usefixtures("_hang_ups_are_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_command_in_one_line(selfhint_command, monkeypatch, number):
    usual = signal.getsignal(number)
    monkeypatch.setattr(selfhint.cli.train, "run", lambda *args, **options: os.kill(os.getpid(), number))
    outcome = selfhint_command("train")
    assert (outcome.code, outcome.out) == (128 + number, "")
    assert outcome.err == f"selfhint: stopped by {number.name}\n"
    assert signal.getsignal(number) is usual


def test_a_signal_that_was_ignored_stays_ignored(selfhint_command, monkeypatch, tmp_path):
    """As under nohup, and in the background of a script."""

    def run(recipe, console, **options):
        os.kill(os.getpid(), signal.SIGINT)
        return tmp_path

    monkeypatch.setattr(selfhint.cli.train, "run", run)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert selfhint_command("train").code == 0
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_the_package_can_be_started_as_a_module(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "selfhint", "train", "step=3"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "selfhint: override step=3: unknown key step; did you mean steps?\n"
