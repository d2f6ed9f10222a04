r"""`selfhint data audit` through the real verifier and a tiny model's tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import jsonl, listing
from selfhint.data.audit.lengths import PERCENTILES

LOCAL_DATA = Path(__file__).parents[3] / "shared" / "data"
GOOD = [
    {"problem": "What is 2 + 3?", "solution": "2 + 3 = 5, so \\boxed{5}.", "answer": "5"},
    {"problem": "Solve x^2 = 4.", "solution": "x is 2 or -2.", "answer": "2, -2"},
]
BAD = [
    *GOOD,
    {"problem": "What is 7 - 3?", "solution": "7 - 3\n#### 5", "answer": "4"},
    {"problem": "What is left?", "solution": "some text", "answer": "\\frac{1}{"},
]


def names(out: str) -> dict[str, list[int]]:
    return {found["name"]: [row["line"] for row in found["rows"]] for found in json.loads(out)["findings"]}


def test_good_data(selfhint_command, tmp_path):
    data = jsonl(tmp_path / "d.jsonl", GOOD)
    before = listing(tmp_path)
    outcome = selfhint_command("data", "audit", data)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{data}: 2 rows, 2 problems to train on\n")
    assert "1  row whose answer is several values: line 2" in outcome.out
    assert "add --model" in outcome.out
    assert listing(tmp_path) == before


def test_what_would_harm_a_run_is_exit_code_1(selfhint_command, tmp_path):
    outcome = selfhint_command("data", "audit", jsonl(tmp_path / "d.jsonl", BAD), "--json")
    assert outcome.code == 1
    assert names(outcome.out) == {
        "gold_unreadable": [4],
        "solution_disagrees": [3],
        "answer_absent": [4],
        "several_values": [2],
    }


def test_the_kind_of_answers_decides(selfhint_command, tmp_path):
    golds = ['{"answer": "B", "options": ["1, 2", "3"]}', '{"answer": "C", "options": ["1, 2", "3"]}']
    rows = [{"problem": f"Which {gold}?", "solution": "It is B.", "answer": gold} for gold in golds]
    data = jsonl(tmp_path / "d.jsonl", rows)
    found = names(selfhint_command("data", "audit", data, "verifier.kind=choice", "--json").out)
    assert found == {"gold_unreadable": [2]}


def test_answers_for_reasoning_gyms_verifiers(selfhint_command, tmp_path):
    entry = json.dumps({"question": "2 + 3 =", "answer": "5", "metadata": {"source_dataset": "basic_arithmetic"}})
    data = jsonl(tmp_path / "d.jsonl", [{"problem": "2 + 3 =", "answer": entry}])
    outcome = selfhint_command("data", "audit", data, "method=grpo", "--json")
    assert (outcome.code, names(outcome.out)) == (1, {"gold_of_another_kind": [1]})


def test_lengths_as_a_run_of_the_recipe_has_them(selfhint_command, recipe):
    outcome = selfhint_command("data", "audit", "--recipe", recipe, "hints.source=self", "--json")
    assert outcome.code == 0
    lengths = {one["what"]: one for one in json.loads(outcome.out)["lengths"]}
    assert list(lengths) == ["prompt", "solution", "hint request", "prompt, 80 % of solution"]
    assert [one["budget"] for one in lengths.values()] == [1000, 4, 2044, 1000]
    assert lengths["prompt"]["longest"] < lengths["prompt, 80 % of solution"]["longest"]
    assert all(one["problems"] == 4 for one in lengths.values())
    shown = selfhint_command("data", "audit", "--recipe", recipe).out
    assert [line for line in shown.splitlines() if all(f"{percent} %" in line for percent in PERCENTILES)]
    assert "hint request" not in shown, "a prefix is not asked for"


def test_a_prompt_over_the_budget(selfhint_command, recipe):
    outcome = selfhint_command("data", "audit", "--recipe", recipe, "max_prompt_tokens=5", "--json")
    assert outcome.code == 1
    assert names(outcome.out)["prompt_over_budget"] == [1, 2, 3, 4]


def test_without_hints_solutions_are_not_missed(selfhint_command, tmp_path):
    data = jsonl(tmp_path / "d.jsonl", [{"problem": "What is 2 + 3?", "answer": "5"}])
    assert selfhint_command("data", "audit", data, "--json").code == 1
    assert selfhint_command("data", "audit", data, "method=grpo", "--json").code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl: no such file"),
        ((), "--recipe"),
        (("lab:hard",), "lab:hard"),
        (("d.jsonl", "lr=1"), "changes nothing here"),
        (("d.jsonl", "model=x"), "--model"),
        (("d.jsonl", "verifier.kind=nonsense"), "nonsense"),
        (("d.jsonl", "--against", "none.jsonl"), "none.jsonl"),
    ],
)
def test_refused(refused, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    jsonl(tmp_path / "d.jsonl", GOOD)
    refused("data", "audit", *words, says=(says,))


@pytest.mark.skipif(not LOCAL_DATA.is_dir(), reason="no local data folder")
def test_known_traps(selfhint_command):
    """What is known of two files of benchmark problems."""
    minerva = names(selfhint_command("data", "audit", LOCAL_DATA / "minerva_math.jsonl", "--json").out)
    assert len(minerva["several_parts"]) == 69
    assert "gold_rejected" not in minerva
    choices = ("method=grpo", "verifier.kind=choice", "--json")
    mmlu = selfhint_command("data", "audit", LOCAL_DATA / "mmlu_pro_1400.jsonl", *choices)
    assert mmlu.code == 0
    assert len(names(mmlu.out)["duplicate"]) == 2
