"""Writing hints before training, stopped and taken up again."""

from __future__ import annotations

import json
import os
import re

import pytest

from selfhint.core.errors import InputError
from selfhint.data import read_hints_file, with_hints
from selfhint.engines.scripted import ScriptedEngine
from selfhint.engines.write_hints import Place, write_hints
from selfhint.engines.written_hints import alone
from selfhint.hints import JsonFormat, TextFormat
from support.episodes import problems
from support.refusals import refused

BATCH = problems(5)
NUMBERS = {problem.key: problem.answer for problem in BATCH}


class Writer(ScriptedEngine):
    """Words that follow from the request. Every third is too short to be a hint."""

    def __init__(self, fail_at=None):
        super().__init__(self._write)
        self.fail_at, self.calls = fail_at, []

    def sample(self, requests):
        if len(self.calls) == self.fail_at:
            raise KeyboardInterrupt
        self.calls.append([(request.key, request.visit, request.level, request.attempt) for request in requests])
        return super().sample(requests)

    def _write(self, request, i):
        assert request.purpose == "hint"
        number = sum(map(ord, f"{request.key}{request.visit}{request.level}{request.attempt}"))
        return "" if number % 3 == 0 else f"a thought of {chr(97 + number % 26)}{chr(97 + number % 7)} first"


