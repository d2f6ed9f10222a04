"""Two processes with groups straddling ranks compute what one process computes."""

from __future__ import annotations

import pytest

from selfhint.runlog import read_lines
from support import processes

# Groups of 3 and 4 problems a step: 12 rows, 6 a rank, so the first rank ends inside the third group.
STRADDLING = {"updates": 4, "group_size": 3, "problems_a_step": 4, "problems": 8}
SPECS = {
    "straddling": ({**STRADDLING, "problems_a_step": 6, "problems": 12}, 2),
    "padded": (STRADDLING, 2),
    "three-ranks-padded": ({"updates": 3, "group_size": 4, "problems_a_step": 6, "problems": 12}, 3),
}


@pytest.mark.parametrize("name", ["straddling", "padded", pytest.param("three-ranks-padded", marks=pytest.mark.slow)])
def test_several_ranks_equal_one(tmp_path, name):
    spec, ranks = SPECS[name]
    for count in (1, ranks):
        processes.run(tmp_path / str(count), spec, count)
    one, several = tmp_path / "1", tmp_path / str(ranks)

    logs_one, logs_several = processes.logs(one), processes.logs(several)
    assert logs_several["groups.jsonl"] == logs_one["groups.jsonl"]
    assert logs_several["hints.jsonl"] == logs_one["hints.jsonl"]
    alone = processes.result(one)
    assert any(line["level"] > 0 for line in logs_one["groups.jsonl"])
    for rank in range(ranks):
        shared = processes.result(several, rank)
        assert shared["advantages"] == alone["advantages"]
        assert shared["ledger"] == alone["ledger"]
        assert shared["gradient"] == pytest.approx(alone["gradient"], abs=1e-6)
    assert max(abs(g) for g in alone["gradient"]) > 1e-4

    # Every completion is drawn once and scored once; padding is what an equal share needs, and counted apart.
    metrics = list(read_lines(several / "metrics.jsonl"))
    group_size, lines = spec["group_size"], logs_one["groups.jsonl"]
    wanted = group_size * sum(len(line["drawn"]) for line in lines)
    padding = sum(line["completions/padding"] for line in metrics)
    scored = sum(processes.result(several, rank)["num_scored"] for rank in range(ranks))
    drawn = sum(processes.result(several, rank)["num_drawn"] for rank in range(ranks))
    drawn_to_solve = sum(processes.result(several, rank)["num_drawn_to_solve"] for rank in range(ranks))
    hints = alone["num_drawn"] - alone["num_drawn_to_solve"]  # some hints are recorded without a request
    assert alone["num_scored"] == alone["num_drawn_to_solve"] == wanted
    assert drawn == wanted + hints + padding
    assert scored == drawn_to_solve
    if name != "straddling":
        assert padding > 0
