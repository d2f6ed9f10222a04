from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from data.overlap.test_near import NEAR, STORY
from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.core.problem import content_key
from selfhint.data import Columns, load_problems
from selfhint.data.prepare import decide
from selfhint.data.prepare.manifest import read_manifest, sha256_of
from selfhint.data.prepare.run import prepare
from selfhint.data.prepare.settings import PrepareSettings, Tools

LOCAL_DATA = Path(__file__).parents[4] / "shared" / "data"


def judge(pairs):
    for gold, prediction in pairs:
        yield Verdict.of(
            prediction.split()[-1] == gold, reason="match" if prediction.split()[-1] == gold else "mismatch"
        )


def chat(question):
    return [{"role": "user", "content": question}]


TOOLS = Tools(chat, judge, prompt_tokens=lambda prompt: len(prompt[-1]["content"]), solution_tokens=len)
UNVERIFIED = Tools(chat)


def row(problem, answer="17", **more):
    return {"problem": problem, "solution": f"Think. So it is {answer}", "answer": answer, **more}


def numbered(num, start=0):
    """Problems that differ in more than a number."""
    rng = random.Random(f"rows {start}")
    words = ["".join(rng.choices("abcdefgh", k=6)) for _ in range(12 * num)]
    return [row(" ".join(words[12 * i : 12 * i + 12]), str(i)) for i in range(num)]


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def made(tmp_path, rows, name="out", tools=TOOLS, overwrite=False, **settings):
    source = write(tmp_path / "source.jsonl", rows)
    return prepare(source, tmp_path / name, PrepareSettings(**settings), tools, overwrite=overwrite).manifest


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def left_out(tmp_path, name="out"):
    return [(line["row"], line["reason"], line.get("of")) for line in lines(tmp_path / name / "left_out.jsonl")]


def problems(tmp_path, name="out", part="train"):
    return [line["problem"] for line in lines(tmp_path / name / f"{part}.jsonl")]


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_row_is_kept_or_left_out_for_a_reason(tmp_path):
    write(tmp_path / "bench.jsonl", [{"question": NEAR["typing errors"], "answer": "17"}, {"question": "1 + 1 ="}])
    twins = numbered(3)
    rows = [
        *twins,
        {"problem": "no answer", "solution": "s"},
        row("its trace says 5") | {"answer": "6"},
        row(STORY),
        row("1+1=", "2"),
        row("a" * 300),
        row("b", "9" * 300),
        row(f"  {twins[0]['problem'].upper()}", "0"),
        row("two answers", "1"),
        row("Two answers", "2"),
        row(f"{twins[1]['problem']} really", "1"),
    ]
    against = (str(tmp_path / "bench.jsonl"),)
    manifest = made(tmp_path, rows, against=against, max_prompt_tokens=250, max_solution_tokens=250)
    assert [(where, reason) for where, reason, _ in left_out(tmp_path)][:6] == [
        ("line 4", "without answer"),
        ("line 5", "whose solution does not end in the answer: mismatch"),
        ("line 6", f"of a benchmark, {against[0]}: nearly the same text"),
        ("line 7", f"of a benchmark, {against[0]}: the same text"),
        ("line 8", "with a prompt over the token budget"),
        ("line 9", "with a solution over the token budget"),
    ]
    logged = {line["row"]: line for line in lines(tmp_path / "out" / "left_out.jsonl")}
    assert "key" not in logged["line 4"]
    assert logged["line 5"]["key"] == content_key("its trace says 5", "6")
    assert 0 < logged["line 6"]["containment"] < 1 == logged["line 7"]["containment"]
    assert (logged["line 8"]["tokens"], logged["line 9"]["tokens"]) == (300, 300 + len("Think. So it is "))
    assert {"key", "containment"} < (logged.get("line 13") or logged["line 2"]).keys()
    (compared,) = manifest["benchmarks"]
    assert (compared["file"], compared["rows_left_out"]) == (against[0], 2)
    second = {frozenset((where, of)): reason for where, reason, of in left_out(tmp_path)[6:]}
    assert second == {
        frozenset(("line 1", "line 10")): "whose problem is there already",
        frozenset(("line 11", "line 12")): "that give one problem different answers",
        frozenset(("line 2", "line 13")): "whose problem is there already, nearly the same",
    }
    assert manifest["rows"] == {"read": 13, "kept": 3, "left_out": 10}
    assert sum(reason["count"] for reason in manifest["left_out"].values()) == 10
    assert manifest == read_manifest(tmp_path / "out")
    outputs = {output["file"]: output for output in manifest["outputs"]}
    assert {name: output["rows"] for name, output in outputs.items()} == {"train.jsonl": 3, "left_out.jsonl": 10}
    assert all(sha256_of(tmp_path / "out" / name) == output["sha256"] for name, output in outputs.items())
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*outputs, "manifest.json"}


