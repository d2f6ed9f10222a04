from __future__ import annotations

import json
import os
import re

import pytest

from cli.conftest import jsonl
from selfhint.cli.parse_hints import parse_file
from selfhint.core.errors import InputError

GOOD = '{"level_1": "Look.", "level_2": "Look twice.", "level_3": "Open it."}'
PROBLEM = {"problem": "How many legs have 12 dogs?", "solution": "A dog has 4 legs. So 12 * 4 = 48.", "answer": "48"}


def parsed(tmp_path, *rows, format="json", num_levels=3, **options):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    counts = parse_file(source, out, format=format, num_levels=num_levels, **options)
    return [json.loads(line) for line in out.read_text().splitlines()], counts


def test_an_answer_becomes_levels(tmp_path):
    (row,), counts = parsed(tmp_path, {"raw": f"Sure!\n```json\n{GOOD}\n```"})
    assert [row[f"level_{i}"] for i in (1, 2, 3)] == ["Look.", "Look twice.", "Open it."]
    assert row["refused"] == {}
    assert (counts.rows, counts.hints, counts.refused) == (1, 3, {})


def test_what_cannot_be_read_is_null_with_a_reason(tmp_path):
    rows, counts = parsed(tmp_path, {"raw": "no idea"}, {"raw": None}, {"raw": '{"level_1": "Look."}'})
    assert [row["level_1"] for row in rows] == [None, None, "Look."]
    assert rows[0]["refused"] == rows[1]["refused"] == {f"level_{i}": "unparsable" for i in (1, 2, 3)}
    assert rows[2]["refused"] == {"level_2": "missing_level", "level_3": "missing_level"}
    assert counts.refused == {"unparsable": 6, "missing_level": 2}


def test_a_row_with_its_problem_passes_the_guard(tmp_path):
    answer = json.dumps({"level_1": "Count the legs of one dog.", "level_2": "The answer is 48.", "level_3": "..."})
    (row,), _ = parsed(tmp_path, {"raw": answer, **PROBLEM})
    assert row["level_1"] == "Count the legs of one dog."
    assert (row["level_2"], row["level_3"]) == (None, None)
    assert row["refused"] == {"level_2": "answer", "level_3": "empty"}
    (row,), _ = parsed(tmp_path, {"raw": answer})
    assert row["level_2"] == "The answer is 48."


def test_rows_that_cannot_be_checked_are_counted(tmp_path, selfhint_command):
    bare, no_answer, blank = {"raw": GOOD}, {"raw": GOOD, "problem": "?"}, {"raw": GOOD, "problem": "?", "answer": " "}
    _, counts = parsed(tmp_path, bare, no_answer, blank, {"raw": GOOD, **PROBLEM})
    assert (counts.rows, counts.unchecked) == (4, 3)
    said = selfhint_command("hints", "parse", tmp_path / "in.jsonl", "--out", tmp_path / "again.jsonl").out
    assert "not checked for leaks: 3 rows without problem and answer" in " ".join(said.split())


def test_a_file_without_rows_is_refused_and_nothing_written(tmp_path):
    with pytest.raises(InputError, match="no rows; check that the file was written"):
        parsed(tmp_path)
    assert not (tmp_path / "out.jsonl").exists()


def test_leaks_can_be_kept_and_named(tmp_path):
    answer = json.dumps({"level_1": "Count the legs of one dog.", "level_2": "The answer is 48.", "level_3": "..."})
    (row,), counts = parsed(tmp_path, {"raw": answer, **PROBLEM}, count_leaks=True)
    assert (row["level_2"], row["level_3"]) == ("The answer is 48.", None)
    assert (row["refused"], row["flagged"]) == ({"level_3": "empty"}, {"level_2": "answer"})
    assert (counts.hints, counts.refused, counts.flagged) == (2, {"empty": 1}, {"answer": 1})
    with pytest.raises(InputError, match="a field 'flagged'"):
        parsed(tmp_path, {"raw": answer, "flagged": 1}, count_leaks=True)


def test_an_echo_of_the_request_is_found(tmp_path):
    echo = "names just the main idea or theorem that opens the problem"
    (row,), _ = parsed(tmp_path, {"raw": json.dumps({"level_1": echo}), **PROBLEM})
    assert row["refused"]["level_1"] == "echo_request"


def test_a_problem_without_a_solution_passes_the_guard_too(tmp_path):
    (row,), _ = parsed(tmp_path, {"raw": '{"level_1": "It is 48."}', "problem": "q", "answer": 48})
    assert row["refused"]["level_1"] == "answer"


