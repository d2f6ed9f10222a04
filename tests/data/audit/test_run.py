from __future__ import annotations

import csv
import json

import pytest

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.data import Columns
from selfhint.data.audit.answers import AnswerTools
from selfhint.data.audit.lengths import Measure
from selfhint.data.audit.rows import AuditTools
from selfhint.data.audit.run import Audit, audit


def judge(golds, predictions) -> list[Verdict]:
    """Right is a completion whose last word is the gold."""
    words = [prediction.rstrip("}").replace("{", " ").split()[-1] for prediction in predictions]
    endings = [word == gold for gold, word in zip(golds, words, strict=True)]
    return [Verdict.of(right, reason="match" if right else "mismatch") for right in endings]


def words(problem) -> int:
    if "unreadable" in problem.question:
        raise InputError("model=m: its tokenizer cannot read 'unreadable'")
    return len(problem.question.split())


ANSWERS = AnswerTools(judge, lambda gold: gold, lambda text: None, lambda answer: [answer], no_verdict=())
PROMPT = Measure("prompt", "max_prompt_tokens", 40, "prompt_over_budget", words)
TOOLS = AuditTools(lambda question: question, ANSWERS, (PROMPT,))


def row(problem: str = "What is 2 + 3?", answer: str | None = "5", solution: str | None = "It is 5", **more) -> str:
    return json.dumps({"problem": problem, "solution": solution, "answer": answer, **more}) + "\n"


def audited(path, *, columns: Columns | None = None, need_solution: bool = True, **options) -> Audit:
    return audit(path, columns or Columns(), TOOLS, need_solution=need_solution, **options)


def numbers(audit: Audit) -> dict[str, list[int]]:
    """Name (and words, where they are loading's own) of each finding → row numbers."""
    return {
        finding.what if finding.name in ("left_out", "no_solution") else finding.name: [
            found.place.number for found in finding.found
        ]
        for finding in audit.findings
    }


def test_one_bad_row_stops_nothing(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(
        row()
        + "no JSON\n"
        + row("What is 3 + 3?", "6", "Six, 6")
        + row("", "6")
        + row("half \ud800")
        + row("no solution?", "5", None)
        + row("What is 2 + 3?", "7", "It is 7")
        + '"text"\n'
        + row("unreadable")
        + row("long " * 41)
        + '{"problem": "cut off'
    )
    result = audited(path)
    assert numbers(result) == {
        "damaged": [2, 8, 11],
        "without problem": [4],
        "whose problem holds half of a surrogate pair": [5],
        "without solution": [6],
        "two_answers": [7],
        "prompt_unreadable": [9],
        "prompt_over_budget": [10],
    }
    assert (result.num_rows, result.num_problems, result.harms) == (11, 2, True)
    (lengths,) = result.lengths
    assert (lengths.num, lengths.longest, lengths.num_over) == (3, 41, 1), "neither row 6, without solution, nor row 7"


def test_what_is_only_worth_knowing_harms_nothing(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(row() + row() + row("In the figure, find x. [asy]", "5"))
    result = audited(path)
    assert numbers(result) == {"duplicate": [2], "picture_drawn": [3]}
    assert not result.harms
    assert result.num_problems == 2


def test_nothing_found(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(row())
    result = audited(path)
    assert (result.findings, result.harms, result.notes) == ((), False, ())


def test_without_the_column_of_solutions(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": "a", "answer": "5", "rationale": "It is 5"}\n')
    result = audited(path)
    assert numbers(result) == {"without solution": [1]}
    (note,) = result.notes
    assert "columns.solution=rationale" in note
    assert not audited(path, need_solution=False).findings


def test_without_the_column_of_answers_nothing_can_be_said(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": "a", "solution": "s"}\n')
    with pytest.raises(InputError, match="no column 'answer'"):
        audited(path)


@pytest.mark.parametrize("content", ["", "\n"])
def test_no_rows(tmp_path, content):
    path = tmp_path / "d.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match="no rows"):
        audited(path)


def test_of_rows_that_are_all_damaged_the_first_is_told(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text('{"problem": 1\nno JSON\n')
    with pytest.raises(InputError, match=r"d\.jsonl, line 1: not valid JSON .*no other row can be read either"):
        audited(path)


def test_benchmarks(tmp_path):
    text = "A farmer has 12 cows and 30 sheep on two fields, and sells a third of the sheep. How many animals are left?"
    path, benchmark = tmp_path / "d.jsonl", tmp_path / "b.jsonl"
    path.write_text(row() + row(text, "32", "So 32") + row(text.replace("farmer", "neighbour"), "32", "So 32"))
    benchmark.write_text(json.dumps({"question": text.upper(), "answer": "32"}) + "\n")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({"problem": "How far is the moon?"}) + "\n")
    result = audited(path, against=[benchmark, other])
    assert result.notes == (f"{other}: no row was found in it (problems compared with: 1).",)
    assert numbers(result) == {"benchmark_same": [2], "benchmark_near": [3]}
    assert f"{benchmark}, line 1" in result.findings[1].found[0].detail
    assert result.harms


def test_hints_of_another_form(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(row(hints={"level_9": "a"}) + row("What is 1 + 4?", hints=["a", None, "b"]))
    result = audited(path, columns=Columns(hints="hints"), need_solution=False)
    assert numbers(result) == {"malformed_hints": [1]}


def test_a_csv_record_with_too_many_fields(tmp_path):
    path = tmp_path / "d.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("problem", "solution", "answer"), ("a, b", "5", "5"), ("c", "d", "5", "6"), ("e", "f 5", "5")]
        )
    assert numbers(audited(path))["damaged"] == [3]


def test_json_holds_everything(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(row() + row())
    values = json.loads(json.dumps(audited(path).as_json()))
    assert values["rows"] == 2
    (finding,) = values["findings"]
    assert (finding["name"], finding["severity"], finding["count"]) == ("duplicate", "worth knowing", 1)
    assert finding["rows"] == [{"file": str(path), "line": 2, "detail": f"see {path}, line 1"}]
    assert values["lengths"] == [
        {
            "what": "prompt",
            "problems": 1,
            "p50": 5,
            "p90": 5,
            "p99": 5,
            "longest": 5,
            "budget_key": "max_prompt_tokens",
            "budget": 40,
            "over": 0,
        }
    ]


def test_progress(tmp_path, monkeypatch):
    monkeypatch.setattr("selfhint.data.audit.run.TOGETHER", 2)
    path = tmp_path / "d.jsonl"
    path.write_text("".join(row(f"What is {i} + 0?", "5") for i in range(5)))
    told = []
    audited(path, on_rows=told.append)
    assert told == [2, 4, 5]
