"""The entry point's exit codes and messages; Hydra and verl are stand-ins here."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType, SimpleNamespace

import pytest

from selfhint.core.errors import InputError, RunError
from selfhint.engines.verl import main as entry


def lines(capsys):
    return capsys.readouterr().err.splitlines()


@pytest.fixture
def installed(monkeypatch):
    """verl, as far as the entry point itself looks; what Hydra does with the task is up to the test."""
    found = {"verl": SimpleNamespace(origin="verl/__init__.py"), "transfer_queue": SimpleNamespace(origin="x")}
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found[name] if name in found else real(name))
    verl, hydra = ModuleType("verl"), ModuleType("hydra")
    verl.__file__ = "/site/verl/__init__.py"
    monkeypatch.setitem(sys.modules, "verl", verl)
    monkeypatch.setitem(sys.modules, "hydra", hydra)
    monkeypatch.setattr(sys, "argv", ["prog"])
    monkeypatch.setenv("HYDRA_FULL_ERROR", "")
    composed = SimpleNamespace(found=found, seen=[], run=lambda task: task("the config"))

    def hydra_main(config_path, config_name, version_base):
        def decorate(task):
            def run():
                composed.seen.append((config_path, config_name, list(sys.argv)))
                composed.run(task)

            return run

        return decorate

    hydra.main = hydra_main
    return composed


@pytest.fixture
def trained(installed, monkeypatch):
    """The runs that were begun, with their settings; `installed.ends` says how each ends."""
    installed.trained, installed.ends = [], lambda: None

    def train(config, settings):
        installed.trained.append((config, settings))
        installed.ends()

    monkeypatch.setattr(entry, "_train", train)
    return installed


# Before verl


@pytest.mark.parametrize("word", ["selfhint.metod=sage", "selfhint.hints.tries=0", "~selfhint.method"])
def test_what_the_user_mistyped_ends_in_one_line_and_code_2(capsys, word):
    assert entry.main([word]) == 2
    (line,) = lines(capsys)
    assert line.startswith(f"selfhint: override {word}: ")


def test_the_command_line_of_the_process_is_read_where_none_is_given(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["prog", "selfhint.seed=x"])
    assert entry.main() == 2
    assert "override selfhint.seed=x" in lines(capsys)[0]


@pytest.mark.parametrize("module", ["verl", "transfer_queue"])
@pytest.mark.parametrize("spec", [None, SimpleNamespace(origin=None)], ids=["nothing", "a folder of that name"])
def test_without_verl_the_line_says_what_to_install(installed, capsys, module, spec):
    installed.found[module] = spec
    assert entry.main(["selfhint.method=sage"]) == 2
    assert lines(capsys) == [f"selfhint: {module} is not installed: pip install 'selfhint[verl]'"]
    assert installed.seen == []


# Handing over


def test_verls_words_go_to_hydra_and_ours_to_the_run(trained):
    assert entry.main(["data.x=1", "selfhint.seed=3", "+b.c=d e"]) == 0
    folder = os.path.join("/site", "verl", "trainer", "config")
    assert trained.seen == [(folder, "ppo_trainer", ["prog", "data.x=1", "+b.c=d e"])]
    ((config, settings),) = trained.trained
    assert config == "the config"
    assert settings.seed == 3


def test_hints_that_are_named_and_never_drawn_are_noticed(trained, capsys):
    assert entry.main(["selfhint.method=grpo", "selfhint.hints.source=self"]) == 0
    (line,) = lines(capsys)
    assert line.startswith("selfhint: method=grpo draws no hints")


def test_hydra_may_end_without_a_run(trained):
    trained.run = lambda task: None
    assert entry.main(["--help"]) == 0
    assert trained.trained == []


def test_of_several_runs_the_worst_code_counts(trained):
    def several(task):
        for ends in (lambda: None, fail(RunError("r")), fail(InputError("i")), lambda: None):
            trained.ends = ends
            task("config")

    trained.run = several
    assert entry.main(["-m"]) == 3


def fail(error):
    def raises():
        raise error

    return raises


class ComposeError(Exception):
    """As Hydra raises it: two lines to read and some that say where in the code."""


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            ComposeError("Could not override 'data.x'.\nTo append use +data.x=1\n    full_key: data.x\n\tobject_type"),
            "Could not override 'data.x'. To append use +data.x=1; correct",
        ),
        (ValueError(""), "ValueError; correct"),
    ],
)
def test_a_configuration_that_cannot_be_made_ends_in_one_line_and_code_2(trained, capsys, error, says):
    trained.run = lambda task: fail(error)()
    assert entry.main(["data.x=1"]) == 2
    (line,) = lines(capsys)
    assert line.startswith("selfhint: verl's configuration: ")
    assert says in line
    assert os.environ["HYDRA_FULL_ERROR"] == "1", "or Hydra would print and leave by itself"


def test_hydras_own_way_out_is_left_to_it(trained):
    trained.run = lambda task: sys.exit(2)
    with pytest.raises(SystemExit) as left:
        entry.main(["--nonsense"])
    assert left.value.code == 2


# How a run ends


class RemoteError(Exception):
    """As Ray raises what another process raised."""

    def __init__(self, cause):
        self.cause = cause
        super().__init__("ray::TaskRunner.run()\n  Traceback\n")


@pytest.mark.parametrize("wrap", [lambda e: e, RemoteError, lambda e: RemoteError(RemoteError(e))])
@pytest.mark.parametrize(("kind", "code"), [(InputError, 2), (RunError, 3)])
def test_an_error_of_ours_is_its_line_and_its_code(trained, capsys, wrap, kind, code):
    trained.ends = fail(wrap(kind("what,\n  where and the mend")))
    assert entry.main([]) == code
    assert lines(capsys) == ["selfhint: what, where and the mend"]


@pytest.mark.parametrize("wrap", [lambda e: e, RemoteError])
def test_any_other_error_is_told_in_full_and_once_more_in_one_line(trained, capsys, wrap):
    trained.ends = fail(wrap(OSError("no such model\nmore")))
    assert entry.main([]) == 3
    told = lines(capsys)
    assert told[0].startswith("Traceback")
    assert told[-1].startswith("selfhint: the run stopped (OSError: no such model; see above); mend the cause")
    assert "goes on from the last checkpoint" in told[-1]


def test_an_interrupt_is_no_failure_of_the_run(trained):
    trained.ends = fail(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        entry.main([])


def test_a_word_that_hydra_cannot_read_is_named(trained, capsys):
    error = ComposeError("no viable alternative at input '[1'\nSee the grammar")
    error.override = "data.x=[1"
    trained.run = lambda task: fail(error)()
    assert entry.main(["data.x=[1"]) == 2
    assert lines(capsys)[0].startswith(
        "selfhint: verl's configuration: data.x=[1: no viable alternative at input '[1' See"
    )