def rows(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_row_for_each_problem_that_training_can_read(tmp_path):
    path, engine, reports = tmp_path / "new" / "hints.jsonl", Writer(), []
    report = write_hints(
        BATCH, engine, TextFormat(), path, per_level=2, batch=2, on_batch=lambda r: reports.append(r.num_problems)
    )
    assert reports == [2, 4, 5]
    assert [row["key"] for row in rows(path)] == [problem.key for problem in BATCH]
    joined, _ = with_hints(BATCH, read_hints_file(path))
    assert max(len(joined[i].hints[1]) for i in range(5)) == 2
    assert report.num_hints[1] == sum(len(problem.hints.get(1, ())) for problem in joined)
    asked = [request for call in engine.calls for request in call]
    assert {visit for _, visit, _, _ in asked} == {0, 1}
    assert len(set(asked)) == len(asked)
    assert report.refused["empty"] == sum(row["refused"].get("empty", 0) for row in rows(path)) > 0
    assert report.tokens == sum(row["tokens"] for row in rows(path)) > 0
    assert (report.num_problems, report.num_there) == (5, 0)


def test_one_call_for_a_batch(tmp_path):
    engine = Writer()
    write_hints(BATCH, engine, TextFormat(), tmp_path / "hints.jsonl", levels=(1,), tries=1)
    assert [len(call) for call in engine.calls] == [5]
    assert set(rows(tmp_path / "hints.jsonl")[0]) == {"key", "level_1", "refused", "flagged", "tokens"}
    assert rows(tmp_path / "hints.jsonl")[0]["flagged"] == {}


def test_leaks_are_written_and_counted_where_they_are_not_refused(tmp_path):
    class Teller(ScriptedEngine):
        def __init__(self):
            super().__init__(lambda request, i: f"The answer is {NUMBERS[request.key]}.")

    for count_leaks, told in ((False, "refused: 15 answer"), (True, "refused: none; kept although flagged: 5 answer")):
        path = tmp_path / f"{count_leaks}.jsonl"
        report = write_hints(BATCH, Teller(), TextFormat(), path, levels=(1,), count_leaks=count_leaks)
        assert (report.num_hints[1], report.outcome()) == (5 * count_leaks, told)


@pytest.mark.parametrize("fail_at", range(1, 9))
@pytest.mark.parametrize("cut", [0, 1, 40])
def test_stopped_and_called_again_the_file_is_the_same(tmp_path, fail_at, cut):
    whole, path = tmp_path / "whole.jsonl", tmp_path / "hints.jsonl"
    options = {"per_level": 2, "tries": 2, "batch": 2}
    expected = write_hints(BATCH, Writer(), TextFormat(), whole, **options)
    engine = Writer(fail_at)
    try:
        write_hints(BATCH, engine, TextFormat(), path, **options)
    except KeyboardInterrupt:
        path.write_bytes(path.read_bytes()[: -cut or None])
        report = write_hints(BATCH, Writer(), TextFormat(), path, **options)
        assert (report.num_problems, report.num_hints, report.refused, report.tokens) == (
            (expected.num_problems, expected.num_hints, expected.refused, expected.tokens)
        )
    assert path.read_bytes() == whole.read_bytes()


def test_what_is_there_is_not_asked_for(tmp_path):
    path = tmp_path / "hints.jsonl"
    write_hints(BATCH, Writer(), JsonFormat(), path)
    engine = Writer()
    report = write_hints(BATCH, engine, JsonFormat(), path)
    assert engine.calls == []
    assert (report.num_problems, report.num_there) == (5, 5)


def test_budgets_hold(tmp_path):
    place = Place(fits=lambda prompt: "a thought" not in str(prompt))
    report = write_hints(BATCH, Writer(), TextFormat(), tmp_path / "hints.jsonl", levels=(1,), place=place)
    assert report.num_hints.total() == 0
    assert report.refused["over_budget"] > 0


def test_another_file_is_not_written_to(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text("my notes\n")
    with pytest.raises(InputError, match=re.escape(f"{path}, line 1: not a row of hints")):
        write_hints(BATCH, Writer(), TextFormat(), path)
    assert path.read_text() == "my notes\n"


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written there"):
        write_hints(BATCH, Writer(), TextFormat(), tmp_path / "file" / "hints.jsonl")


@pytest.mark.parametrize(
    "text", ["my notes", '{"name": 1}', '[{"problem": "2 + 2"}]', '{"key": "k", "level_1": []'[:3] + "x"]
)
def test_another_file_without_a_last_line_end_is_not_emptied(tmp_path, text):
    path = tmp_path / "train.json"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(f"{path}, line 1: not a row of hints")):
        write_hints(BATCH, Writer(), TextFormat(), path)
    assert path.read_text() == text


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_row_that_a_kill_cut_off_is_written_again_and_one_that_lacks_its_line_end_only_stays(tmp_path, cut):
    path = tmp_path / "hints.jsonl"
    write_hints(BATCH, Writer(), JsonFormat(), path)
    whole = path.read_bytes()
    path.write_bytes(whole.removesuffix(b"\n"))
    assert write_hints(BATCH, Writer(), JsonFormat(), path).num_there == 5
    assert path.read_bytes() == whole
    last = whole.splitlines(keepends=True)[-1]
    path.write_bytes(whole[: -len(last)] + last[:cut])
    assert write_hints(BATCH, Writer(), JsonFormat(), path).num_there == 4
    assert path.read_bytes() == whole


def test_rows_that_were_written_for_fewer_levels_are_not_taken_for_all(tmp_path):
    path = tmp_path / "hints.jsonl"
    write_hints(BATCH, Writer(), TextFormat(), path, levels=(1,))
    with pytest.raises(InputError, match="line 1: was written without level 2"):
        write_hints(BATCH, Writer(), TextFormat(), path, levels=(1, 2))


def enter(path):
    with alone(path):
        pass


def test_one_process_writes_a_file(tmp_path):
    path = tmp_path / "new" / "hints.jsonl"
    with alone(path):
        refused(lambda: enter(path), f"{path}: another process is writing it; wait for it, or choose another file")
        write_hints(BATCH, Writer(), JsonFormat(), path)
    assert len(rows(path)) == 5
    enter(path)
    assert len(rows(path)) == 5


def test_a_file_that_got_no_row_goes_and_one_that_was_there_stays(tmp_path):
    path = tmp_path / "hints.jsonl"
    with pytest.raises(KeyboardInterrupt), alone(path):
        write_hints(BATCH, Writer(fail_at=0), JsonFormat(), path)
    assert not path.exists()
    path.touch()
    enter(path)
    assert path.exists()


def test_who_opened_a_file_that_then_went_does_not_write_it(tmp_path, monkeypatch):
    path = tmp_path / "hints.jsonl"
    monkeypatch.setattr("fcntl.flock", lambda file, how: path.unlink())  # by who held the lock before
    refused(lambda: enter(path), "another process is writing it")


def test_a_place_that_cannot_be_locked_is_named(tmp_path):
    (tmp_path / "file").touch()
    refused(lambda: enter(tmp_path / "file" / "hints.jsonl"), "hints.jsonl: hints cannot be written there")
    refused(lambda: enter(tmp_path), f"{tmp_path}: hints cannot be written there (Is a directory)")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level_1", 5),
        ("level_2", [5]),
        ("refused", 5),
        ("refused", {"empty": "a"}),
        ("flagged", ["answer"]),
        ("tokens", "a"),
        ("tokens", -1),
    ],
)
def test_a_row_with_a_damaged_field_is_named(tmp_path, field, value):
    path = tmp_path / "hints.jsonl"
    write_hints(BATCH, Writer(), JsonFormat(), path)
    content = rows(path)
    content[1][field] = value
    path.write_text("".join(json.dumps(row) + "\n" for row in content))
    before = path.read_bytes()
    with pytest.raises(InputError, match=re.escape(f"{path}, line 2: {field} is damaged; choose another file, or")):
        write_hints(BATCH, Writer(), JsonFormat(), path)
    assert path.read_bytes() == before


def test_a_text_in_place_of_a_list_is_one_hint(tmp_path):
    path = tmp_path / "hints.jsonl"
    path.write_text(json.dumps({"key": BATCH[0].key, "level_1": "Look twice.", "level_2": None, "level_3": []}) + "\n")
    report = write_hints(BATCH[:1], Writer(), JsonFormat(), path)
    assert (report.num_hints[1], report.num_hints[2], report.num_hints[3]) == (1, 0, 0)


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_row_that_is_nested_too_deeply(tmp_path, end):
    path = tmp_path / "hints.jsonl"
    text = f'{{"key": {"[" * 5000}{"]" * 5000}}}{end}'
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(f"{path}, line 1: nested too deeply; choose another file")):
        write_hints(BATCH, Writer(), JsonFormat(), path)
    assert path.read_text() == text


def test_a_pipe_is_no_file_of_hints(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused(lambda: enter(tmp_path / "pipe"), "pipe: is no file; choose another")
