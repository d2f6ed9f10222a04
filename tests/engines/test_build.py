"""Each method's settings give its scheduler and its hint source."""

from __future__ import annotations

import pytest

from selfhint.config import MethodSettings, VerlSettings
from selfhint.core.ledger import Ledger
from selfhint.core.plan import Plan
from selfhint.engines.build import make_hints, make_scheduler
from selfhint.hints import FORMATS, HINT_SOURCES, NoHintSource, SelfHints
from selfhint.schedulers import SCHEDULERS, EpochLevels, Fixed, Gate, Ladder, NoHints, Window

METHODS = {
    "grpo": (NoHints, NoHintSource),
    "sage": (Ladder, SelfHints),
    "sage-light": (EpochLevels, SelfHints),
    "sage-light-paper": (EpochLevels, SelfHints),
    "window": (Window, SelfHints),
    "gate": (Gate, SelfHints),
}


def settings(**values):
    return MethodSettings.model_validate(values)


def scheduler_of(made):
    return make_scheduler(made, seed=3, steps=10)


@pytest.mark.parametrize("kind", [MethodSettings, VerlSettings])
@pytest.mark.parametrize("method", METHODS)
def test_the_methods_pieces(method, kind):
    made = kind.model_validate({"method": method})
    scheduler, hints = METHODS[method]
    assert type(scheduler_of(made)) is scheduler
    assert type(make_hints(made)) is hints


def test_the_rules_of_the_epoch_scheduler_differ():
    rules = {method: scheduler_of(settings(method=method)).rule for method in ("sage-light", "sage-light-paper")}
    assert rules == {"sage-light": "thresholds", "sage-light-paper": "paper"}


def test_a_fixed_level_reaches_its_scheduler():
    scheduler = scheduler_of(settings(method="fixed", scheduler={"level": 2}))
    assert type(scheduler) is Fixed
    assert scheduler.plans(Ledger(), [("k", 0)]) == [Plan((2,))]


@pytest.mark.parametrize("name", ["ladder", "epoch", "none"])
def test_the_groups_override_the_methods_scheduler(name):
    made = settings(method="sage", scheduler={"name": name})
    assert type(scheduler_of(made)) is SCHEDULERS[name]
    assert type(make_hints(made)) is (NoHintSource if name == "none" else SelfHints)


@pytest.mark.parametrize("source", ["self", "teacher", "given", "offline", "prefix"])
@pytest.mark.parametrize("leaks", ["refuse", "count"])
def test_every_source_hears_whether_leaks_are_refused(source, leaks):
    teacher = {"teacher": {"model": "m", "base_url": "http://here/v1"}} if source == "teacher" else {}
    made = make_hints(settings(hints={"source": source, "leaks": leaks}, **teacher))
    assert made.count_leaks is (leaks == "count")


def test_another_hint_source():
    assert type(make_hints(settings(hints={"source": "prefix"}))) is HINT_SOURCES["prefix"]


@pytest.mark.parametrize("name", ["json", "text"])
def test_the_format_and_tries_of_self_hints(name):
    source = make_hints(settings(hints={"source": "self", "format": name, "tries": 5}))
    assert isinstance(source.format, type(FORMATS[name]()))
    assert source.tries == 5


def test_an_engine_may_bring_its_own_format():
    mine = FORMATS["text"]()
    assert make_hints(settings(), mine).format is mine
