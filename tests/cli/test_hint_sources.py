"""A recipe's hint sources, from the words of the command to hints.jsonl."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("openai", reason="the teacher's client is an extra")

from cli.conftest import LAB_SIZES, jsonl, listing, problem_rows
from selfhint.core.problem import content_key
from selfhint.lab.task import LabTask
from selfhint.runlog import read_lines
from support.fake_teacher import KEY, answer, error, served

TEXTS = {"level_1": ["Read the label.", "Look at the label."], "level_2": "Turn the box.", "level_3": None}


def hints(tmp_path):
    return list(read_lines(tmp_path / "run" / "hints.jsonl"))


def done(outcome):
    assert outcome.code == 0, outcome.err
    return outcome.out


def test_hints_in_a_column(selfhint_command, recipe, tmp_path):
    rows = [{**row, "tips": TEXTS} for row in problem_rows()[:3]] + problem_rows()[3:]
    data = jsonl(tmp_path / "hinted.jsonl", [{k: v for k, v in row.items() if k != "solution"} for row in rows])
    words = ("hints={source: given}", "columns.hints=tips", f"data={data}")
    assert "Without hints: 1 problem" in done(selfhint_command("train", recipe, *words))
    assert {line["source"] for line in hints(tmp_path)} == {"given"}
    assert {line["text"] for line in hints(tmp_path) if not line["refused"]} == {"Read the label.", "Turn the box."}
    assert {line["refused"] for line in hints(tmp_path)} == {None, "not_given"}


def test_hints_in_a_file(selfhint_command, recipe, tmp_path):
    rows = [{"key": content_key(row["problem"], row["answer"]), **TEXTS} for row in problem_rows()[:3]]
    file = jsonl(tmp_path / "hints.jsonl", rows)
    out = done(selfhint_command("train", recipe, "hints={source: given}", f"hints.file={file}"))
    assert "hints for 3 of 4 problems (by level:" in " ".join(out.split())
    assert {line["text"] for line in hints(tmp_path) if not line["refused"]} == {"Read the label.", "Turn the box."}


def test_the_labs_given_hints_are_true_ones(selfhint_command, lab, tmp_path):
    words = ("method=fixed", "scheduler.level=3", "hints.source=given", "steps=1", f"out={tmp_path / 'run'}")
    done(selfhint_command("train", *lab, *words))
    answers = {
        problem.key: problem.answer
        for problem in LabTask(**LAB_SIZES).problems("hard", num_train=4, num_held_out=2).train
    }
    assert hints(tmp_path)
    for line in hints(tmp_path):
        assert (line["source"], line["refused"]) == ("given", None)
        assert line["text"] == answers[line["key"]][:1]
    (step,) = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert step["tokens/hints"] == 0


def test_hints_that_the_untrained_policy_wrote(selfhint_command, recipe, tmp_path):
    words = ("hints={source: offline, format: text, per_level: 2, max_tokens: 4, tries: 2}",)
    done(selfhint_command("train", recipe, *words))
    rows = list(read_lines(tmp_path / "run" / "offline_hints.jsonl"))
    assert {row["key"] for row in rows} == {content_key(row["problem"], row["answer"]) for row in problem_rows()}
    written = {(row["key"], level, text) for row in rows for level in (1, 2, 3) for text in row[f"level_{level}"]}
    lines = hints(tmp_path)
    assert {line["source"] for line in lines} == {"offline"}
    shown = {(line["key"], line["level"], line["text"]) for line in lines if not line["refused"]}
    assert shown
    assert shown <= written


@pytest.fixture
def teacher_words(monkeypatch):
    monkeypatch.setenv("TEACHER_KEY", KEY)

    def words(server):
        return (
            "hints={source: teacher, format: text, max_tokens: 60}",
            "teacher.model=tutor",
            f"teacher.base_url={server.url}",
            "teacher.api_key_env=TEACHER_KEY",
            "teacher.retries=0",
        )

    return words


def test_a_teacher_and_its_key(selfhint_command, recipe, tmp_path, teacher_words, caplog):
    def play(request, i):
        return error(400, f"no answer for {KEY}") if i == 3 else answer("Read the label of the box.")

    with served(play) as server:
        outcome = selfhint_command("train", recipe, *teacher_words(server))
    done(outcome)
    assert {request["key"] for request in server.asked} == {f"Bearer {KEY}"}
    assert {line["refused"] for line in hints(tmp_path)} >= {None, "teacher_refused"}
    shown = outcome.out + outcome.err + caplog.text
    assert "teacher_refused" in shown
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert tmp_path / "run" / "teacher_cache.jsonl" in files
    assert KEY not in shown
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize("status", [401, 404])
def test_a_teacher_that_can_never_answer_stops_the_run_and_frees_its_directory(
    selfhint_command, recipe, tmp_path, teacher_words, status
):
    before = listing(tmp_path)
    with served(lambda request, i: error(status, f"not with {KEY}")) as server:
        outcome = selfhint_command("train", recipe, *teacher_words(server))
        assert outcome.code == 2
        assert KEY not in outcome.err
        (line,) = [line for line in outcome.err.splitlines() if line.startswith("selfhint: ")]
        assert f"status {status}" in line
        assert "teacher.model" in line
        assert listing(tmp_path) == before
    with served(lambda request, i: answer("Read the label of the box.")) as server:
        done(selfhint_command("train", recipe, *teacher_words(server)))


def test_a_teacher_that_is_down_loses_no_step(selfhint_command, recipe, tmp_path, teacher_words):
    with served(lambda request, i: error(500)) as server:
        done(selfhint_command("train", recipe, *teacher_words(server)))
    metrics = list(read_lines(tmp_path / "run" / "metrics.jsonl"))
    assert [line["step"] for line in metrics] == [1, 2]
    assert all(line["hints/refused/teacher_unreachable"] for line in metrics)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hints={source: given}",), ("columns.hints", "hints.file")),
        (("hints={source: given, file: a.jsonl}", "columns.hints=tips"), ("columns.hints", "hints.file")),
        (("hints={source: given, file: nothing.jsonl}",), ("nothing.jsonl", "no such file")),
        (("hints={source: given}", "columns.hints=tips"), ("no column 'tips'",)),
        (("hints.file=a.jsonl",), ("hints.file is for hints.source given, not for prefix",)),
        (("hints.per_level=2",), ("hints.per_level is for hints.source offline",)),
        (("hints.refresh_steps=2",), ("hints.refresh_steps is for hints.source self or teacher",)),
        (("hints={source: self, refresh_steps: 2, refresh_epochs: 1}",), ("both set",)),
        (("hints={source: teacher}",), ("teacher.model",)),
        (("hints={source: teacher}", "teacher.model=m"), ("teacher.api_key_env",)),
        (("hints={source: teacher}", "teacher={model: m, api_key_env: NOT_THERE}"), ("NOT_THERE", "not set")),
        (("teacher.base_url=localhost:8000",), ("teacher.base_url", "http://localhost:8000/v1")),
        (("teacher.base_url=http://me:word@localhost/v1",), ("teacher.api_key_env",)),
    ],
    ids=str,
)
def test_settings_that_do_not_go_together(refused, recipe, words, says, monkeypatch):
    monkeypatch.delenv("NOT_THERE", raising=False)
    refused("train", recipe, *words, says=says)


def test_a_key_in_the_place_of_its_name_is_not_repeated(selfhint_command, recipe, tmp_path):
    written = tmp_path / "with_key.yaml"
    written.write_text(recipe.read_text() + f"teacher: {{api_key_env: {KEY}}}\n")
    for words in ((recipe, f"teacher.api_key_env={KEY}"), (written,), (recipe, f"teacher={{api_key_env: {KEY}}}")):
        outcome = selfhint_command("train", *words)
        assert outcome.code == 2
        assert "name of an environment variable" in outcome.err
        assert KEY not in outcome.out + outcome.err


def test_the_recipe_of_a_run_names_only_the_variable(selfhint_command, recipe, tmp_path, teacher_words):
    with served(lambda request, i: answer("Read the label.")) as server:
        done(selfhint_command("train", recipe, *teacher_words(server), "steps=1"))
    assert "api_key_env: TEACHER_KEY" in (tmp_path / "run" / "recipe.yaml").read_text()
    assert json.dumps(KEY) not in (tmp_path / "run" / "recipe.yaml").read_text()