def test_what_stays_has_the_keys_that_training_gives(tmp_path):
    rows = [row("x\u2028é", "007"), row("y", "1e5", prompt=[*chat("Be brief."), *chat("y")], h={"level_1": "Look."})]
    made(tmp_path, rows, columns=Columns(hints="h"))

    def load(path, hints):
        return load_problems(path, Columns(hints=hints), make_prompt=chat, need_solution=True).problems

    assert load(tmp_path / "out" / "train.jsonl", "hints") == load(tmp_path / "source.jsonl", "h")
    assert [line["key"] for line in lines(tmp_path / "out" / "train.jsonl")] == [
        problem.key for problem in load(tmp_path / "source.jsonl", "h")
    ]


@pytest.mark.parametrize("format", ["trl", "verl"])
def test_parquet_for_an_engine(tmp_path, format):
    rows = numbered(40)
    made(tmp_path, rows, format=format, validation=0.3)
    made(tmp_path, rows, "plain", validation=0.3)
    for part in ("train", "validation"):
        loaded = load_problems(tmp_path / "out" / f"{part}.parquet", Columns(), make_prompt=str, need_solution=True)
        assert [problem.question for problem in loaded.problems] == problems(tmp_path, "plain", part)
        assert all(problem.prompt == chat(problem.question) for problem in loaded.problems)


def test_names_that_utf8_does_not_have(tmp_path):
    source = tmp_path / os.fsdecode(b"\xff.jsonl")
    write(source, [row("x") | {"n": 1}])
    source.write_bytes(source.read_bytes().replace(b'"n"', b'"\\ud800"'))
    manifest = prepare(source, tmp_path / "out", PrepareSettings(), TOOLS).manifest
    assert manifest["columns_left_behind"] == ["\ud800"]
    assert manifest == read_manifest(tmp_path / "out")
    assert not prepare(source, tmp_path / "out", PrepareSettings(), TOOLS).is_new


def test_verls_rows_keep_verls_labels_and_dropped_fields_are_named(tmp_path):
    row = {
        "data_source": "openai/gsm8k",
        "prompt": chat("What is 17 * 1?"),
        "ability": "math",
        "reward_model": {"style": "rule", "ground_truth": "17"},
        "extra_info": {"index": 3, "split": "train", "answer": "#### 17", "problem": "What is 17 * 1?"},
        "other": {"one": 1, "two": 2},
    }
    manifest = made(tmp_path, [row], format="verl", tools=UNVERIFIED)
    (line,) = pq.read_table(tmp_path / "out" / "train.parquet").to_pylist()
    assert (line["data_source"], line["ability"]) == ("openai/gsm8k", "math")
    assert manifest["columns_left_behind"] == ["reward_model.style", "extra_info.index", "extra_info.split", "other"]


def test_the_same_bytes_twice_and_no_work_for_an_equal_command(tmp_path):
    rows = [*numbered(30), *(row(text) for text in NEAR.values())]
    made(tmp_path, rows, "one", num=20, validation=0.2)
    made(tmp_path, rows, "two", num=20, validation=0.2)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    again = prepare(
        tmp_path / "source.jsonl", tmp_path / "one", PrepareSettings(num=20, validation=0.2), Tools(chat, 1 / 1)
    )
    assert not again.is_new


def test_the_order_of_the_rows_decides_nothing_but_the_order_of_the_result(tmp_path):
    rows = [*numbered(40), *(row(text) for text in NEAR.values()), row("twice", "1"), row("Twice", "1")]
    shuffled = random.Random(1).sample(rows, len(rows))
    for name, order in (("one", rows), ("two", shuffled)):
        made(tmp_path, order, name, num=30, validation=0.2)
    in_order = [one["problem"] for one in shuffled]
    for part in ("train", "validation"):
        one, two = problems(tmp_path, "one", part), problems(tmp_path, "two", part)
        assert sorted(one) == sorted(two)
        assert two == sorted(two, key=in_order.index)


