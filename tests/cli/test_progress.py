"""What a person sees while a run goes on."""

from __future__ import annotations

import functools
import io
import os

import pytest
from rich.console import Console

from selfhint.cli import progress, quiet
from selfhint.cli.progress import STOPPING, RunProgress


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def line(step, **changes):
    return {
        "step": step,
        "reward/mean": 0.25,
        "groups/total": 4,
        "groups/failed_first": 3,
        "groups/no_signal": 1,
        "groups/rescued": 2,
        **{f"hints/level_{level}": level for level in (1, 2, 3)},
        "tokens/kept": 1000,
        "tokens/discarded": 200,
        "tokens/hints": 30,
        **changes,
    }


def plain(width=80):
    return Console(file=io.StringIO(), force_terminal=False, width=width, soft_wrap=True, highlight=False)


def test_a_line_a_step(clock):
    console = plain(width=20)
    with RunProgress(4, console, "sage") as shown:
        clock[0] += 90
        shown.show(line(1))
        shown.show(line(2, **{"reward/mean": None, "heldout/success": 0.5}))
        shown.show(line(3))
    assert console.file.getvalue().splitlines() == [
        "sage step 1/4  reward 0.250  no signal 1/4  rescued 2  hinted at level 1/2/3 1/2/3  tokens 1,230  "
        "left 0:04:30",
        "sage step 2/4  reward -  no signal 1/4  rescued 2  hinted at level 1/2/3 1/2/3  tokens 2,460  "
        "held-out 0.500  left 0:01:30",
        "sage step 3/4  reward 0.250  no signal 1/4  rescued 2  hinted at level 1/2/3 1/2/3  tokens 3,690  "
        "held-out 0.500  left 0:00:30",
    ]


def test_a_resumed_run_counts_what_was_before_and_times_what_is_now(clock):
    console = plain()
    shown = RunProgress(100, console, "sage")
    shown.add_earlier(line(1, **{"heldout/success": 0.125}))
    clock[0] += 1000  # loading
    with shown:
        shown.show(line(50))
        clock[0] += 10
        shown.show(line(51))
    first, second = console.file.getvalue().splitlines()
    assert first.endswith("tokens 2,460  held-out 0.125  left -")
    assert second.endswith("tokens 3,690  held-out 0.125  left 0:08:10")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_live_display(width):
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=width, height=20)
    with RunProgress(3, console, "sage") as shown:
        shown.show(line(1))
        shown.show(line(2))
        shown.announce_stop()
        shown.show(line(3))
    text = console.file.getvalue()
    for part in ("3/3", "rescued", "3,690", "once more to stop at once"):
        assert part in " ".join(text.split())


def test_a_quiet_console_shows_nothing():
    console = Console(file=io.StringIO(), force_terminal=True, quiet=True)
    with RunProgress(3, console, "sage") as shown:
        shown.show(line(1))
        shown.announce_stop()
    assert console.file.getvalue() == ""


def test_a_heard_signal_is_announced(capfd):
    with RunProgress(3, plain(), "sage") as shown:
        shown.announce_stop()
    assert capfd.readouterr().err == f"{STOPPING}\n"


def test_a_whole_run_on_a_terminal(selfhint_command, lab, tmp_path, monkeypatch):
    screen = io.StringIO()
    screen_console = functools.partial(quiet.PlainConsole, file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(quiet, "PlainConsole", screen_console)
    outcome = selfhint_command("train", *lab, f"out={tmp_path / 'run'}", "steps=2")
    assert (outcome.code, outcome.err) == (0, "")
    text = screen.getvalue()
    for part in ("lab:hard: 4 problems", "2/2", "no signal", "held-out", "model: "):
        assert part in text
    assert os.listdir(tmp_path / "run" / "final")
