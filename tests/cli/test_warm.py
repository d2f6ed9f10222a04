"""The warm-up of the lab's policy, as the command shows and stops it."""

from __future__ import annotations

import functools
import io
import os
import signal

import pytest
from rich.console import Console

from cli.conftest import LAB
from selfhint.cli import quiet, warm
from selfhint.lab import warmup


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and a warm-up that is short."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SELFHINT_CACHE", str(folder))
    usual = warmup.train_policy

    def train(task, tokenizer, settings, progress):
        return usual(task, tokenizer, warmup.WarmUp(steps=3), progress)

    monkeypatch.setattr(warmup, "train_policy", train)
    return folder


def test_it_is_announced_and_done_once(selfhint_command, cache, tmp_path):
    first = selfhint_command("train", *LAB, f"out={tmp_path / 'one'}", "steps=1")
    second = selfhint_command("train", *LAB, f"out={tmp_path / 'two'}", "steps=1")
    assert (first.code, second.code) == (0, 0), first.err + second.err
    assert first.out.splitlines()[1] == "warming up the lab's policy, once, about a minute"
    assert "warming" not in second.out
    assert len(os.listdir(cache)) == 1


def test_on_a_terminal_it_has_a_bar(selfhint_command, cache, tmp_path, monkeypatch):
    screen = io.StringIO()
    screen_console = functools.partial(quiet.PlainConsole, file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(quiet, "PlainConsole", screen_console)
    assert selfhint_command("train", *LAB, f"out={tmp_path / 'run'}", "steps=1").code == 0
    assert "warming up the lab's policy" in screen.getvalue()


def test_a_signal_leaves_nothing(selfhint_command, cache, tmp_path, monkeypatch):
    def train(*args):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(warmup, "train_policy", train)
    outcome = selfhint_command("train", *LAB, f"out={tmp_path / 'run'}")
    assert (outcome.code, outcome.err) == (130, "selfhint: stopped by SIGINT\n")
    assert os.listdir(tmp_path) == ["cache"]
    assert os.listdir(cache) == []


def test_a_cache_that_cannot_be_written(refused, tmp_path, monkeypatch):
    monkeypatch.setenv("SELFHINT_CACHE", "/proc/cache")
    refused("train", *LAB, f"out={tmp_path / 'run'}", says=("cannot write to /proc/cache", "SELFHINT_CACHE"))


def test_other_models_need_none(recipe):
    from selfhint.config import load_recipe

    console = Console(file=io.StringIO())
    warm.warm_with_progress(load_recipe(recipe), console)
    assert console.file.getvalue() == ""
