"""`selfhint hints write`, and what the commands do with hints from other sources than the policy."""

from __future__ import annotations

import json
import os
import shutil
import signal

import pytest

import selfhint.engines.local
import selfhint.engines.write_hints
from cli.conftest import LAB_SIZES, jsonl
from cli.test_preview import row_of
from selfhint.data import read_hints_file
from selfhint.engines.written_hints import alone
from support import riddle_set as riddles
from support.fake_teacher import answer, served
from support.looking import scripted_engine

LIMITS = ["hints.max_tokens=8", "max_prompt_tokens=1000", "hints.tries=2"]


@pytest.fixture
def data(tmp_path):
    return jsonl(tmp_path / "data.jsonl", riddles.rows(6))


@pytest.fixture
def words(data, chat_model, monkeypatch, tmp_path):
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(riddles.seeded))
    return [
        "hints",
        "write",
        data,
        "--model",
        chat_model,
        "--format",
        "text",
        "--out",
        tmp_path / "hints.jsonl",
        *LIMITS,
    ]


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_problem_gets_a_row(selfhint_command, words, tmp_path):
    out = tmp_path / "hints.jsonl"
    outcome = selfhint_command(*words)
    assert outcome.code == 0, outcome.err
    assert f"{out}: 6 rows; hints: 6 of level 1, 6 of level 2, 6 of level 3; refused: none" in outcome.out
    rows = rows_of(out)
    assert len({row["key"] for row in rows}) == 6
    assert all(row["level_1"] == [riddles.HINT_TEXT[1]] for row in rows)
    assert len(read_hints_file(out).texts) == 6


def test_the_written_hints_are_those_that_a_look_at_them_shows(selfhint_command, words, tmp_path):
    assert selfhint_command(*words).code == 0
    out = tmp_path / "hints.jsonl"
    look = ["hints", "preview", *words[2:5], "hints.source=given", f"hints.file={out}", "max_prompt_tokens=1000"]
    outcome = selfhint_command(*look, "--max-tokens", "5", "--group", "2")
    assert outcome.code == 0, outcome.err
    assert row_of(outcome.out, "requests for hints") == ["0", "0", "0"]
    assert row_of(outcome.out, "problems with a hint") == ["6", "6", "6"]
    assert f"  {riddles.HINT_TEXT[2]}" in outcome.out


def test_several_hints_of_a_level(selfhint_command, lab, tmp_path):
    out = tmp_path / "hints.jsonl"
    sizes = [f"lab.{name}={size}" for name, size in LAB_SIZES.items()]
    words = [
        "hints",
        "write",
        "lab:hard",
        *sizes,
        "lab.train_size=3",
        "lab.heldout_size=1",
        "--model",
        "lab",
        "--out",
        out,
    ]
    outcome = selfhint_command(*words, "--per-level", "4", "--levels", "2,3")
    assert outcome.code == 0, outcome.err
    rows = rows_of(out)
    assert len(rows) == 3
    assert all("level_1" not in row and set(row) >= {"level_2", "level_3"} for row in rows)
    assert any(len(row["level_3"]) > 1 for row in rows)


def test_a_killed_command_goes_on(selfhint_command, lab, tmp_path, monkeypatch):
    sizes = [f"lab.{name}={size}" for name, size in LAB_SIZES.items()]
    words = ["hints", "write", "lab:mixed", *sizes, "lab.train_size=9", "lab.heldout_size=1", "--model", "lab"]
    words += ["--batch", "2"]
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    assert selfhint_command(*words, "--out", whole).code == 0
    usual = selfhint.engines.write_hints.append_rows

    def append(path, rows):
        usual(path, rows)
        if len(path.read_bytes().splitlines()) >= 4:
            with open(path, "ab") as file:
                file.write(b'{"key": "cut')
            os.kill(os.getpid(), signal.SIGKILL)

    with monkeypatch.context() as patch:
        patch.setattr(selfhint.engines.write_hints, "append_rows", append)
        child = os.fork()
        if not child:
            try:
                selfhint_command(*words, "--out", out)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert len(out.read_bytes().splitlines()) == 5
    outcome = selfhint_command(*words, "--out", out)
    assert (outcome.code, out.read_bytes()) == (0, whole.read_bytes())
    assert "going on after 4 of 9 problems" in outcome.err
    assert selfhint_command(*words, "--out", out).out == outcome.out
    assert out.read_bytes() == whole.read_bytes()


def test_a_signal_says_what_is_there(selfhint_command, words, tmp_path, monkeypatch):
    usual = selfhint.engines.write_hints.append_rows

    def append(path, rows):
        usual(path, rows)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(selfhint.engines.write_hints, "append_rows", append)
    outcome = selfhint_command(*words, "--batch", "2")
    assert outcome.code == 130  # before the batch was counted: nothing is claimed
    monkeypatch.setattr(selfhint.engines.write_hints, "append_rows", usual)
    monkeypatch.setattr(
        selfhint.cli.write_hints.LookProgress, "done", lambda self, done: os.kill(os.getpid(), signal.SIGINT)
    )
    outcome = selfhint_command(*words, "--batch", "2")
    assert outcome.code == 3
    assert outcome.err.splitlines()[-1] == (
        f"selfhint: {tmp_path / 'hints.jsonl'}: stopped by SIGINT after 4 of 6 rows; repeat the command to go on"
    )


