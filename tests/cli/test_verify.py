from __future__ import annotations

import json
import os
from collections import deque
from pathlib import Path

import pytest

from selfhint.cli import main
from selfhint.cli.verify import _pairs, verify_file
from selfhint.core.errors import InputError
from selfhint.verify import make_verifier

ROWS = [
    '{"id": 1.50, "gold": 2, "prediction": "\\\\boxed{2}", "meta": {"a": [1, 2.0]}}',
    '{"prediction": "\\\\boxed{2}" , "gold": "3" }',
    "",
    '{"gold": null, "prediction": "\\ud800"}',
    '{"gold": "2", "prediction": null}',
    '{"gold": ' + "7" * 20_000 + ', "prediction": "' + "7" * 20_000 + '"}',
]


def judge(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "in.jsonl").write_text(text)
    verify_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", make_verifier("exact"))
    return (tmp_path / "out.jsonl").read_text().splitlines()


def test_rows_keep_their_fields_byte_for_byte(tmp_path: Path) -> None:
    lines = judge(tmp_path, "\n".join(ROWS))
    rows = [row for row in ROWS if row]
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        assert line.startswith(row[:-1].rstrip() + ", ")
        assert line.endswith("}")


def test_every_row_has_its_verdict(tmp_path: Path) -> None:
    verdicts = [json.loads(line, parse_int=str) for line in judge(tmp_path, "\n".join(ROWS))]
    assert [(v["correct"], v["reward"], v["reason"]) for v in verdicts] == [
        (True, 1.0, "match"),
        (False, 0.0, "mismatch"),
        (None, None, "gold unreadable"),
        (False, 0.0, "no answer found"),
        (True, 1.0, "match"),
    ]
    assert verdicts[1]["extracted"] == "2"
    assert all(v["seconds"] >= 0 for v in verdicts)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"gold": 1}', r"in\.jsonl, line 2: no field 'prediction'; each row needs gold and prediction"),
        ('{"prediction": "1"}', r"line 2: no field 'gold'"),
        ('{"gold": 1, "prediction": ["1"]}', r"line 2: prediction is a list; write it as text"),
        ('{"gold": 1, "prediction": true}', r"line 2: prediction is true or false; write it as text"),
        ('{"gold": 1, "prediction": "1", "reason": "r"}', r"line 2: has a field 'reason', .* rename it"),
        ("[1]", r"line 2: not a JSON object"),
        ('{"gold": 1', r"line 2: (not valid|incomplete) JSON"),
    ],
)
def test_bad_rows(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "out.jsonl").write_text("as it was")
    with pytest.raises(InputError, match=message):
        judge(tmp_path, ROWS[0] + "\n" + row + "\n")
    assert (tmp_path / "out.jsonl").read_text() == "as it was"
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl"}


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    verifier = make_verifier("exact")
    with pytest.raises(InputError, match=r"absent\.jsonl: cannot be read \(No such file"):
        verify_file(tmp_path / "absent.jsonl", tmp_path / "out.jsonl", verifier)
    (tmp_path / "in.jsonl").write_text(ROWS[0])
    with pytest.raises(InputError, match=r"--out .*out\.jsonl: cannot be written \(No such file"):
        verify_file(tmp_path / "in.jsonl", tmp_path / "absent" / "out.jsonl", verifier)
    with pytest.raises(InputError, match=r"--out .*: is a folder"):
        verify_file(tmp_path / "in.jsonl", tmp_path, verifier)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int | str | None:
    monkeypatch.setattr("sys.argv", ["selfhint", "verify", *words])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"gold": r"\frac{1}{2}", "prediction": f"\\boxed{{{answer}}}"} for answer in ("0.5", "2/4", "0.6")]
    source.write_text("\n".join(map(json.dumps, rows)))
    assert command(monkeypatch, str(source), "--out", str(out)) in (0, None)
    assert [json.loads(line)["correct"] for line in out.read_text().splitlines()] == [True, True, False]
    assert capsys.readouterr().out == f"{out}: 3 verdicts (2 match, 1 mismatch)\n"
    assert command(monkeypatch, str(source), "--out", str(out), "--kind", "maths") == 2
    assert "verifier kind maths: no such kind; use one of math" in capsys.readouterr().err
    assert command(monkeypatch, str(source), "--out", str(out), "--time-limit", "0") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tolerance"], "verify tolerance: not of the form key=value"),
        (["workers=3"], "verify workers=3: write --workers 3"),
        (["size=3"], "verifier numeric: no option size; it takes tolerance"),
        (["tolerance=many"], "verifier numeric: "),
    ],
)
def test_options_of_the_kind(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"gold": 100, "prediction": "101"}\n')
    arguments = [str(source), "--out", str(out), "--kind", "numeric"]
    assert command(monkeypatch, *arguments, "tolerance=0.02") in (0, None)
    assert json.loads(out.read_text())["correct"] is True
    capsys.readouterr()
    assert command(monkeypatch, *arguments, *words) == 2
    assert message in capsys.readouterr().err