def test_plain_text_is_one_hint_of_the_row_s_level(tmp_path):
    rows, counts = parsed(
        tmp_path, {"raw": "Hint: Look."}, {"raw": "Look twice.", "level": 2}, {"raw": " ", "level": "3"}, format="text"
    )
    assert rows[0] == {"raw": "Hint: Look.", "level_1": "Look.", "refused": {}}
    assert rows[1] == {"raw": "Look twice.", "level": 2, "level_2": "Look twice.", "refused": {}}
    assert (rows[2]["level_3"], rows[2]["refused"]) == (None, {"level_3": "empty"})
    assert (counts.hints, counts.refused) == (2, {"empty": 1})


def test_other_numbers_of_levels(tmp_path):
    answer = json.dumps({f"level_{i}": f"Step {i} of it." for i in range(1, 6)})
    (row,), _ = parsed(tmp_path, {"raw": answer, **PROBLEM}, num_levels=5)
    assert row["level_5"] == "Step 5 of it."
    (row,), _ = parsed(tmp_path, {"raw": answer}, num_levels=1)
    assert "level_2" not in row


def test_rows_keep_their_fields_byte_for_byte(tmp_path):
    line = '{"id": 1.50, "raw": "{\\"level_1\\": \\"\\u00e9\\"}" , "x": [1, 2.0]  }'
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(line)
    parse_file(source, out, format="json", num_levels=1)
    assert out.read_text() == line[:-1].rstrip() + ', "level_1": "\\u00e9", "refused": {}}\n'


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"answer": "1"}, "line 2: no field 'raw'; each row needs the answer that a model gave"),
        ({"raw": ["a"]}, "line 2: raw is a list; write it as text"),
        ({"raw": "a", "problem": {}, "answer": "1"}, "line 2: problem is an object; write it as text"),
        ({"raw": "a", "refused": 1}, "line 2: has a field 'refused', which the hints need; rename it"),
        ({"raw": "a", "level_2": "b"}, "line 2: has a field 'level_2'"),
        ("[1]", "line 2: not a JSON object"),
        ('{"raw": 1', "line 2: incomplete JSON"),
    ],
)
def test_bad_rows(tmp_path, row, message):
    (tmp_path / "out.jsonl").write_text("as it was")
    with pytest.raises(InputError) as error:
        parsed(tmp_path, {"raw": GOOD}, row)
    assert message in str(error.value)
    assert (tmp_path / "out.jsonl").read_text() == "as it was"
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl"}


def test_a_level_that_is_none(tmp_path):
    with pytest.raises(InputError, match="line 1: level is '4'; write a number from 1 to 3"):
        parsed(tmp_path, {"raw": "a", "level": 4}, format="text")


def test_the_command(tmp_path, selfhint_command, refused):
    source, out = jsonl(tmp_path / "in.jsonl", [{"raw": GOOD}, {"raw": "?"}]), tmp_path / "out.jsonl"
    refused("hints", "parse", tmp_path / "absent.jsonl", "--out", out, says=("absent.jsonl: cannot be read",))
    refused("hints", "parse", source, "--out", source, says=("is the input itself",))
    refused("hints", "parse", source, "--out", tmp_path, says=("is a folder",))
    refused("hints", "parse", source, "--out", out, "--format", "yaml", says=("--format yaml", "text, json"))
    outcome = selfhint_command("hints", "parse", source, "--out", out)
    unchecked = "not checked for leaks: 2 rows without problem and answer"
    assert (outcome.code, outcome.out) == (0, f"{out}: 2 rows, 3 hints, refused: 3 unparsable; {unchecked}\n")


def test_places_that_a_file_does_not_take(tmp_path, refused):
    source = jsonl(tmp_path / "in.jsonl", [{"raw": GOOD}])
    os.mkfifo(tmp_path / "pipe")
    refused("hints", "parse", source, "--out", tmp_path / "pipe", says=("pipe: is no file; choose another --out",))
    for out in (".", "/", ""):
        refused("hints", "parse", source, "--out", out, says=("is a folder; name a file in it",))


def test_more_levels_than_anyone_asks_for(tmp_path, selfhint_command):
    source = jsonl(tmp_path / "in.jsonl", [{"raw": GOOD}])
    outcome = selfhint_command("hints", "parse", source, "--out", tmp_path / "out", "--num-levels", "1000000000")
    assert outcome.code == 2
    assert re.search(r"--num-levels.*100$", outcome.err.strip())
    write = ["hints", "write", source, "--model", "lab", "--out", tmp_path / "out", "--per-level", "1000000000"]
    outcome = selfhint_command(*write)
    assert outcome.code == 2
    assert re.search(r"--per-level.*1000$", outcome.err.strip())
