"""What is read from the runs of a study, and the tables it goes to."""

from __future__ import annotations

import csv
import os

import pyarrow.parquet as pq
import pytest

from selfhint.core.errors import InputError
from selfhint.study.results import Equal, check_whole, read_result, rows_of_runs, rows_of_steps, write_table
from selfhint.study.statistics import Bounds
from support.runs import write_run


def test_equal_is_what_all_runs_reached(results):
    # Four tokens a group: 2 groups in each step without hints, 4 + 1 + 1 + 2 with the ladder.
    assert Equal.of(results) == Equal(step=4, tokens=32)
    grpo, ladder, *_ = rows_of_runs(results)
    assert (grpo["success_at_equal_step"], ladder["success_at_equal_step"]) == (0.25, 1.0)
    assert (ladder["tokens"], ladder["success_at_equal_tokens"]) == (32, 1.0)


def test_a_log_that_was_cut_is_no_shorter_run(results, study):
    log = study.runs[0].folder / "metrics.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    check_whole(study.runs[0])
    for left, last in ((lines[:2], 2), ([*lines[:3], lines[3][:-1]], 3), ([], 0)):
        log.write_bytes(b"".join(left))
        with pytest.raises(InputError, match=rf"metrics.jsonl: ends at step {last} of 4; restore the file, or remove"):
            check_whole(study.runs[0])
    log.unlink()
    with pytest.raises(InputError, match=r"metrics.jsonl: cannot be read"):
        check_whole(study.runs[0])


def test_one_row_a_run(results):
    rows = rows_of_runs(results)
    assert [(row["data"], row["method"], row["seed"]) for row in rows] == [
        ("hard", method, seed) for seed in (1, 2, 3) for method in ("grpo", "ladder")
    ]
    ladder = rows[1]
    assert (ladder["reached_mark"], ladder["step_to_mark"], ladder["tokens_to_mark"]) == (True, 4, 32)
    assert (ladder["visits"], ladder["hinted_level_1"], ladder["hinted_first_steps"]) == (5, 3, 3)
    assert (ladder["never_signal"], ladder["problems_seen"], ladder["seconds"]) == (0, 2, 4.0)
    assert rows[0]["never_signal"] == 1
    assert (rows[5]["reached_mark"], rows[5]["tokens_to_mark"]) == (False, None)


def test_a_run_that_never_passed_the_mark_is_censored_where_it_ended(results):
    assert results[1].tokens_to_mark == Bounds.seen(32)
    assert results[5].tokens_to_mark == Bounds.beyond(32)


def test_hints_for_problems_that_were_solved_lately_are_counted(results, study):
    # Problem 0: hinted, solved, solved, and then hinted although its last two groups without a hint had a success.
    assert (results[1].visits.solved_lately, results[1].visits.hinted_though_solved) == (1, 1)
    # Problem 1 without hints: solved lately from its third visit on.
    assert (results[0].visits.solved_lately, results[0].visits.hinted_though_solved) == (2, 0)


def test_one_row_a_step(results):
    rows = rows_of_steps(results)
    assert len(rows) == 6 * 4
    second = rows[5]
    assert (second["method"], second["seed"], second["step"]) == ("ladder", 1, 2)
    assert (second["tokens"], second["success"], second["reward"], second["hinted_level_1"]) == (20, 0.5, 0.75, 0)
    assert (second["length"], second["entropy"]) == (1.0, None)


def test_tables_are_parquet_and_csv_with_the_same_rows(results, tmp_path):
    rows = rows_of_runs(results)
    write_table(rows, tmp_path / "new" / "runs")
    assert pq.read_table(tmp_path / "new" / "runs.parquet").to_pylist() == rows
    with open(tmp_path / "new" / "runs.csv", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["method"] for row in read] == [row["method"] for row in rows]
    assert [row["tokens_to_mark"] for row in read] == ["", "32", "", "32", "", ""]
    assert sorted(os.listdir(tmp_path / "new")) == ["runs.csv", "runs.parquet"]


def test_a_table_that_cannot_be_written_leaves_nothing_behind(results, tmp_path):
    (tmp_path / "runs.csv").mkdir()
    with pytest.raises(InputError, match=r"runs\.csv: cannot be written"):
        write_table(rows_of_runs(results), tmp_path / "runs")
    assert not list(tmp_path.glob("*.partial"))


def test_a_run_without_measurements_has_no_success(study):
    run = study.runs[0]
    write_run(run.folder, [{0: ["0010"]}])
    (row,) = rows_of_runs([read_result(run)])
    assert row["success_final"] is row["success_at_equal_tokens"] is row["tokens_to_mark"] is None
