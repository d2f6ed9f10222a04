"""The TRL engine draws what a driver that knows no engine draws; tests/verl asks the same of the verl engine."""

from __future__ import annotations

import itertools

import pytest

from support.riddle_visits import expected, without_epoch
from support.seeded_trainer import trained


@pytest.mark.parametrize(("method", "levels"), [("sage", {0, 1, 2, 3}), ("sage-light", {0, 1})])
def test_groups_levels_and_hints(method, levels, tmp_path):
    lines = trained(tmp_path, method, steps=4)
    steps = [[line["key"] for line in step] for _, step in itertools.groupby(lines, key=lambda line: line["step"])]
    assert [without_epoch(line) for line in lines] == expected(steps, method)[0]
    assert {line["level"] for line in lines} >= levels
