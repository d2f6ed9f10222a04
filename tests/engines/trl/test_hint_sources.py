"""Every hint source on TRL: what it shows, and the same hints after kill -9 and resume."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("openai", reason="the teacher's client is an extra")

from support import processes
from support.fake_teacher import answer, error, served

# 12 problems, 4 a generation step: an epoch is 3 generation steps.
RUN = {"updates": 7, "save_steps": 1}
CASES = {
    "refresh-steps": ({**RUN, "refresh": {"steps": 4}}, {"update": 4}),
    "refresh-epochs": ({**RUN, "refresh": {"epochs": 2}}, {"update": 5}),
    "given": ({**RUN, "given": 2}, {"update": 4}),
    "offline": ({**RUN, "offline": True, "scripted": False}, {"written": 8}),
    "offline-later": ({**RUN, "offline": True}, {"update": 4}),
}


def lines_of(folder, name="hints.jsonl"):
    return processes.logs(folder)[name]


def kill_and_resume(folder, spec, kill, ranks=1):
    assert processes.run(folder, {**spec, "kill": kill}, ranks) != 0
    assert not (folder / "result-0.json").exists()
    processes.run(folder, {**spec, "resume": "written" not in kill}, ranks)


@pytest.mark.parametrize("name", CASES)
def test_the_same_hints_after_kill_and_resume(tmp_path, name):
    spec, kill = CASES[name]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    processes.run(whole, spec)
    kill_and_resume(killed, spec, kill)
    assert processes.logs(killed) == processes.logs(whole)
    for what in ("weights", "ledger"):
        assert processes.result(killed)[what] == processes.result(whole)[what]
    hints = lines_of(whole)
    sources = {line["source"] for line in hints if line["refused"] is None}
    if name.startswith("refresh"):
        assert {"self", "self:cached"} <= sources
        age(hints, spec["refresh"], {line["step"]: line["epoch"] for line in lines_of(whole, "groups.jsonl")})
    if name == "given":
        assert sources == {"given"}
        assert {line["id"][-1] for line in hints} == {"0", "1"}
    if name.startswith("offline"):
        files = [folder / "offline_hints.jsonl" for folder in (whole, killed)]
        assert files[0].read_bytes() == files[1].read_bytes()
        assert len(files[0].read_bytes().splitlines()) == 12
    if name == "offline-later":
        assert sources == {"given"}
        rows = [json.loads(line) for line in files[0].read_bytes().splitlines()]
        written = {(row["key"], level, text) for row in rows for level in (1, 2, 3) for text in row[f"level_{level}"]}
        assert {(line["key"], line["level"], line["text"]) for line in hints if line["text"]} <= written


def age(hints, refresh, epoch_of):
    """A cached text is the one last written for its problem and level, and younger than the limit."""
    written, reused = {}, 0
    for line in hints:
        place = line["key"], line["level"]
        if line["source"] == "self:cached":
            step, text = written[place]
            assert line["text"] == text
            if "steps" in refresh:
                assert line["step"] - step < refresh["steps"]
            else:
                assert epoch_of[line["step"]] - epoch_of[step] < refresh["epochs"]
            reused += 1
        elif line["source"] == "self" and line["refused"] is None:
            if place in written and "steps" in refresh:
                assert line["step"] - written[place][0] >= refresh["steps"]
            written[place] = line["step"], line["text"]
    assert reused


def tutor(request, i):
    """Answers as the request says, whatever came before; some words have no answer, some a refused one."""
    word, digits, level = request["messages"][0]["content"].split("|")
    if len(word) % 4 == 0:
        return error(400)
    return answer(digits if len(word) % 4 == 1 else digits[: int(level)])


@pytest.mark.parametrize("ranks", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_teacher_on_every_rank_and_after_a_kill(tmp_path, ranks):
    with served(tutor) as server:
        spec = {**RUN, "teacher": server.url}
        whole, killed = tmp_path / "whole", tmp_path / "killed"
        processes.run(whole, spec)
        asked = list(server.asked)
        kill_and_resume(killed, spec, {"update": 4}, ranks)
    if ranks == 1:
        assert processes.logs(killed) == processes.logs(whole)
    assert lines_of(killed) == lines_of(whole)
    assert lines_of(killed, "groups.jsonl") == lines_of(whole, "groups.jsonl")
    hints = lines_of(whole)
    assert any(line["refused"] == "teacher_refused" for line in hints)
    assert any(line["source"] == "teacher" and line["refused"] is None for line in hints)
    metrics = lines_of(whole, "metrics.jsonl")
    assert [line["step"] for line in metrics] == list(range(1, 8))
    assert any(line.get("hints/refused/teacher_refused") for line in metrics)
    paid, paid_again = (answered(requests) for requests in (asked, server.asked[len(asked) :]))
    assert paid
    assert paid_again == paid, "what was answered before the kill is not asked for again"


def answered(requests):
    """What was asked and answered, in alphabetical order."""
    contents = [request["messages"][0]["content"] for request in requests]
    return sorted(content for content in contents if len(content.split("|")[0]) % 4)
