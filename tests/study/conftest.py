"""A study with chosen outcomes, and its specification on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from selfhint.study.results import read_result
from selfhint.study.spec import load_study
from support.runs import write_run

SPEC = """\
methods:
  grpo: {method: grpo}
  ladder: {method: sage}
data:
  hard: {data: "lab:hard"}
seeds: 1-3
baseline: grpo
steps: 4
"""
OUTCOMES = {
    "grpo": ([{0: ["0000"], 1: ["0001"]}] * 4, {2: 0.0, 4: 0.25}),
    "ladder": (
        [{0: ["0000", "0010"], 1: ["0000", "0110"]}, {0: ["0111"]}, {0: ["0011"]}, {0: ["0000", "0111"]}],
        {2: 0.5, 4: 1.0},
    ),
}


@pytest.fixture
def spec_file(tmp_path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(SPEC)
    return path


@pytest.fixture
def study(spec_file, tmp_path):
    return load_study(spec_file, tmp_path / "out")


@pytest.fixture
def results(study):
    """Three seeds that differ in nothing but that seed 3 of the ladder never gets anywhere."""
    for run in study.runs:
        steps, held_out = OUTCOMES[run.method]
        if run.label == "hard/ladder/3":
            held_out = {2: 0.0, 4: 0.25}
        write_run(run.folder, steps, held_out=held_out, seconds=0.5 if run.method == "grpo" else 1.0)
    return [read_result(run) for run in study.runs]
