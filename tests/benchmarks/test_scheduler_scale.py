"""Every scheduler runs from its recipe words, and rows are read off runs as stated."""

from __future__ import annotations

import pytest
from scale_policy import Learner
from scale_run import Scale, make_problems, simulate
from scheduler_scale import ONE_VISIT, SCHEDULERS, averaged, grouped, measures, published, success_at, tokens_at

from selfhint.config import MethodSettings
from selfhint.engines.build import make_scheduler

SCALE = Scale(problems=40, batch=20, steps=10)
LEARNER = Learner(ability_mean=-2.0, shared_rate=0.1)
CURVE = [(0, 0.2), (10, 0.4), (30, 0.3), (40, 0.8)]


def run(name):
    scheduler = make_scheduler(MethodSettings(**SCHEDULERS[name]), seed=1, steps=SCALE.steps)
    return simulate(SCALE, LEARNER, scheduler, make_problems(SCALE.problems), seed=1)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_every_scheduler_runs(name):
    tally = run(name).tally
    assert tally.visits == 200
    assert (tally.hint_tokens > 0) == (name != "none")


def test_plain_grpo_against_itself():
    plain = run("none")
    row = measures(plain, plain, SCALE, plain.tally.tokens)
    assert row["tokens"] == row["completions"] == row["gain"] == row["whole_batch"] == 1
    assert row["tokens_to_plain"] == pytest.approx(1)
    assert row["success_equal_tokens"] == row["success"]
    assert row["hinted"] == row["hint_tokens"] == 0


@pytest.mark.parametrize(("tokens", "success"), [(0, 0.2), (5, 0.3), (10, 0.4), (35, 0.55), (40, 0.8)])
def test_success_between_the_points_of_a_curve(tokens, success):
    assert success_at(CURVE, tokens) == pytest.approx(success)


def test_no_success_behind_the_end_of_a_curve():
    with pytest.raises(ValueError, match="ends at 40"):
        success_at(CURVE, 41)


@pytest.mark.parametrize(("success", "tokens"), [(0.1, 0), (0.3, 5), (0.4, 10), (0.55, 35), (0.9, None)])
def test_the_first_tokens_at_which_a_curve_passes(success, tokens):
    assert tokens_at(CURVE, success) == (tokens if tokens is None else pytest.approx(tokens))


def test_seeds_become_means_with_an_interval_and_what_some_never_reached_is_no_number():
    rows = [
        {"case": "c", "model": "m", "scheduler": s, "seed": seed, "tokens": seed * k, "late": late}
        for s, k in (("one", 1.0), ("two", 2.0))
        for seed, late in ((1, 1.0), (2, 1.0), (3, 1.0), (4, None))
    ]
    one, two = (averaged(seeds) for seeds in grouped(rows, "case", "model", "scheduler").values())
    # mean 2.5, standard deviation sqrt(5 / 3), Student's t 3.182
    assert (one["scheduler"], one["tokens"], one["late"]) == ("one", "2.500 ± 2.054", "– in 1 of 4")
    assert (two["scheduler"], two["tokens"]) == ("two", "5.000 ± 4.108")
    assert averaged(rows[:1])["tokens"] == "1.000"


def test_sage_at_one_visit_is_compared_with_the_paper():
    row = {"model": "Llama-3.2-3B", "seed": 1, "never": 0.1, "never_without_hint": 0.3, "gain": 1.5}
    others = [{**row, "case": ONE_VISIT, "scheduler": "none"}, {**row, "case": "8 visits", "scheduler": "ladder"}]
    (compared,) = published([*others, {**row, "case": ONE_VISIT, "scheduler": "ladder"}])
    assert list(compared.values()) == ["Llama-3.2-3B", "0.569", "0.402", "0.300", "0.100", "0.300", "1.49", "1.500"]
