"""`selfhint demo`: two runs, a table and a page; it goes on after a stop."""

from __future__ import annotations

import os
import re
import signal

import pytest

from cli.conftest import LAB
from selfhint.cli import demo
from selfhint.cli.progress import RunProgress


@pytest.fixture
def small(lab, monkeypatch):
    """The demo with the tiny lab."""
    usual = demo.load_recipe

    def load(path, overrides=()):
        return usual(path, overrides if path else [*LAB, *overrides])

    monkeypatch.setattr(demo, "load_recipe", load)


def test_two_runs_a_table_and_a_page(selfhint_command, small, tmp_path):
    out = tmp_path / "demo"
    outcome = selfhint_command("demo", "--out", out, "--steps", "2", "--seed", "5")
    assert (outcome.code, outcome.err) == (0, "")
    assert {path.name for path in out.iterdir()} == {"grpo", "sage", "demo.html"}
    assert re.findall(r"^(\w+) step (\d)/2 ", outcome.out, re.MULTILINE) == [
        *(("grpo", "1"), ("grpo", "2")),
        *(("sage", "1"), ("sage", "2")),
    ]
    assert outcome.out.splitlines()[-1] == f"page: {out / 'demo.html'}"
    page = (out / "demo.html").read_text()
    assert "grpo" in page
    assert "sage" in page

    again = selfhint_command("demo", "--out", out, "--steps", "2", "--seed", "5")
    assert (again.code, "holds a finished demo" in again.err) == (2, True)


def test_a_stopped_demo_goes_on(selfhint_command, small, tmp_path, monkeypatch):
    out = tmp_path / "demo"
    usual = RunProgress.show
    with monkeypatch.context() as at_step:

        def show(self, line):
            usual(self, line)
            if self._title == "sage" and line["step"] == 1:
                os.kill(os.getpid(), signal.SIGINT)

        at_step.setattr(RunProgress, "show", show)
        stopped = selfhint_command("demo", "--out", out, "--steps", "3")
    assert stopped.code == 3
    assert stopped.err.splitlines()[-1].endswith("with a checkpoint; repeat the command to go on")

    other = selfhint_command("demo", "--out", out, "--steps", "3", "--seed", "9")
    assert (other.code, "another seed or length" in other.err) == (2, True)
    resumed = selfhint_command("demo", "--out", out, "--steps", "3")
    assert resumed.code == 0, resumed.err
    assert not any(line.startswith("grpo step") for line in resumed.out.splitlines())
    assert (out / "demo.html").exists()


def test_a_place_with_something_else_in_it(refused, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    refused("demo", "--out", tmp_path, says=("something else than a demo (notes.txt)", "--out"))
    refused("demo", "--out", tmp_path / "d", "--steps", "0", says=("steps", "greater than or equal to 1"))
    refused("demo", "--out", tmp_path / "d", "--seed", "-1", says=("seed",))
