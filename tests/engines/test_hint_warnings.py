"""Each cause is told once; all with counts at the end."""

from __future__ import annotations

import pytest

from selfhint.core.group import Hint
from selfhint.engines.hint_warnings import BEFORE_ASKING, IN_VAIN, MENDS, HintWarnings
from selfhint.hints import REASONS, SOURCE_REASONS
from support.episodes import problems
from support.visits import group, visit

PROBLEM = problems(1)[0]


def wanting(*outcomes, flagged=None):
    """A visit that failed and wanted hints: one of each reason, or for None an accepted one, which was drawn with."""
    hints = tuple(Hint(str(i), "k", 1, "t", "self", reason, flagged=flagged) for i, reason in enumerate(outcomes))
    hinted = [group(1, "00", hint=hint) for hint in hints if hint.refused is None]
    return visit(PROBLEM, group(0, "00"), *hinted, hints=hints)


@pytest.fixture
def told(caplog):
    return lambda: [record.getMessage() for record in caplog.records if record.name.startswith("selfhint")]


def test_reasons_are_known():
    assert {*BEFORE_ASKING, *MENDS} <= {*REASONS, *SOURCE_REASONS}


def test_a_policy_that_never_writes_a_usable_hint_is_told_once_with_counts(told):
    warnings = HintWarnings(is_main=True)
    garbage = [wanting("unparsable", "unparsable", "answer")]
    warnings.take(garbage * (IN_VAIN - 1), 1)
    warnings.take([visit(PROBLEM, group(0, "11"))], 2)
    assert told() == []
    for step in range(3, 6):
        warnings.take(garbage * IN_VAIN, step)
    (line,) = told()
    assert line.startswith("step 3: no hint could be used in the last 16 visits that wanted one (32 unparsable, 16 ans")
    assert REASONS["unparsable"] in line
    assert "hints.format=text" in line


def test_a_usable_hint_starts_the_count_again(told):
    warnings = HintWarnings(is_main=True)
    for step in range(3):
        warnings.take([*[wanting("answer")] * (IN_VAIN - 1), wanting("answer", None)], step)
    assert told() == []


def test_a_hint_of_a_level_that_was_not_drawn_is_not_used(told):
    """One JSON answer serves three levels: the plan wants the third, which is always refused."""
    hints = (
        Hint("a", "k", 1, "t", "self", flagged="answer"),
        Hint("b", "k", 2, "t", "self"),
        Hint("c", "k", 3, "t", "self", "answer"),
    )
    unused = visit(PROBLEM, group(0, "00"), scheduled=3, missing=(3,), hints=hints)
    assert (unused.used, unused.flagged) == ([], {})
    warnings = HintWarnings(is_main=True)
    warnings.take([unused] * IN_VAIN, 1)
    warnings.summarise()
    first, last = told()
    assert first.startswith(f"step 1: no hint could be used in the last {IN_VAIN} visits")
    assert last == f"hints of this run: 0 used; refused or missing: {IN_VAIN} answer"


def test_another_cause_is_told_too(told):
    warnings = HintWarnings(is_main=True)
    warnings.take([wanting("unparsable")] * IN_VAIN, 1)
    warnings.take([wanting(None)], 2)
    warnings.take([wanting("teacher_unreachable")] * IN_VAIN, 3)
    assert [line.split(";")[1].split(":")[0].strip() for line in told()] == ["unparsable", "teacher_unreachable"]


def test_what_lies_in_the_data_is_told_when_first_met(told):
    warnings = HintWarnings(is_main=True)
    for step in (1, 2):
        warnings.take([wanting("request_over_budget"), wanting("request_over_budget", None)], step)
    (line,) = told()
    assert line.startswith("step 1: 2 hints could not be asked for; request_over_budget: ")


def test_the_summary_says_what_became_of_all_hints(told):
    warnings = HintWarnings(is_main=True)
    warnings.summarise()
    warnings.take([wanting(None)], 1)
    warnings.summarise()
    assert told() == []
    warnings.take([wanting("answer", "empty", "answer"), wanting(None, flagged="answer")], 2)
    warnings.summarise()
    assert told() == ["hints of this run: 2 used, of these flagged: 1 answer; refused or missing: 2 answer, 1 empty"]


def test_counts_and_what_was_told_go_on_after_a_checkpoint(told):
    before, resumed = HintWarnings(is_main=True), HintWarnings(is_main=True)
    before.take([wanting("request_over_budget")] * (IN_VAIN - 1), 1)
    resumed.load_state_dict(before.state_dict())
    resumed.take([wanting("answer"), wanting("request_over_budget")] * IN_VAIN, 2)
    assert len(told()) == 1
    resumed.summarise()
    assert told()[-1].endswith(f"refused or missing: {2 * IN_VAIN - 1} request_over_budget, {IN_VAIN} answer")


def test_other_processes_are_silent(told):
    warnings = HintWarnings(is_main=False)
    warnings.take([wanting("unparsable")] * IN_VAIN, 1)
    warnings.summarise()
    assert told() == []
    assert warnings.state_dict()["refused"] == {"unparsable": IN_VAIN}
