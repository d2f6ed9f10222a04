"""The table, examples and file of `selfhint hints preview`, with a policy that answers from a script."""

from __future__ import annotations

import json

import pytest

import selfhint.engines.local
from cli.conftest import jsonl
from support import riddle_set as riddles
from support.looking import scripted_engine

LEAK = "The word is"


def play(prompt: str, seed: int) -> str:
    """Level 1 hints are good, level 2 hints state the answer; every third completion of a hinted riddle is right."""
    if riddles.asks_for_hint(prompt):
        if riddles.level_asked(prompt) == 1:
            return riddles.HINT_TEXT[1]
        return f"{LEAK} {riddles.WORDS[riddles.number_of(prompt)]}."
    return riddles.WORDS[riddles.number_of(prompt)] if riddles.has_hint(prompt) and seed % 3 == 0 else "mud"


@pytest.fixture
def words(tmp_path, chat_model, monkeypatch):
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(play))
    data = jsonl(tmp_path / "data.jsonl", riddles.rows(8))
    limits = ["--max-tokens", "5", "hints.max_tokens=8", "max_prompt_tokens=1000", "hints.tries=2"]
    return ["hints", "preview", data, "--model", chat_model, "--format", "text", "--num", "6", "--group", "4", *limits]


def row_of(text: str, name: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.strip().startswith(name)]
    return line.strip()[len(name) :].split()


def test_leaks_can_be_counted_instead_of_refused(selfhint_command, words, tmp_path):
    outcome = selfhint_command(*words, "hints.leaks=count", "--out", tmp_path / "out.json")
    assert outcome.code == 0, outcome.err
    assert row_of(outcome.out, "used although flagged: answer") == ["0", "6", "0"]
    assert "refused: answer" not in outcome.out
    assert row_of(outcome.out, "problems with a hint") == ["6", "6", "6"]
    assert "Level 2, accepted although flagged: answer" in outcome.out
    again = selfhint_command(*words, "hints.leaks=count", "--out", tmp_path / "out.json")
    assert row_of(again.out, "used although flagged: answer") == ["0", "6", "0"]


def test_the_table(selfhint_command, words, tmp_path):
    outcome = selfhint_command(*words, "--out", tmp_path / "out.json")
    assert outcome.code == 0, outcome.err
    assert row_of(outcome.out, "requests for hints") == ["6", "12", "0"]
    assert row_of(outcome.out, "texts due") == ["6", "12", "6"]
    assert row_of(outcome.out, "texts read") == ["100", "%"] * 3
    assert row_of(outcome.out, "refused: answer") == ["0", "12", "0"]
    assert row_of(outcome.out, "problems with a hint") == ["6", "0", "6"]
    assert row_of(outcome.out, "completions judged") == ["24", "24", "0", "24"]
    assert row_of(outcome.out, "success rate p")[0] == "0.000"
    assert row_of(outcome.out, "success rate p")[2] == "-"
    content = json.loads((tmp_path / "out.json").read_text())
    assert [level["level"] for level in content["levels"]] == [0, 1, 2, 3]
    three = content["levels"][3]
    assert row_of(outcome.out, "correct")[3] == str(three["correct"])
    assert three["correct"] == sum(one["groups"][2]["correct"].count(True) for one in content["looks"])
    assert f"{three['gate']:.3f}" == row_of(outcome.out, "gate u(p) at G = 4")[3]
    assert three["success"]["low"] <= three["success"]["value"] <= three["success"]["high"]
    assert content["settings"]["--num"] == 6
    assert len(content["looks"]) == 6


def test_examples_and_reasons(selfhint_command, words):
    outcome = selfhint_command(*words)
    text = outcome.out
    assert f"  {riddles.HINT_TEXT[1]}" in text
    assert text.count("Level 1, accepted,") == 2
    assert text.count("Level 2, refused: answer") == 1
    assert f"  {LEAK} " in text
    assert "  answer: the hint contains the final answer" in text
    assert 'of 4 correct with it - "Riddle ' in text


def test_nothing_but_text_reaches_a_pipe(selfhint_command, words):
    outcome = selfhint_command(*words)
    assert "\x1b" not in outcome.out
    assert "…" not in outcome.out
    assert outcome.err == ""


def test_levels_that_are_wanted(selfhint_command, words):
    outcome = selfhint_command(*words, "--levels", "1,3")
    assert "level 1" in outcome.out
    assert "level 2" not in outcome.out


def test_a_json_answer_serves_all_levels(selfhint_command, words, monkeypatch):
    answer = json.dumps({f"level_{i}": f"Look at the label {i} times before anything." for i in (1, 2, 3)})

    def json_play(prompt, seed):
        return answer if riddles.asks_for_hint(prompt) else "mud"

    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(json_play))
    outcome = selfhint_command(*["json" if word == "text" else word for word in words])
    assert row_of(outcome.out, "requests for hints") == ["6", "0", "0"]
    assert row_of(outcome.out, "problems with a hint") == ["6", "6", "6"]
    assert "One answer serves all levels" in outcome.out


def test_a_policy_that_never_writes_valid_hints(selfhint_command, words, monkeypatch):
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(lambda prompt, seed: "mud"))
    outcome = selfhint_command(*["json" if word == "text" else word for word in words])
    assert outcome.code == 0
    assert row_of(outcome.out, "texts read") == ["0", "%"] * 3
    assert row_of(outcome.out, "problems with a hint") == ["0", "0", "0"]


def test_golds_that_cannot_be_read(selfhint_command, words, monkeypatch):
    engine = scripted_engine(play, is_correct=lambda problem, text: None)
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", engine)
    outcome = selfhint_command(*words)
    assert outcome.code == 0
    assert "6 problems could not be judged" in outcome.out
    assert row_of(outcome.out, "success rate p") == ["-"] * 4


def test_bad_input(refused, words, chat_model, tmp_path):
    data = words[2]
    usual = [word for word in words if word != data]
    refused(*usual[:2], tmp_path / "absent.jsonl", *usual[2:], says=("absent.jsonl: no such file",))
    refused(*words, "columns.problem=riddle", says=("no column 'riddle'", "columns.problem=problem"))
    refused(*words[:3], "--model", tmp_path / "absent", says=("no such folder",))
    refused(*words, "--levels", "0", says=("--levels 0",))
    refused(*words, "max_prompt_tokens=2048", says=("over its context of 2048",))
    refused(*words, "--out", tmp_path, says=("is a folder",))
    refused(*words, "--out", tmp_path / "absent" / "out.json", says=("cannot be written",))
    refused(*words, "--out", data, says=("holds something else",))
    refused(*words, "steps=3", says=("steps=3: changes nothing here",))
    refused("hints", "preview", "lab:soft", "--model", "lab", says=("lab:hard and lab:mixed",))


def test_requests_may_be_longer_than_prompts_as_in_a_training(selfhint_command, words, tmp_path, monkeypatch):
    """The context of 2048 leaves 2040 tokens for a request, so the solution is not cut to the 1000 of a prompt."""
    asked = []
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(play, asked=asked))
    rows = riddles.rows(2)
    for row in rows:
        row["solution"] = "Turn the box. " * 80 + row["solution"]
    words[2] = jsonl(tmp_path / "long.jsonl", rows)
    assert selfhint_command(*words).code == 0
    requests = [r.prompt[-1]["content"] for r in asked if r.purpose == "hint" and r.level == 1]
    assert len(requests) == 2
    assert all(any(row["solution"] in request for row in rows) for request in requests)