@pytest.fixture
def half_written(selfhint_command, words, tmp_path):
    """A file of six rows, of which the last four then got lost."""
    out = tmp_path / "hints.jsonl"
    assert selfhint_command(*words).code == 0
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:2]))
    return out


def test_rows_of_other_settings_are_not_mixed(refused, selfhint_command, words, half_written, tmp_path):
    def was(change):
        return f"{half_written}: was made with {change}; repeat the command as it was, or remove the file or choose"

    other_model = shutil.copytree(words[4], tmp_path / "another_model")
    for change, says in {
        ("--per-level", "10"): "--per-level 1, now it is 10",
        ("--format", "json"): "--format text, now it is json",
        ("--seed", "1"): "--seed 0, now it is 1",
        ("--levels", "1,2"): "--levels [1, 2, 3], now it is [1, 2]",
        ("hints.leaks=count",): "hints.leaks refuse, now it is count",
        ("hints.tries=3",): "hints.tries 2, now it is 3",
        ("trl.temperature=0.5",): "trl.temperature 1.0, now it is 0.5",
        ("columns.solution=answer", "columns.answer=solution"): "columns.solution null, now it is answer",
    }.items():
        refused(*words, *change, says=(was(says),))
    refused(
        *words, "--model", other_model, says=(" was made with --model ", "chat_model0, now it is ", "/another_model;")
    )
    assert selfhint_command(*words).code == 0
    refused(*words, "--per-level", "10", says=(was("--per-level 1, now it is 10"),))  # also when it is whole


def test_other_problems_are_not_mixed(refused, words, half_written, data):
    jsonl(data, riddles.rows(7))
    refused(*words, says=("hints.jsonl: was made with the problems in DATA ",))


def test_less_at_once_is_no_other_setting(selfhint_command, words, half_written, tmp_path):
    outcome = selfhint_command(*words, "--batch", "3")
    assert outcome.code == 0, outcome.err
    assert len({row["key"] for row in rows_of(half_written)}) == 6


def test_rows_from_before_settings_were_kept_are_gone_on_with(selfhint_command, refused, words, half_written):
    kept = half_written.with_name("hints.jsonl.settings")
    kept.unlink()
    note = f"{half_written}: its settings are not kept beside it (hints.jsonl.settings), so they cannot be compared"
    outcome = selfhint_command(*words)
    assert outcome.code == 0, outcome.err
    assert outcome.out.count(note) == 1
    assert len(rows_of(half_written)) == 6
    assert kept.exists()
    refused(*words, "--seed", "1", says=("--seed 0, now it is 1",))
    kept.unlink()
    assert note in selfhint_command(*words, "--seed", "1").out
    assert not kept.exists()  # nothing was written with them


def test_settings_that_no_row_was_written_with_do_not_count(selfhint_command, words, half_written):
    half_written.unlink()
    outcome = selfhint_command(*words, "--per-level", "2")
    assert outcome.code == 0, outcome.err
    assert len(rows_of(half_written)) == 6


def test_something_else_in_the_settings_place(refused, words, tmp_path):
    for content in ("my notes", "[]", "{}"):
        (tmp_path / "hints.jsonl.settings").write_text(content)
        refused(*words, says=("hints.jsonl.settings: holds no settings of hints", "choose another --out"))


def test_nothing_is_left_where_no_row_was_written(selfhint_command, words, tmp_path, monkeypatch):
    def append(path, rows):
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(selfhint.engines.write_hints, "append_rows", append)
    before = set(tmp_path.iterdir())
    assert selfhint_command(*words).code == 130
    assert set(tmp_path.iterdir()) == before


def test_settings_bind_no_rows_that_they_did_not_decide(selfhint_command, words, half_written, monkeypatch):
    half_written.with_name("hints.jsonl.settings").unlink()

    def stop(path, rows):
        os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(selfhint.engines.write_hints, "append_rows", stop)
        assert selfhint_command(*words, "--per-level", "10").code == 3
    assert selfhint_command(*words).code == 0


def test_one_command_at_a_time(refused, words, half_written):
    with alone(half_written):
        refused(*words, says=(f"{half_written}: another process is writing it; wait for it, or choose another file",))


def test_bad_input(refused, words, data, tmp_path):
    refused(*words, "hints.source=prefix", says=("hints.source=prefix: the policy writes them",))
    refused(*words, "--out", data, says=("data.jsonl, line 1: not a row of hints",))
    refused(*words, "--levels", "9", says=("--levels 9",))


def test_a_teacher_can_be_looked_at(selfhint_command, refused, words, tmp_path, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("NO_PROXY", "*")
    with served(lambda request, number: answer("Look at the label before anything else.")) as teacher:
        look = ["hints", "preview", *words[2:5], "--format", "text", "--max-tokens", "5", "--group", "2"]
        look += ["hints.source=teacher", "teacher.model=tutor", f"teacher.base_url={teacher.url}", *LIMITS]
        refused(*look, says=("hints preview: a teacher's answers are kept beside the result; name it with --out",))
        outcome = selfhint_command(*look, "--out", tmp_path / "out.json")
    assert outcome.code == 0, outcome.err
    assert row_of(outcome.out, "requests for hints") == ["6", "6", "0"]
    assert row_of(outcome.out, "problems with a hint") == ["6", "6", "6"]
    assert len(teacher.asked) == 12
    assert (tmp_path / "teacher_cache.jsonl").exists()
