"""The command: a table for a good fleet, one line for a bad one."""

from __future__ import annotations

import re
import sys

import pytest
import rollout_load


def run(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["rollout_load.py", "--problems", "12", "--group", "4", "--seeds", "2", *words])
    rollout_load.main()


def test_the_sizing_table(monkeypatch, capsys):
    run(monkeypatch, "--failing", "0.5", "--replicas", "3", "--slots", "4")
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert "12 problems x 4 completions, 50% failing, 12 slots, mean of 2 seeds" in head
    seconds, times, completions, use = zip(*(map(float, re.findall(r"[\d.]+", line)) for line in lines), strict=True)
    assert [line[:20].strip() for line in lines] == ["plain GRPO", "SAGE, barriers", "SAGE, a ladder each"]
    assert seconds[0] < seconds[2] <= seconds[1]
    assert times == pytest.approx([s / seconds[0] for s in seconds], abs=0.01)
    assert completions[0] == 48
    assert completions[1] == completions[2] > 48 + 4 * 6
    assert all(0 < u <= 100 for u in use)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--slots", "0"], "0 slots"),
        (["--failing", "2"], "failing is 2.0"),
        (["--seeds", "0"], "--seeds is 0"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(monkeypatch, capsys, words, named):
    with pytest.raises(SystemExit) as exit:
        run(monkeypatch, *words)
    assert exit.value.code == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1


def test_the_grid_is_written_as_the_documents_need_it(monkeypatch, tmp_path, capsys):
    small = rollout_load.Load(problems=10, group_size=2)
    monkeypatch.setattr(rollout_load, "RESULTS", tmp_path / "rollout_load.json")
    monkeypatch.setattr(rollout_load, "GRID_SEEDS", range(2))
    monkeypatch.setattr(rollout_load, "LENGTHS", {"default": small})
    monkeypatch.setattr(rollout_load, "VARIANTS", {"default": (small, rollout_load.JsonFormat())})
    rollout_load.grid()
    written = rollout_load.json.loads(rollout_load.RESULTS.read_text())
    assert [(r["failing"], r["fleet"]) for r in written["rows"]] == [
        (failing, fleet) for failing in rollout_load.FAILING for fleet in rollout_load.FLEETS
    ]
    assert [r["slots"] for r in written["rows"][:5]] == [20, 10, 5, 2, 1]
    assert all(r["ratio_least"] <= r["ratio"] <= r["ratio_most"] for r in written["rows"] + written["sensitivity"])
    assert capsys.readouterr().out.count("\n| default") == len(written["rows"]) + len(written["sensitivity"])
