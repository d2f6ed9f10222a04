from __future__ import annotations

import json
import os
import signal

import pytest

from cli.conftest import jsonl, listing

ROWS = [
    {"question": "What is 12 * 12?", "solution": "It is \\boxed{144}.", "answer": "144", "id": 1},
    {
        "question": "Ann has 3 boxes of 4 pears. How many pears?",
        "solution": "3*4 = 12\n#### 12",
        "answer": "12.0",
        "id": 2,
    },
    {"question": "What is 7 - 8?", "solution": "It is \\boxed{1}.", "answer": "-1", "id": 3},
    {
        "question": "Name a number that is larger than " + "9" * 60,
        "solution": "For example 10 to the power of 99, that is $10^{99}$ or, as here, \\boxed{1e99}",
        "answer": "1e99",
        "id": 4,
    },
]


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def source(tmp_path):
    return jsonl(tmp_path / "source.jsonl", ROWS)


def test_rows_are_verified_counted_and_reported(selfhint_command, source, chat_model, tmp_path):
    bench = jsonl(tmp_path / "bench.jsonl", [{"problem": "what is 12*12"}])
    other = jsonl(tmp_path / "other.jsonl", [{"problem": "How far is the moon?"}])
    words = ("data", "prepare", source, tmp_path / "out", "columns.problem=question", "--against", bench)
    words += ("--against", other, "--model", chat_model, "--max-prompt-tokens", "160")
    outcome = selfhint_command(*words)
    assert outcome.code == 0, outcome.err
    assert [row["problem"] for row in lines(tmp_path / "out" / "train.jsonl")] == [ROWS[1]["question"]]
    assert [(row["row"], row["reason"]) for row in lines(tmp_path / "out" / "left_out.jsonl")] == [
        ("line 1", f"of a benchmark, {bench}: the same text"),
        ("line 3", "whose solution does not end in the answer: mismatch"),
        ("line 4", "with a prompt over the token budget"),
    ]
    for said in ("1 of 4 rows stay", "mismatch (line 3)", "Columns not in the result: id", "train.jsonl: 1 row\n"):
        assert said in outcome.out
    assert f"  0 of a benchmark, {other} (problems compared with: 1)\n" in outcome.out
    before = listing(tmp_path)
    assert "All is there already" in selfhint_command(*words).out
    assert listing(tmp_path) == before


def test_the_manifest_names_everything_that_decides(selfhint_command, source, chat_model, tmp_path):
    words = ("data", "prepare", source, tmp_path / "out", "columns.problem=question", "verifier.kind=numeric")
    selfhint_command(*words, "--model", chat_model, "--max-solution-tokens", "900", "--seed", "3")
    made_from = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["made_from"]
    settings = made_from["settings"]
    assert settings["described"]["verifier"]["kind"] == "numeric"
    assert settings["described"]["tokenizer"]["model"] == str(chat_model)
    assert (settings["max_solution_tokens"], settings["seed"]) == (900, 3)
    assert made_from["versions"]["selfhint"]
    assert len(made_from["source"]["files"][0]["sha256"]) == 64


def test_the_command_that_trains_judges_alike(selfhint_command, source, tmp_path):
    words = ("data", "prepare", source, tmp_path / "out", "columns.problem=question", "verifier.kind=numeric")
    outcome = selfhint_command(*words, "verifier.tolerance=0.01")
    command = f"selfhint train RECIPE.yaml model=MODEL data={tmp_path / 'out' / 'train.jsonl'}"
    assert f"{command} verifier.kind=numeric verifier.tolerance=0.01\n" in outcome.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--max-prompt-tokens", "9"), ("--max-prompt-tokens", "--model")),
        (("steps=3",), ("steps=3", "changes nothing here")),
        (("columns.problem=text",), ("'text'", "columns.problem=question")),
        (("columns.problem=question", "--model", ""), ("model",)),
        (("max_prompt_tokens=140",), ("max_prompt_tokens=140: write --max-prompt-tokens instead",)),
        (("columns.problem=question", "--drop", "never"), ("--drop", "--difficulty")),
        (("columns.problem=question", "--against", "nowhere.jsonl"), ("nowhere.jsonl",)),
        (("columns.problem=question", "--format", "csv"), ("--format csv", "jsonl, trl, verl")),
    ],
)
def test_refused_in_one_line_and_nothing_written(refused, source, tmp_path, words, says):
    refused("data", "prepare", source, tmp_path / "out", *words, says=says)


def test_without_solutions_the_mend_is_one_that_prepare_knows(refused, tmp_path):
    data = jsonl(tmp_path / "d.jsonl", [{"problem": "1+1", "answer": "2"}])
    refused("data", "prepare", data, tmp_path / "out", says=("or add --no-verify to keep rows without a solution",))


def test_answers_that_only_reasoning_gym_judges(refused, tmp_path):
    entry = json.dumps({"answer": "2", "metadata": {"source_dataset": "sums"}})
    data = jsonl(tmp_path / "d.jsonl", [{"problem": "1+1", "solution": "#### 2", "answer": entry}])
    refused("data", "prepare", data, tmp_path / "out", says=("verifier.kind=math cannot judge", "kind=reasoning_gym"))


def test_names_of_columns_have_no_power_over_the_terminal(selfhint_command, tmp_path):
    rows = [{**ROWS[0], "\x1b[31m[red]": 1, "\ud800": 2}]
    words = (jsonl(tmp_path / "source.jsonl", rows), tmp_path / "out", "columns.problem=question")
    outcome = selfhint_command("data", "prepare", *words)
    assert "Columns not in the result: id, \\x1b[31m[red], \\ud800" in outcome.out
    outcome = selfhint_command("data", "prepare", *words[:2], "columns.problem=\x1b]0;")
    assert (outcome.code, "\x1b" in outcome.err) == (2, False)


@pytest.mark.usefixtures("_hang_ups_are_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_nothing(selfhint_command, source, tmp_path, monkeypatch, number):
    from selfhint.data.prepare import run

    def decide(*args):
        os.kill(os.getpid(), number)

    monkeypatch.setattr(run, "decide", decide)
    before = listing(tmp_path)
    outcome = selfhint_command("data", "prepare", source, tmp_path / "out", "columns.problem=question")
    assert (outcome.code, outcome.err) == (128 + number, f"selfhint: stopped by {number.name}\n")
    assert listing(tmp_path) == before
