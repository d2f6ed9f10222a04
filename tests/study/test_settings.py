"""What the page says of the runs' recipes."""

from __future__ import annotations

from selfhint.report.quantities import DASH
from selfhint.study.compare import by_data
from selfhint.study.results import read_result
from selfhint.study.settings import USUAL, settings
from selfhint.study.spec import load_study
from support.runs import write_run

SPEC = """\
methods:
  grpo: {method: grpo, steps: 8}
  ladder: {method: sage}
  light: {method: sage, hint_weight: {kappa: 0.5, decay: 0.9}, lr: 0.00001}
data:
  hard: {data: "lab:hard"}
seeds: 1-2
baseline: grpo
steps: 4
"""


def test_usual_keys_and_those_in_which_methods_differ(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(SPEC)
    study = load_study(path, tmp_path / "out")
    for run in study.runs:
        write_run(run.folder, [{0: ["01"]}] * run.recipe.steps)
    (data,) = by_data([read_result(run) for run in study.runs], list(study.spec.methods), "grpo")
    rows = {row.label: row.values for row in settings(data)}
    assert list(rows)[: len(USUAL)] == list(USUAL)
    assert rows["method"] == ("grpo", "sage", "sage")
    assert rows["steps"] == ("8", "4", "4")
    assert rows["group_size"] == ("8", "8", "8")
    assert rows["lr"] == ("0.0005", "0.0005", "1e-05")
    assert rows["hint_weight.kappa"] == (DASH, DASH, "0.5")
    assert not {"seed", "out", "trl.beta"} & rows.keys()
