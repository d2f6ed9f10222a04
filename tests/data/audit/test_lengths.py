from __future__ import annotations

from selfhint.data.audit.lengths import Measure, summary


def measure(budget: int | None) -> Measure:
    return Measure("prompt", "max_prompt_tokens", budget, "prompt_over_budget", lambda problem: len(problem.question))


def test_percentiles_are_the_nearest_ranks():
    lengths = summary(measure(90), [*range(100, 0, -1)])
    assert lengths.percentiles == {50: 50, 90: 90, 99: 99}
    assert (lengths.num, lengths.longest, lengths.num_over) == (100, 100, 10)


def test_of_few():
    lengths = summary(measure(None), [7, 3])
    assert lengths.percentiles == {50: 3, 90: 7, 99: 7}
    assert (lengths.longest, lengths.num_over) == (7, 0)


def test_of_none():
    assert summary(measure(5), []) is None
