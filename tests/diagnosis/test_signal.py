from __future__ import annotations

from diagnosis.looks import look
from selfhint.diagnosis import Estimate, share_of, signal_of, wilson
from selfhint.diagnosis.signal import ProblemCounts


def test_shares_and_counts():
    looks = [
        look("a", {0: "0000", 1: "1111"}),
        look("b", {0: "0011"}),
        look("c", {0: "1111"}),
        look("d", {0: "001?"}),
        look("a", {0: "0001"}, round=1),
    ]
    signal = signal_of(looks)
    assert (signal.num_problems, signal.num_groups, signal.num_unscored) == (3, 4, 1)
    assert signal.all_wrong == share_of(1, 4, 3)
    assert signal.mixed == share_of(2, 4, 3)
    assert signal.all_correct == share_of(1, 4, 3)
    assert signal.unscored == share_of(1, 5, 4)
    assert signal.problems[0] == ProblemCounts("a", 1, 8, *wilson(1 / 8, 8))
    assert [(p.key, p.correct, p.drawn) for p in signal.problems] == [("a", 1, 8), ("b", 2, 4), ("c", 4, 4)]


def test_nothing_judged():
    signal = signal_of([look("a", {0: "?0"})])
    assert (signal.num_problems, signal.all_wrong, signal.unscored.value) == (0, Estimate(None), 1.0)
