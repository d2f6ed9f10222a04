"""The log files: what a line holds, what survives a crash, and which directories are refused."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.errors import InputError
from selfhint.core.group import Hint
from selfhint.core.ledger import Ledger
from selfhint.runlog import (
    GROUPS,
    HINTS,
    LOG_FILES,
    METRICS,
    RunLog,
    encode_line,
    group_line,
    hint_line,
    read_lines,
    step_metrics,
)
from support.episodes import problems
from support.sealed import sealed_folder
from support.visits import group, visit

A, B, C, D = problems(4)
HINT = Hint("h1", A.key, 1, "think", "self")
REFUSED = [Hint(f"r{i}", A.key, 1, "it is 0", "self", reason) for i, reason in enumerate(["empty", "answer", "answer"])]
RESCUED = visit(
    A,
    group(0, "0000", tokens=10),
    group(1, "0000", tokens=20),
    group(2, "0110", tokens=30, key=A.key),
    number=5,
    hints=(*REFUSED, HINT),
    hint_tokens=17,
)
SOLVED = visit(B, group(0, "1111", tokens=2))
NO_LINES = dict.fromkeys(LOG_FILES, 0)


@pytest.fixture
def open_log():
    """Makes run logs and closes them at the end."""
    logs = []

    def make(folder, **kwargs):
        logs.append(RunLog(folder, **kwargs))
        return logs[-1]

    yield make
    for log in logs:
        log.close()


def write_step(log, step):
    log.write_visits([RESCUED, SOLVED], step, epoch=0)
    log.write_metrics({"step": step})


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# Lines


def test_group_line():
    line = group_line(RESCUED, step=3, epoch=1)
    assert line == {
        "step": 3,
        "epoch": 1,
        "key": A.key,
        "visit": 5,
        "level": 2,
        "hint": f"{A.key}-0-2-0",
        "rewards": [0.0, 1.0, 1.0, 0.0],
        "drawn": [
            {"level": 0, "rewards": [0.0] * 4, "tokens": 40},
            {"level": 1, "rewards": [0.0] * 4, "tokens": 80},
            {"level": 2, "rewards": [0.0, 1.0, 1.0, 0.0], "tokens": 120},
        ],
        "tokens": {"kept": 120, "discarded": 120, "hints": 17},
        "refused": {"empty": 1, "answer": 2},
        "flagged": {},
        "why": None,
    }
    assert json.loads(encode_line(line)) == line


def test_group_line_without_hint_and_without_verdict():
    line = group_line(visit(A, group(0, "1?")), step=1, epoch=0)
    assert (line["level"], line["hint"], line["rewards"], line["refused"]) == (0, None, [1.0, None], {})


@pytest.mark.parametrize("hint", [HINT, REFUSED[0]])
def test_hint_line(hint):
    assert hint_line(hint, step=3) == {
        "id": hint.id,
        "key": A.key,
        "step": 3,
        "level": 1,
        "text": hint.text,
        "source": "self",
        "refused": hint.refused,
        "flagged": None,
        "solution_cut": 0,
    }


def test_a_hint_that_is_used_although_flagged_is_told_everywhere():
    told = Hint("f", A.key, 1, "it is 0", "self", flagged="answer")
    one = visit(A, group(0, "0000"), group(1, "0110", hint=told), hints=(REFUSED[0], told))
    assert hint_line(told, step=3)["flagged"] == "answer"
    line = group_line(one, step=3, epoch=1)
    assert (line["refused"], line["flagged"]) == ({"empty": 1}, {"answer": 1})
    metrics = step_metrics([one, one], Ledger())
    assert {name: value for name, value in metrics.items() if "ed/" in name} == {
        "hints/refused/empty": 2,
        "hints/flagged/answer": 2,
    }


def test_step_metrics():
    visits = [
        RESCUED,
        SOLVED,
        visit(
            C, group(0, "0000", tokens=1), group(3, "0000", tokens=1), hints=(Hint("r", C.key, 1, "", "self", "empty"),)
        ),
        visit(D, group(0, "1?01", tokens=1)),
    ]
    ledger = Ledger()
    ledger.add_step(visits)
    assert step_metrics(visits, ledger) == {
        "reward/mean": (2 + 4 + 0 + 2) / 15,
        "success/without_hint": (0 + 1 + 0) / 3,
        "groups/total": 4,
        "groups/failed_first": 2,
        "groups/rescued": 1,
        "groups/no_signal": 2,
        "groups/all_correct": 1,
        "groups/unscored": 1,
        "hints/level_1": 0,
        "hints/level_2": 1,
        "hints/level_3": 1,
        "hints/solutions_cut": 0,
        "hints/refused/answer": 2,
        "hints/refused/empty": 2,
        "completions/mean_length": (120 + 8 + 4 + 4) / 16,
        "tokens/kept": 120 + 8 + 4 + 4,
        "tokens/discarded": 120 + 4,
        "tokens/hints": 17,
        "problems/seen": 4,
        "problems/never_solved": 1,
        "problems/never_solved_without_hint": 2,
    }


@pytest.mark.parametrize(
    ("made", "missing"), [(group(1, "??"), "reward/mean"), (group(1, "01"), "success/without_hint")]
)
def test_a_mean_of_nothing_is_none(made, missing):
    assert step_metrics([visit(A, made)], Ledger())[missing] is None


# Writing and reading


def test_a_run_is_written_and_read_back(tmp_path, open_log):
    seen = []
    log = open_log(tmp_path / "new" / "run", listener=seen.append)
    log.start()
    write_step(log, 1)
    write_step(log, 2)

    # Every line is on disk without closing: a killed process loses none.
    groups, hints, metrics = (list(read_lines(log.folder / name)) for name in (GROUPS, HINTS, METRICS))
    assert groups == [group_line(v, step, 0) for step in (1, 2) for v in (RESCUED, SOLVED)]
    assert hints == [hint_line(hint, step) for step in (1, 2) for hint in RESCUED.hints]
    assert metrics == seen == [{"step": 1}, {"step": 2}]
    assert log.sizes() == {name: len(content) for name, content in contents(log.folder).items()}


def test_closing_twice_is_safe(tmp_path):
    log = RunLog(tmp_path)
    log.close()
    log.start()
    log.close()
    log.close()
    open_again = RunLog(tmp_path)
    open_again.start()
    open_again.close()


AWKWARD = [
    "\u2028",
    "\u2029",
    "\x85",
    "\r",
    "\n",
    "\r\n",
    "\x00",
    "\ud800",
    "\udc00",
    "\\\ud83d",
    "\U0001f600",
    '"',
    "\\u2028",
]


def test_any_character_comes_back_in_one_line(tmp_path):
    path = tmp_path / "log.jsonl"
    lines = [{"text": f"a{character}b"} for character in AWKWARD]
    path.write_bytes(b"".join(map(encode_line, lines)))
    assert list(read_lines(path)) == lines


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_any_text_comes_back_as_json_carries_it(text):
    line = encode_line({text: text})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    carried = json.loads(json.dumps(text))  # two halves of a surrogate pair side by side become one character
    assert json.loads(line.decode("utf-8")) == {carried: carried}


@pytest.mark.parametrize("cut", [1, 2, 5])
def test_a_last_line_cut_off_by_a_crash_is_left_out(tmp_path, cut):
    path = tmp_path / "log.jsonl"
    whole = encode_line({"step": 1}) + encode_line({"step": 2})
    path.write_bytes(whole[:-cut])
    assert list(read_lines(path)) == [{"step": 1}]


def test_an_empty_file_has_no_lines(tmp_path):
    path = tmp_path / "log.jsonl"
    path.touch()
    assert list(read_lines(path)) == []


# Directories


def test_a_fresh_start_in_a_directory_with_other_files_and_empty_logs(tmp_path, open_log):
    (tmp_path / "recipe.yaml").write_text("steps: 3\n")
    (tmp_path / METRICS).touch()
    log = open_log(tmp_path)
    log.start()
    assert log.sizes() == NO_LINES
    assert (tmp_path / "recipe.yaml").read_text() == "steps: 3\n"


@pytest.mark.parametrize("name", LOG_FILES)
def test_a_fresh_start_in_a_used_directory_is_refused_and_changes_nothing(tmp_path, open_log, name):
    (tmp_path / name).write_bytes(b'{"step": 1}\n')
    with pytest.raises(InputError, match=rf"holds the logs of an earlier run \({name}\); resume it, ") as caught:
        open_log(tmp_path).start()
    assert "\n" not in str(caught.value)
    assert contents(tmp_path) == {name: b'{"step": 1}\n'}


@pytest.mark.parametrize("below", [".", "run"])
@pytest.mark.parametrize("begin", [RunLog.start, lambda log: log.resume(NO_LINES)], ids=["start", "resume"])
def test_a_file_in_place_of_the_directory_is_refused(tmp_path, open_log, begin, below):
    occupied = tmp_path / "occupied"
    occupied.write_text("not a directory")
    folder = occupied / below
    with pytest.raises(InputError, match=r"cannot write the run's logs \(.+\); make the directory writable") as caught:
        begin(open_log(folder))
    assert str(caught.value).startswith(f"{folder}: ")
    assert contents(tmp_path) == {"occupied": b"not a directory"}


@pytest.fixture
def sealed(tmp_path):
    with sealed_folder(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("below", [".", "run"])
@pytest.mark.parametrize("begin", [RunLog.start, lambda log: log.resume(NO_LINES)], ids=["start", "resume"])
def test_a_directory_without_permission_is_refused(sealed, open_log, begin, below):
    with pytest.raises(
        InputError, match=r"cannot write the run's logs \(Permission denied\); make the directory writable"
    ):
        begin(open_log(sealed / below))


# Resume


def test_resume_cuts_to_the_checkpoint_and_goes_on(tmp_path, open_log):
    whole, interrupted = open_log(tmp_path / "whole"), open_log(tmp_path / "interrupted")
    for log in (whole, interrupted):
        log.start()
        write_step(log, 1)
    checkpoint = interrupted.sizes()
    write_step(interrupted, 2)
    interrupted.close()
    with open(interrupted.folder / GROUPS, "ab") as file:
        file.write(b'{"step": 3, "ep')  # killed while writing

    resumed = open_log(interrupted.folder)
    resumed.resume(checkpoint)
    assert resumed.sizes() == checkpoint
    for log in (whole, resumed):
        write_step(log, 2)
    assert contents(resumed.folder) == contents(whole.folder)


def test_resume_at_a_checkpoint_before_the_first_line(tmp_path, open_log):
    log = open_log(tmp_path / "not yet there")
    log.resume(NO_LINES)
    write_step(log, 1)
    assert list(read_lines(log.folder / METRICS)) == [{"step": 1}]


@pytest.mark.parametrize("name", LOG_FILES)
@pytest.mark.parametrize("lost", ["a byte", "the file"])
def test_a_file_shorter_than_recorded_is_refused_and_nothing_is_cut(tmp_path, open_log, name, lost):
    log = open_log(tmp_path)
    log.start()
    write_step(log, 1)
    checkpoint = log.sizes()
    write_step(log, 2)
    log.close()
    if lost == "a byte":
        os.truncate(tmp_path / name, checkpoint[name] - 1)
    else:
        (tmp_path / name).unlink()
    have = checkpoint[name] - 1 if lost == "a byte" else 0
    before = contents(tmp_path)
    with pytest.raises(
        InputError, match=f"{name}: has {have} bytes where the checkpoint recorded {checkpoint[name]}; put"
    ):
        open_log(tmp_path).resume(checkpoint)
    assert contents(tmp_path) == before


def test_a_directory_that_another_writer_holds_is_refused(tmp_path, open_log):
    first = open_log(tmp_path)
    first.start()
    with pytest.raises(InputError, match="another process is writing in this run directory"):
        open_log(tmp_path).start()
    write_step(first, 1)
    checkpoint = first.sizes()
    write_step(first, 2)
    before = contents(tmp_path)
    with pytest.raises(InputError, match="another process is writing in this run directory"):
        open_log(tmp_path).resume(checkpoint)
    assert contents(tmp_path) == before
    first.close()
    open_log(tmp_path).resume(checkpoint)


def test_a_number_that_json_lacks_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        encode_line({"reward": float("nan")})


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / METRICS
    path.write_bytes(b'{"step": 1}\n{"step": \n{"step": 3}\n')
    lines = read_lines(path)
    assert next(lines) == {"step": 1}
    with pytest.raises(InputError, match=r"metrics.jsonl: line 2 is no JSON"):
        next(lines)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[]", "is no JSON object"),
        ("5", "is no JSON object"),
        ("null", "is no JSON object"),
        ("[" * 5000 + "]" * 5000, "is nested too deeply"),
    ],
)
def test_a_line_that_holds_something_else_is_named(tmp_path, line, what):
    path = tmp_path / METRICS
    path.write_text(f'{{"step": 1}}\n{line}\n')
    lines = read_lines(path)
    assert next(lines) == {"step": 1}
    with pytest.raises(InputError, match=f"metrics.jsonl: line 2 {what}; restore the file"):
        next(lines)
