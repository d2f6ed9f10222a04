"""Data of other kinds than a file of problems, in training and in a diagnosis."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import selfhint.engines.local
from cli.conftest import steps_logged
from selfhint.core.levels import NUM_LEVELS
from selfhint.data import write_trl, write_verl
from selfhint.lab.task import true_hint
from selfhint.runlog import GROUPS, read_lines
from support import tiny
from support.looking import scripted_engine

PROBLEMS = tuple(
    replace(problem, hints={level: (true_hint(problem, level),) for level in range(1, NUM_LEVELS + 1)})
    for problem in tiny.TASK.problems("hard", num_train=4, num_held_out=0).train
)
CASES = {
    "trl": (write_trl, "hints", "4 problems from 4 rows. Asked in their own chat messages: 4 problems."),
    "verl": (
        lambda problems, path: write_verl(problems, path, data_source="lab"),
        "extra_info.hints",
        "4 problems from 4 rows. Read as verl's rows: problem = extra_info.problem, solution = extra_info.solution, "
        "answer = reward_model.ground_truth. Asked in their own chat messages: 4 problems.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_lab_through_files_made_for_trainers(name, selfhint_command, recipe, tmp_path):
    write, hints, says = CASES[name]
    write(PROBLEMS, tmp_path / "lab.parquet")
    model, tokenizer = tiny.policy()
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "model")
    outcome = selfhint_command(
        *("train", recipe, f"data={tmp_path / 'lab.parquet'}", f"model={tmp_path / 'model'}", "max_prompt_tokens=20"),
        *("hints.source=given", "hints.block='|{hint}'", f"columns.hints={hints}"),
    )
    assert outcome.code == 0, outcome.err
    assert says in outcome.out
    assert steps_logged(tmp_path / "run") == [1, 2]
    groups = list(read_lines(tmp_path / "run" / GROUPS))
    assert {group["key"] for group in groups} == {problem.key for problem in PROBLEMS}
    assert all(group["level"] == NUM_LEVELS for group in groups), "an untrained policy fails, so all hints were tried"


# reasoning-gym

GENERATED = "reasoning_gym:gsm_symbolic,size=6"


@pytest.fixture
def _reasoning_gym():
    pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")


@pytest.mark.usefixtures("_reasoning_gym")
def test_a_dry_run_of_a_generated_task(selfhint_command, refused, recipe):
    words = ("train", recipe, "verifier.kind=reasoning_gym", "--dry-run")
    outcome = selfhint_command(*words, f"data={GENERATED}")
    assert outcome.code == 0, outcome.err
    assert f"{GENERATED}: 6 problems from 6 rows" in outcome.out
    assert "Solver with a hint" in outcome.out
    refused(*words, "data=reasoning_gym:chain_sum", says=("no worked solution", "method=grpo"))
    refused(*words, f"data={GENERATED}", "verifier.kind=math", says=("set verifier.kind to reasoning_gym",))


@pytest.mark.usefixtures("_reasoning_gym")
def test_a_diagnosis_of_a_generated_task(selfhint_command, chat_model, monkeypatch, tmp_path):
    golds = []

    def is_correct(problem, text):
        golds.append(json.loads(problem.answer)["metadata"]["source_dataset"])
        return False

    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(lambda prompt, seed: "mud", is_correct))
    out = tmp_path / "out.json"
    outcome = selfhint_command(
        *("diagnose", GENERATED, "--model", chat_model, "--num", "3", "--group", "2", "--max-tokens", "4"),
        *("hints.source=prefix", "hints.max_tokens=4", "max_prompt_tokens=1500", "--out", out),
    )
    assert outcome.code == 0, outcome.err
    assert set(golds) == {"gsm_symbolic"}
    assert json.loads(out.read_text())["settings"]["verifier.kind"] == "reasoning_gym"
