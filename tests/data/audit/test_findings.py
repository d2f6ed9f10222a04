from __future__ import annotations

import pytest

from selfhint.data.audit.findings import HARMS, KINDS, WORTH_KNOWING, Findings
from selfhint.data.audit.pictures import PROBLEM_CHECKS
from selfhint.data.audit.text import TEXT_CHECKS
from selfhint.data.rows import Place


def test_every_check_has_its_kind_and_the_gravest_come_first():
    assert {*TEXT_CHECKS, *PROBLEM_CHECKS} <= set(KINDS)
    severities = [kind.severity for kind in KINDS.values()]
    assert severities == [HARMS] * severities.count(HARMS) + [WORTH_KNOWING] * severities.count(WORTH_KNOWING)


def test_rows_are_counted_by_kind_and_words():
    findings = Findings()
    findings.add("duplicate", Place("f", "line", 9), "see f, line 1")
    findings.add("left_out", Place("f", "line", 3), what="without answer")
    findings.add("left_out", Place("f", "line", 2), what="without problem")
    findings.add("left_out", Place("f", "line", 5), what="without answer")
    found = [(finding.what, [f.place.number for f in finding.found]) for finding in findings.sorted()]
    assert found == [("without answer", [3, 5]), ("without problem", [2]), (KINDS["duplicate"].what, [9])]
    with pytest.raises(KeyError):
        findings.add("nonsense", Place("f", "line", 1))
