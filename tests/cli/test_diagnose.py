"""The tables, file and recommendation of `selfhint diagnose`, with a policy that answers from a script."""

from __future__ import annotations

import json

import pytest

import selfhint.engines.local
from cli.conftest import jsonl
from cli.test_preview import row_of
from support import riddle_set as riddles
from support.looking import scripted_engine

NUM = 24
LONG = "mud" * 20
"""So that completions, not hints, make the cost."""


def question(number: int) -> str:
    return f"Riddle {number}: which word lies in the box?"


def rows(num=NUM):
    return [
        {"problem": question(i), "solution": riddles.solution(riddles.WORDS[i % 12]), "answer": riddles.WORDS[i % 12]}
        for i in range(num)
    ]


def graded(prompt: str, seed: int) -> str:
    """Riddle n is failed below level n mod 4; from there on about half of the completions are right."""
    if riddles.asks_for_hint(prompt):
        return riddles.HINT_TEXT[riddles.level_asked(prompt)]
    number = riddles.number_of(prompt)
    right = riddles.level_of(prompt) >= number % 4 and seed % 2
    return riddles.WORDS[number % 12] if right else LONG


def solved(prompt: str, seed: int) -> str:
    return graded(prompt, 0) if riddles.asks_for_hint(prompt) else riddles.WORDS[riddles.number_of(prompt) % 12]


def hopeless(prompt: str, seed: int) -> str:
    return graded(prompt, 0) if riddles.asks_for_hint(prompt) else LONG


@pytest.fixture
def diagnose(tmp_path, chat_model, monkeypatch, selfhint_command):
    """Runs the command with a policy; gives what a person sees and the file."""
    data = jsonl(tmp_path / "data.jsonl", rows())

    def run(play, *words, is_correct=None, data=data):
        monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(play, is_correct))
        out = tmp_path / "out.json"
        out.unlink(missing_ok=True)
        limits = ["--max-tokens", "100", "hints.max_tokens=8", "max_prompt_tokens=1000", "hints.tries=2"]
        given = ["--model", chat_model, "--format", "text", "--group", "16", *limits, "--out", out]
        outcome = selfhint_command("diagnose", data, *given, *words)
        assert outcome.code == 0, outcome.err
        return outcome.out, json.loads(out.read_text())

    return run


def test_figures(diagnose):
    """A quarter of the riddles opens at each level; 16 completions tell them apart without doubt."""
    text, content = diagnose(graded, "batch_problems=10")
    assert "Without hints: 24 groups of 24 problems" in text
    assert row_of(text, "all wrong")[:2] == ["75", "%"]
    assert row_of(text, "mixed: they teach")[:2] == ["25", "%"]
    assert row_of(text, "problems with none correct") == ["18"]
    assert "18 groups that failed without a hint" in text
    assert row_of(text, "got a hint") == ["18", "18", "18"]
    assert row_of(text, "opened by this level") == ["33", "%", "67", "%", "100", "%"]
    assert row_of(text, "opened up to this level") == ["33", "%", "67", "%", "100", "%"]
    assert "A step of 10 such problems" in text
    # One group for a quarter of the riddles, two, three, four for the others: 2.5 on average.
    assert row_of(text, "completions") == ["160", "160", "400"]
    # SAGE-light takes turns between the level that opens, where half is right, and the one below, where nothing is; but
    # one riddle stays, of which at most 0.35 is right there: (6 + 17/2 + 1)/24.
    assert row_of(text, "groups that teach") == ["25", "%", "65", "%", "100", "%"]
    assert "Recommendation: SAGE\n" in text
    assert content["advice"]["method"] == "sage"
    assert content["num_failed"] == 18
    assert [o["opened"]["value"] for o in content["openings"]] == pytest.approx([1 / 3, 2 / 3, 1])
    assert len(content["signal"]["problems"]) == NUM
    for problem in content["signal"]["problems"]:
        assert problem["low"] <= problem["correct"] / problem["drawn"] <= problem["high"]


def test_rounds_are_visits(diagnose):
    text, content = diagnose(graded, "--rounds", "2")
    assert "Without hints: 48 groups of 24 problems" in text
    assert {problem["drawn"] for problem in content["signal"]["problems"]} == {32}
    first, second = ([one for one in content["looks"] if one["round"] == r] for r in (0, 1))
    assert [one["key"] for one in first] == [one["key"] for one in second]
    assert [one["groups"] for one in first] != [one["groups"] for one in second]
    once = diagnose(graded)[1]
    assert [one["groups"] for one in once["looks"]] == [one["groups"] for one in first]


def test_recommendations(diagnose, tmp_path):
    assert "Recommendation: wrong data: too easy\n" in diagnose(solved)[0]
    assert "Recommendation: wrong data: too hard even with the strongest hint\n" in diagnose(hopeless)[0]
    unreadable = diagnose(graded, is_correct=lambda problem, text: None)[0]
    assert "Recommendation: wrong data: gold answers that cannot be read\n" in unreadable
    assert "Recommendation: too few problems looked at to say\n" in diagnose(graded, "--num", "10")[0]
    bare = jsonl(tmp_path / "bare.jsonl", [{k: row[k] for k in ("problem", "answer")} for row in rows()])
    text = diagnose(graded, data=bare)[0]
    assert "Recommendation: wrong data: no reference solutions to write hints from\n" in text
    assert "no column 'solution'" in text


def test_problems_without_a_solution_are_no_fault_of_the_hints(diagnose, tmp_path):
    """Of 18 riddles that fail, 12 have no solution; all others open."""
    some = [row if i % 3 == 0 else {**row, "solution": None} for i, row in enumerate(rows())]
    text, content = diagnose(graded, data=jsonl(tmp_path / "some.jsonl", some))
    assert (content["num_failed"], content["num_hintable"], content["hinted"]["value"]) == (18, 6, 1.0)
    said = " ".join(text.split())
    assert "6 groups that failed without a hint, besides 12 of problems without a usable solution" in said
    assert row_of(text, "opened up to this level")[-2:] == ["100", "%"]
    assert "Recommendation: SAGE\n" in text
    assert "12 of the groups that failed belong to problems without a usable solution" in text


def test_problems_are_only_hinted_where_the_group_failed(diagnose):
    _, content = diagnose(graded)
    for one in content["looks"]:
        number = riddles.number_of(one["question"])
        assert [group["level"] for group in one["groups"]] == ([0] if number % 4 == 0 else [0, 1, 2, 3])


def test_bad_input(refused, tmp_path, chat_model):
    refused("diagnose", tmp_path / "absent.jsonl", "--model", chat_model, says=("no such file",))
    refused("diagnose", tmp_path / "absent.jsonl", "--model", chat_model, "lr=3", says=("changes nothing here",))


def test_a_hints_file_that_cannot_be_used_is_no_lack_of_solutions(refused, tmp_path, chat_model):
    data = jsonl(tmp_path / "data.jsonl", rows())
    words = ("diagnose", data, "--model", chat_model, "hints.source=given", f"hints.file={tmp_path / 'typo.jsonl'}")
    refused(*words, says=("typo.jsonl",))
