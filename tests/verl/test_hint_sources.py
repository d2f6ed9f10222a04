"""Real runs of verl's trainer whose hints come from a file, a column, a teacher, or are used again."""

from __future__ import annotations

import json

import pytest
from verl_support import riddle_run

from support import riddle_set, riddle_visits
from support.fake_teacher import KEY, answer, error, served

pytestmark = [pytest.mark.verl]
TEXTS = {1: riddle_run.TIPS["level_1"], 2: riddle_run.TIPS["level_2"]}


def accepted(folder):
    return [line for line in riddle_run.lines(folder, "hints.jsonl") if line["refused"] is None]


def check_turns(folder):
    hints = riddle_run.lines(folder, "hints.jsonl")
    assert {line["source"] for line in hints} == {"given"}
    assert {line["refused"] for line in hints} == {None, "not_given"}
    visits = {(line["key"], line["step"]): line["visit"] for line in riddle_run.lines(folder)}
    used = set()
    for line in accepted(folder):
        texts = TEXTS[line["level"]]
        turn = visits[line["key"], line["step"]] % len(texts)
        assert line["text"] == texts[turn]
        used.add((line["level"], turn))
    assert used == {(1, 0), (1, 1), (2, 0)}


def test_a_file_of_hints(tmp_path):
    rows = [
        {"key": key, **{f"level_{level}": texts for level, texts in TEXTS.items()}} for key in riddle_visits.problems()
    ]
    path = tmp_path / "hints.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("selfhint.hints.source=given", f"selfhint.hints.file={path}")
    check_turns(riddle_run.run(tmp_path, "sage", *words))


def test_a_column_of_hints(tmp_path):
    check_turns(riddle_run.run(tmp_path, "sage", "selfhint.hints.source=given", "selfhint.columns.hints=tips"))


def play(request, i):
    prompt = request["messages"][0]["content"]
    if riddle_set.number_of(prompt) == 3:
        return error(400)
    return answer(riddle_set.HINT_TEXT[riddle_set.level_asked(prompt)])


def test_a_teacher(tmp_path, monkeypatch):
    monkeypatch.setenv("TEACHER_KEY", KEY)
    with served(play) as server:
        words = (
            "selfhint.hints.source=teacher",
            "selfhint.teacher.model=tutor",
            f"selfhint.teacher.base_url={server.url}",
            "selfhint.teacher.api_key_env=TEACHER_KEY",
            "selfhint.teacher.retries=0",
        )
        riddle_run.run(tmp_path, "sage", *words)
    assert {request["key"] for request in server.asked} == {f"Bearer {KEY}"}
    assert {line["text"] for line in accepted(tmp_path) if line["level"] < 3} == set(riddle_set.HINT_TEXT.values())
    refused = {line["refused"] for line in riddle_run.lines(tmp_path, "hints.jsonl")}
    assert refused == {None, "teacher_refused"}
    fine = [r["messages"][0]["content"] for r in server.asked if riddle_set.number_of(r["messages"][0]["content"]) != 3]
    assert len(set(fine)) == len(fine), "an answer is asked for once"
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size < 2**20]
    assert tmp_path / "checkpoints" / "teacher_cache.jsonl" in files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_a_text_is_used_again_until_it_is_old(tmp_path):
    riddle_run.run(tmp_path, "sage", "selfhint.hints.refresh_epochs=2")
    sources = {line["source"] for line in accepted(tmp_path) if line["level"] < 3}
    assert sources == {"self", "self:cached"}
    written = {}
    for line in accepted(tmp_path):
        if line["source"] == "self:cached":
            assert written[line["key"], line["level"]] < line["step"]
        elif line["level"] < 3:
            assert (line["key"], line["level"]) not in written
            written[line["key"], line["level"]] = line["step"]
