from __future__ import annotations

from selfhint.core.problem import Problem
from selfhint.data.audit.findings import Findings
from selfhint.data.audit.repeats import Repeats
from selfhint.data.overlap.near import Compared
from selfhint.data.rows import Place


def test_repetitions():
    findings = Findings()
    repeats = Repeats(findings)
    rows = [
        ("What is $7-3$?", "4"),  # 1
        (" What is $7-3$?", "4 "),  # 2: merged
        ("What is $7-3$?", "5"),  # 3: stops loading
        ("What is  7 - 3?", "4"),  # 4: the same, spelled differently
        ("what is 7 - 3 ?", "9"),  # 5
        ("What is $7-4$?", "4"),  # 6: another problem
    ]
    kept = [
        repeats.add(
            Place("f", "line", number),
            Problem(question, None, answer, ""),
            Compared.of(question, answer),
            is_usable=True,
        )
        for number, (question, answer) in enumerate(rows, start=1)
    ]
    assert kept == [True, False, False, True, True, True]
    found = {finding.name: [(f.place.number, f.detail) for f in finding.found] for finding in findings.sorted()}
    assert found == {
        "two_answers": [(3, "see f, line 1")],
        "duplicate": [(2, "see f, line 1")],
        "reads_same": [(4, "see f, line 1")],
        "reads_same_other_answer": [(5, "see f, line 1")],
    }


def test_a_row_that_is_not_used_anyway_is_no_earlier_one():
    findings = Findings()
    repeats = Repeats(findings)
    rows = [("What is 7 - 3?", "4", False), ("What is 7 - 3?", "4", True), ("What is 7 - 3?", "5", False)]
    kept = [
        repeats.add(
            Place("f", "line", number),
            Problem(question, None, answer, ""),
            Compared.of(question, answer),
            is_usable=is_usable,
        )
        for number, (question, answer, is_usable) in enumerate(rows, start=1)
    ]
    assert kept == [False, True, False]
    assert [(finding.name, finding.found[0].place.number) for finding in findings.sorted()] == [("two_answers", 3)]
