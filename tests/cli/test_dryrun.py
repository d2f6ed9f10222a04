"""`selfhint train --dry-run` shows what a run would do and writes nothing."""

from __future__ import annotations

import os

import pytest

from cli.conftest import LAB, listing
from selfhint.config import load_recipe
from selfhint.config.yaml_text import read_yaml


def test_the_recipe_the_sizes_and_the_prompts(selfhint_command, recipe, tmp_path):
    before = listing(tmp_path)
    outcome = selfhint_command("train", recipe, "hints.source=self", "hints.format=text", "steps=7", "--dry-run")
    assert (outcome.code, outcome.err) == (0, "")
    assert listing(tmp_path) == before
    shown = outcome.out
    recipe_text = shown.partition("\n")[2].partition("Run ──")[0]
    assert read_yaml(recipe_text, "shown") == load_recipe(
        recipe, ["hints.source=self", "hints.format=text", "steps=7"]
    ).model_dump(mode="json")
    assert "4 problems from 4 rows" in shown
    assert "7 steps of 2 problems x 2 completions; updates in a step: 1; micro-batches of 4 completions" in shown
    for title in ("Solver: ", "Solver with a hint", "Request for a hint of level 1", "Request for a hint of level 2"):
        assert title in shown
    assert "Request for a hint of level 3" not in shown, "at full strength nothing is asked"
    assert shown.count("Here is a hint to help you:") == 1
    assert shown.count("[user] Solve the following problem step by step.") == 2


def test_one_request_for_all_levels(selfhint_command, recipe):
    shown = selfhint_command("train", recipe, "hints.source=self", "hints.format=json", "--dry-run").out
    assert shown.count("Request for a hint") == 1


def test_without_hints_only_the_solver_is_shown(selfhint_command, recipe):
    assert "draws no hints" in selfhint_command("train", recipe, "method=grpo", "hints.source=self", "--dry-run").out
    shown = selfhint_command("train", recipe, "method=grpo", "hints.source=none", "--dry-run").out
    assert "draws no hints" not in shown
    assert "Solver: " in shown
    assert "hint" not in shown.partition("Solver: ")[2].casefold()


def test_a_base_model(selfhint_command, recipe, base_model):
    shown = selfhint_command("train", recipe, f"model={base_model}", "--dry-run").out
    assert "[user]" not in shown


def test_the_lab_needs_no_warm_policy(selfhint_command, tmp_path, monkeypatch):
    monkeypatch.setenv("SELFHINT_CACHE", str(tmp_path / "cache"))
    outcome = selfhint_command("train", *LAB, f"out={tmp_path / 'run'}", "--dry-run")
    assert outcome.code == 0
    assert "Solver: 5 tokens" in outcome.out, "<Pab|"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("word", ["batch_problems=99", "trl.nope=1", "model=/none", "max_prompt_tokens=5"])
def test_what_a_run_refuses_is_refused(refused, recipe, word):
    refused("train", recipe, word, "--dry-run", says=())