def test_a_smaller_draw_is_part_of_a_larger_and_the_split_stays(tmp_path):
    rows = numbered(60)
    made(tmp_path, rows, "ten", num=10, validation=0.5)
    made(tmp_path, rows, "thirty", num=30, validation=0.5)
    made(tmp_path, rows, "other", num=30, validation=0.5, seed=1)
    parts = {
        (name, part): set(problems(tmp_path, name, part))
        for name in ("ten", "thirty", "other")
        for part in ("train", "validation")
    }
    assert len(parts["ten", "train"] | parts["ten", "validation"]) == 10
    assert all(parts["ten", part] <= parts["thirty", part] for part in ("train", "validation"))
    assert parts["thirty", "train"] != parts["other", "train"]
    assert not parts["thirty", "train"] & parts["other", "validation"]


def test_difficulty_labels_and_drops(tmp_path):
    rows = numbered(4)
    made(tmp_path, rows, "plain")
    keys = [line["key"] for line in lines(tmp_path / "plain" / "train.jsonl")]
    looks = [
        {"key": key, "groups": [{"level": 0, "correct": correct}]}
        for key, correct in zip(keys, ([False] * 4, [True] * 4, [True, False]), strict=False)
    ]
    (tmp_path / "d.json").write_text(json.dumps({"looks": looks}))
    manifest = made(tmp_path, rows, "labelled", difficulty=str(tmp_path / "d.json"))
    labels = [(line.get("solved"), line.get("drawn")) for line in lines(tmp_path / "labelled" / "train.jsonl")]
    assert labels == [(0, 4), (4, 4), (1, 2), (None, None)]
    assert manifest["diagnosed"] == 3
    made(tmp_path, rows, "dropped", difficulty=str(tmp_path / "d.json"), drop=frozenset({"never", "always"}))
    assert problems(tmp_path, "dropped") == [rows[2]["problem"], rows[3]["problem"]]
    assert [where for where, _, _ in left_out(tmp_path, "dropped")] == ["line 1", "line 2"]
    with pytest.raises(InputError, match="none of its 3 problems is in"):
        made(tmp_path, numbered(4, start=1), "other", difficulty=str(tmp_path / "d.json"))


def test_without_verification_rows_need_no_solution(tmp_path):
    made(tmp_path, [{"problem": "1+1", "answer": "2"}, row("2+2", "5") | {"solution": "4"}], tools=UNVERIFIED)
    assert problems(tmp_path) == ["1+1", "2+2"]


def test_answers_that_the_verifier_calls_equal_are_no_conflict(tmp_path):
    rows = [row("What is half of one?", "0.5"), row("what is half of one?", "0.50")]
    made(tmp_path, rows, tools=Tools(chat, lambda pairs: (Verdict.of(True, reason="match") for _ in pairs)))
    assert len(problems(tmp_path)) == 1


def test_near_duplicates_stay_where_they_are_not_looked_for(tmp_path):
    made(tmp_path, [row(STORY), row(NEAR["typing errors"]), row(STORY.upper())], near=False)
    assert len(problems(tmp_path)) == 2


def test_how_far_a_judge_reads_ahead_changes_nothing(tmp_path):
    rows = [row("x", "1") | {"solution": "it is 2"}, {"problem": "y"}, *numbered(3), {"problem": "z"}]
    made(tmp_path, rows, "one")
    made(tmp_path, rows, "two", tools=Tools(chat, lambda pairs: judge(list(pairs))))
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert [where for where, _, _ in left_out(tmp_path, "one")] == ["line 1", "line 2", "line 6"]


def test_a_full_template_is_compared_in_part_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(decide, "MAX_LEADERS", 0)
    manifest = made(tmp_path, [row(STORY), row(f"{STORY} Explain."), row(f"{STORY} Show.")])
    assert manifest["compared_in_part"] == 2
    assert manifest["rows"]["kept"] == 3


def test_a_stop_leaves_nothing(tmp_path):
    def stopped(pairs):
        yield from judge([next(iter(pairs))])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(tmp_path, numbered(3), tools=Tools(chat, stopped))
    assert [path.name for path in tmp_path.iterdir()] == ["source.jsonl"]


def test_nothing_is_overwritten_unasked(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    for overwrite in (False, True):
        with pytest.raises(InputError, match="was not made by data prepare"):
            made(tmp_path, numbered(3), "mine", overwrite=overwrite)
    made(tmp_path, numbered(3))
    before = files(tmp_path / "out")
    with pytest.raises(InputError, match="--overwrite"):
        made(tmp_path, numbered(2))
    assert files(tmp_path / "out") == before
    made(tmp_path, numbered(2), overwrite=True)
    assert len(problems(tmp_path)) == 2
    (tmp_path / "out" / "train.jsonl").write_text("changed")
    with pytest.raises(InputError, match="was changed since"):
        made(tmp_path, numbered(2))
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "out", "source.jsonl"}