def test_options_of_choices_are_a_field_of_the_row(tmp_path: Path) -> None:
    rows = [{"gold": "B", "prediction": text, "options": ["red", "blue"]} for text in ("blue", "red", "B")]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    reasons = verify_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", make_verifier("choice"))
    assert reasons == {"match": 2, "mismatch": 1}


def test_the_input_is_never_overwritten(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"gold": "1", "prediction": "1"}\n')
    with pytest.raises(InputError, match="is the input itself"):
        verify_file(path, tmp_path / "." / "rows.jsonl", make_verifier("exact"))
    assert path.read_text() == '{"gold": "1", "prediction": "1"}\n'


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('{"gold": 1, "options": ["red", "blue"], "prediction": "B"}', "match"),
        ('{"gold": 1, "options": ["red", "blue"], "prediction": "A"}', "mismatch"),
        ('{"gold": 2, "options": ["red", "blue"], "prediction": "B"}', "gold unreadable"),
        ('{"gold": 3, "options": [2, 3], "prediction": "The answer is 3."}', "match"),
        ('{"gold": "B", "options": [0.10, 0.50], "prediction": "0.50"}', "match"),
        ('{"gold": "A", "options": [0.10, 0.50], "prediction": "0.50"}', "mismatch"),
        ('{"id": ' + "7" * 5000 + ', "gold": 1, "options": ["red", "blue"], "prediction": "B"}', "match"),
        ('{"gold": NaN, "options": ["red", "blue"], "prediction": "B"}', "gold unreadable"),
    ],
)
def test_a_gold_that_is_a_number_is_an_index(tmp_path: Path, row: str, expected: str) -> None:
    (tmp_path / "in.jsonl").write_text(row)
    assert verify_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl", make_verifier("choice")) == {expected: 1}


@pytest.mark.parametrize(
    ("kind", "golds"),
    [
        ("function", [42, 0.5, {"a": [1]}]),
        ("reasoning_gym", [42, 0.5, {"a": [1]}]),
        ("exact", ["42", "0.50", {"a": ["1"]}]),
        ("numeric", ["42", "0.50", {"a": ["1"]}]),
    ],
)
def test_functions_and_entries_get_numbers_and_other_kinds_their_text(
    tmp_path: Path, kind: str, golds: list[object]
) -> None:
    rows = [f'{{"gold": {gold}, "prediction": "x"}}' for gold in ("42", "0.50", '{"a": [1]}')]
    (tmp_path / "in.jsonl").write_text("\n".join(rows))
    assert [gold for gold, _ in _pairs(tmp_path / "in.jsonl", deque(), kind)] == golds


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(ROWS[0])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"--out .*pipe: is no file; choose another --out"):
        verify_file(tmp_path / "in.jsonl", tmp_path / "pipe", make_verifier("exact"))
    assert (tmp_path / "pipe").is_fifo()


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("out.jsonl")
    (tmp_path / "in.jsonl").write_text(ROWS[0])
    verify_file(tmp_path / "in.jsonl", tmp_path / "link", make_verifier("exact"))
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "out.jsonl").read_text())["correct"] is True
    (tmp_path / "to_input").symlink_to("in.jsonl")
    with pytest.raises(InputError, match="is the input itself"):
        verify_file(tmp_path / "in.jsonl", tmp_path / "to_input", make_verifier("exact"))


@pytest.mark.parametrize("out", [".", "/", ""])
def test_a_folder_without_a_name_is_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    (tmp_path / "in.jsonl").write_text(ROWS[0])
    assert command(monkeypatch, str(tmp_path / "in.jsonl"), "--out", out) == 2
    assert capsys.readouterr().err.endswith("is a folder; name a file in it\n")


def test_options_nested_too_deeply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.jsonl").write_text(ROWS[0])
    words = [str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out"), "--kind", "choice", "options=" + "[" * 2000]
    assert command(monkeypatch, *words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("nested too deeply; take lists and mappings out of each other")
