"""Methods beside each other: the rows that a person reads, and the pairs that a program reads."""

from __future__ import annotations

import math
import shutil

import pytest

from selfhint.study.compare import by_data, headline, matrix, pair_rows, quantities
from selfhint.study.results import read_result
from support.runs import write_run


@pytest.fixture
def data(results):
    (found,) = by_data(results, ["grpo", "ladder"], "grpo")
    return found


def rows(quantities):
    return {quantity.label: list(quantity.values) for quantity in quantities}


def test_rows(data):
    shown = rows(quantities(data))
    assert shown["runs"] == ["3", "3"]
    assert shown["held-out success at step 4"] == ["0.250 [0.250, 0.250]", "0.750 [0.000, 1.000]"]
    assert shown["success at step 4 less that of grpo"] == ["–", "+0.500 [-0.576, +1.576]"]
    assert shown["runs that reached 0.95"] == ["0 of 3", "2 of 3"]
    assert shown["million tokens until 0.95, median"] == ["> 3.20e-05", "3.20e-05"]
    assert shown["the same relative to grpo, median"] == ["–", "< 1.00"]
    assert shown["tokens a step, relative to grpo"] == ["–", "1.00 [1.00, 1.00]"]
    assert shown["time a step, relative to grpo"] == ["–", "2.00 [2.00, 2.00]"]
    assert shown["% of problems without a signal until step 4"] == ["50.0 [50.0, 50.0]", "0.0 [0.0, 0.0]"]
    assert shown["% never solved until step 4, even with hints"] == ["50.0 [50.0, 50.0]", "0.0 [0.0, 0.0]"]
    assert shown["% never solved without a hint until step 4"] == ["50.0 [50.0, 50.0]", "50.0 [50.0, 50.0]"]
    assert shown["% of visits to problems solved lately that were hinted"][1] == "100.0 [100.0, 100.0]"
    assert set(rows(headline(data))) < set(shown)


def test_a_longer_run_is_compared_over_the_steps_that_the_others_have(study, results):
    longer = next(run for run in study.runs if run.label == "hard/grpo/2")
    shutil.rmtree(longer.folder)
    write_run(longer.folder, [{0: ["0000"], 1: ["0001"]}] * 4 + [{0: ["0111"]}] * 4, seconds=0.5, token=1)
    others = [one for one in results if one.run.label != longer.label]
    (found,) = by_data([*others, read_result(longer)], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert shown["% of problems without a signal until step 4"] == ["50.0 [50.0, 50.0]", "0.0 [0.0, 0.0]"]
    assert shown["tokens a step, relative to grpo"] == ["–", "1.00 [1.00, 1.00]"]


def test_runs_without_a_value_are_counted(study, results):
    """A dear run has no measurement by the tokens that all runs reached."""
    dear = next(run for run in study.runs if run.label == "hard/ladder/2")
    shutil.rmtree(dear.folder)
    write_run(dear.folder, [{0: ["0111"]}] * 4, held_out={4: 0.9}, token=4)
    others = [one for one in results if one.run.label != dear.label]
    (found,) = by_data([*others, read_result(dear)], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert found.equal.tokens == 32
    assert shown["held-out success by 32 tokens"][1].endswith("] (2 of 3)")
    assert shown["success by 32 tokens less that of grpo"][1].endswith("] (2 of 3)")
    assert "of" not in shown["held-out success at step 4"][1]


def test_what_no_run_tried_is_no_failure(study):
    run = study.runs[1]
    write_run(run.folder, [{0: [None, "0010"]}])
    (found,) = by_data([read_result(run)], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert shown["% never solved without a hint until step 1"] == ["–"]
    assert shown["% never solved until step 1, even with hints"] == ["0.0"]


def test_the_matrix_has_each_pair_both_ways(data):
    assert rows(matrix(data)) == {"grpo": ["–", "> 1.00"], "ladder": ["< 1.00", "–"]}


def test_pairs_as_numbers(data):
    found = {(row["method"], row["quantity"]): row for row in pair_rows(data)}
    assert len(found) == 2 * 5
    difference = found["ladder", "success_at_equal_step, difference"]
    assert (difference["relative_to"], difference["seeds"], difference["value_from"]) == ("grpo", 3, 0.5)
    ratio = found["grpo", "tokens_to_mark, median ratio"]
    assert (ratio["value_from"], ratio["value_to"], ratio["low"], ratio["seeds"]) == (1.0, math.inf, None, 3)


def test_a_seed_that_failed_is_left_out_of_pairs_only(results):
    (found,) = by_data(results[1:], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert shown["runs"] == ["2", "3"]
    assert shown["success at step 4 less that of grpo"][1].startswith("+0.375 ")


def test_without_the_baseline_nothing_is_relative(results):
    (found,) = by_data([one for one in results if one.run.method == "ladder"], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert shown["success at step 4 less that of grpo"] == ["–"]
    assert shown["the same relative to grpo, median"] == ["–"]


def test_runs_that_were_not_measured_are_no_runs_that_never_arrived(study):
    run = study.runs[0]
    write_run(run.folder, [{0: ["0010"]}])
    (found,) = by_data([read_result(run)], ["grpo", "ladder"], "grpo")
    shown = rows(quantities(found))
    assert shown["runs that reached 0.95"] == shown["million tokens until 0.95, median"] == ["–"]
    assert shown["held-out success at step 1"] == ["–"]