def test_overwriting_deletes_nothing_that_prepare_did_not_make(tmp_path):
    made(tmp_path, numbered(3))
    before = files(tmp_path / "out")
    train = tmp_path / "out" / "train.jsonl"
    with pytest.raises(InputError, match=r"holds .*train\.jsonl, which the new result is made from"):
        prepare(train, tmp_path / "out", PrepareSettings(num=1), TOOLS, overwrite=True)
    with pytest.raises(InputError, match=r"holds .*train\.jsonl, which"):
        made(tmp_path, numbered(2, 1), overwrite=True, against=(str(train),))
    (tmp_path / "out" / "notes").mkdir()
    with pytest.raises(InputError, match="notes in it was not made by data prepare"):
        made(tmp_path, numbered(2), overwrite=True)
    (tmp_path / "out" / "notes").rmdir()
    assert files(tmp_path / "out") == before


def test_a_link_is_followed(tmp_path):
    made(tmp_path, numbered(3), "real")
    (tmp_path / "out").symlink_to("real")
    made(tmp_path, numbered(2), overwrite=True)
    assert {path.name for path in tmp_path.iterdir()} == {"source.jsonl", "real", "out"}
    assert (tmp_path / "out").is_symlink()
    assert len(problems(tmp_path, "real")) == 2


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_behind_dots_is_not_replaced(tmp_path, overwrite):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    with pytest.raises(InputError, match="mine: is there and was not made by data prepare"):
        made(tmp_path, numbered(3), "mine/none/..", overwrite=overwrite)
    assert (tmp_path / "mine" / "thesis.tex").exists()


def test_what_another_command_made_meanwhile_stays(tmp_path):
    made(tmp_path, numbered(3), "other")

    def slow(pairs):
        (tmp_path / "other").rename(tmp_path / "out")
        yield from judge(pairs)

    with pytest.raises(InputError, match="made while this command ran; add --overwrite"):
        made(tmp_path, numbered(3), num=2, tools=Tools(chat, slow))
    assert len(problems(tmp_path)) == 3
    assert {path.name for path in tmp_path.iterdir()} == {"out", "source.jsonl"}


@pytest.mark.parametrize(
    ("name", "content"), [("d.jsonl", ""), ("d.jsonl", "\n\n"), ("d.csv", "problem,solution,answer\n")]
)
def test_data_without_rows(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match="no rows; check"):
        prepare(tmp_path / name, tmp_path / "out", PrepareSettings(), TOOLS)
    assert not (tmp_path / "out").exists()


def test_a_failed_overwrite_leaves_the_earlier_result(tmp_path):
    made(tmp_path, numbered(3))
    before = files(tmp_path / "out")
    with pytest.raises(InputError, match="no problem is left of 1 rows: 1 without answer"):
        made(tmp_path, [{"problem": "x", "solution": "s", "answer": None}], overwrite=True)
    assert files(tmp_path / "out") == before
    assert {path.name for path in tmp_path.iterdir()} == {"out", "source.jsonl"}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"drop": frozenset({"never"})}, "add --difficulty"),
        ({"difficulty": "d", "drop": frozenset({"often"})}, "use never or always"),
        ({"validation": 1.0}, "from 0 to below 1"),
        ({"format": "csv"}, "use one of jsonl, trl, verl"),
        ({"against": ("no.jsonl",)}, "no.jsonl"),
        ({"difficulty": "no.json"}, "no.json"),
    ],
)
def test_settings_that_cannot_be(tmp_path, settings, says):
    with pytest.raises(InputError, match=says):
        made(tmp_path, numbered(1), **settings)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not LOCAL_DATA.is_dir(), reason="no local data folder")
def test_known_overlaps_are_found(tmp_path):
    against = (str(LOCAL_DATA / "olympiadbench_math_en.jsonl"), str(LOCAL_DATA / "math500.jsonl"))
    prepare(
        LOCAL_DATA / "math_train_2000.jsonl", tmp_path / "out", PrepareSettings(against=against, num=10), UNVERIFIED
    )
    found = [
        (where, "same" in reason and "nearly" not in reason)
        for where, reason, _ in left_out(tmp_path)
        if "benchmark" in reason
    ]
    assert found == [
        ("line 122", False),
        ("line 1004", True),
        ("line 1051", True),
        ("line 1174", False),
        ("line 1903", False),
    ]
