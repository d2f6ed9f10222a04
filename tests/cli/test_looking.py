"""Which problems are looked at, and that a stopped command goes on to the same figures."""

from __future__ import annotations

import json
import os
import signal

import pytest

import selfhint.engines.local
from cli.conftest import LAB_SIZES, jsonl, listing
from selfhint.cli import looking, wiring
from selfhint.cli.look_options import look_options
from selfhint.cli.workfile import WorkFile
from support import riddle_set as riddles
from support.looking import scripted_engine

LAB_WORDS = [*(f"lab.{name}={size}" for name, size in LAB_SIZES.items()), "lab.train_size=10", "lab.heldout_size=1"]
DIAGNOSE_LAB = ["diagnose", "lab:mixed", *LAB_WORDS, "--model", "lab", "--num", "9", "--group", "4", "--batch", "8"]
"""Nine problems, two at a time."""


def rows(num=12):
    return [
        {"problem": riddles.question(i), "solution": riddles.solution(riddles.WORDS[i]), "answer": riddles.WORDS[i]}
        for i in range(num)
    ]


def options(data, model, *values, num=5, seed=0):
    words = {"format": "text", "levels": "1,2,3", "group": 2, "max_tokens": 8, "batch": 4, "out": None}
    return look_options("diagnose", str(data), values, model=str(model), num=num, seed=seed, **words)


@pytest.fixture
def data(tmp_path):
    return jsonl(tmp_path / "data.jsonl", rows())


def sample(draw, data, model, *values, **changes):
    made = options(data, model, "hints.max_tokens=8", "max_prompt_tokens=1000", *values, **changes)
    return draw(made, wiring.tokenizer_of(made.recipe))


def test_problems_are_drawn_with_the_seed_in_the_data_s_order(data, chat_model):
    first = sample(looking.hinted_sample, data, chat_model)
    numbers = [riddles.number_of(p.question) for p in first.problems]
    assert len(set(numbers)) == 5
    assert numbers == sorted(numbers)
    assert sample(looking.hinted_sample, data, chat_model) == first
    assert sample(looking.hinted_sample, data, chat_model, seed=1).problems != first.problems
    assert len(sample(looking.hinted_sample, data, chat_model, num=99).problems) == 12
    assert sample(looking.plain_sample, data, chat_model).problems == first.problems


def test_the_identity_is_that_of_the_content(data, chat_model):
    first = sample(looking.hinted_sample, data, chat_model).identity
    content = rows()
    for row in content:
        row["solution"] += " Indeed."
    assert sample(looking.hinted_sample, jsonl(data, content), chat_model).identity != first
    assert sample(looking.hinted_sample, jsonl(data, rows()), chat_model).identity == first


def test_a_problem_without_a_usable_solution_is_looked_at_without_hints(data, chat_model):
    content = rows()
    content[0]["solution"], content[1]["solution"] = None, content[1]["answer"]
    made = sample(looking.plain_sample, jsonl(data, content), chat_model, num=12)
    assert [p.solution is None for p in made.problems] == [True, True] + [False] * 10
    assert made.no_hints_because is None


def test_data_without_solutions_say_why(data, chat_model):
    made = sample(
        looking.plain_sample, jsonl(data, [{k: r[k] for k in ("problem", "answer")} for r in rows()]), chat_model
    )
    assert all(p.solution is None for p in made.problems)
    assert "no column 'solution'" in made.no_hints_because


# Stopping and going on


def dies_after(parts, monkeypatch):
    """From the next part on the process is killed in the middle of writing."""
    usual = WorkFile._write

    def write(self, line):
        if len(self.parts) == parts:
            content = json.dumps(line).encode()
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        usual(self, line)

    monkeypatch.setattr(WorkFile, "_write", write)


def killed(run) -> None:
    """Runs in a child process that must be killed."""
    child = os.fork()
    if not child:
        try:
            run()
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


@pytest.mark.parametrize("command", ["diagnose", "preview"])
def test_a_killed_command_goes_on_to_the_same_figures(selfhint_command, lab, tmp_path, monkeypatch, command):
    words = DIAGNOSE_LAB if command == "diagnose" else ["hints", "preview", *DIAGNOSE_LAB[1:]]
    if command == "diagnose":
        words = [*words, "--rounds", "2"]
    whole, out = tmp_path / "whole.json", tmp_path / "out.json"
    assert selfhint_command(*words, "--out", whole).code == 0
    with monkeypatch.context() as patch:
        dies_after(2, patch)
        killed(lambda: selfhint_command(*words, "--out", out))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json.work", "whole.json"]
    drawn = []
    monkeypatch.setattr(looking.LookProgress, "drew", lambda self, rows, tokens: drawn.append(rows))
    outcome = selfhint_command(*words, "--out", out)
    assert outcome.code == 0
    assert "going on after 4 of" in outcome.err
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "whole.json"]
    drawn.clear()
    again = selfhint_command(*words, "--out", out)
    assert drawn == []
    assert "is there already, from an equal command" in again.out
    assert again.out.splitlines()[2:] == outcome.out.splitlines()[2:]


def test_a_signal_keeps_what_was_done(selfhint_command, lab, tmp_path, monkeypatch):
    out = tmp_path / "out.json"
    usual = WorkFile.add

    def add(self, part):
        usual(self, part)
        os.kill(os.getpid(), signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(WorkFile, "add", add)
        outcome = selfhint_command(*DIAGNOSE_LAB, "--out", out)
    assert outcome.code == 3
    assert outcome.err.splitlines()[-1] == (
        f"selfhint: {out}.work: stopped by SIGTERM after 2 of 9 visits; repeat the command to go on"
    )
    before = listing(tmp_path)
    for change, says in (
        (["--seed", "1"], "--seed 0, now it is 1"),
        (["--group", "8"], "--group 4, now it is 8"),
        (["hints.tries=7"], "hints.tries 3, now it is 7"),
    ):
        changed = selfhint_command(*DIAGNOSE_LAB, *change, "--out", out)
        assert changed.code == 2
        assert says in changed.err
        assert len(changed.err.splitlines()) == 1
    assert listing(tmp_path) == before
    assert selfhint_command(*DIAGNOSE_LAB, "--out", out).code == 0
    assert list(tmp_path.iterdir()) == [out]


def test_a_signal_before_anything_was_done_leaves_nothing(selfhint_command, lab, tmp_path, monkeypatch):
    monkeypatch.setattr(looking, "visit_all", lambda *a: os.kill(os.getpid(), signal.SIGINT))
    outcome = selfhint_command(*DIAGNOSE_LAB, "--out", tmp_path / "out.json")
    assert (outcome.code, list(tmp_path.iterdir())) == (130, [])
    assert outcome.err.endswith("stopped by SIGINT; the first 2 visits, which are kept together, were not done\n")
    outcome = selfhint_command(*DIAGNOSE_LAB)
    assert (outcome.code, outcome.err.splitlines()[-1]) == (
        130,
        "selfhint: stopped by SIGINT; nothing is kept without --out",
    )


def test_out_of_memory_names_the_mend(selfhint_command, lab, monkeypatch):
    import torch

    def fail(*arguments):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate")

    monkeypatch.setattr(looking, "visit_all", fail)
    outcome = selfhint_command(*DIAGNOSE_LAB)
    assert outcome.code == 3
    assert outcome.err == "selfhint: CUDA out of memory. Tried to allocate; lower --batch\n"


def test_requests_are_those_of_a_training(selfhint_command, data, chat_model, monkeypatch):
    asked = []
    monkeypatch.setattr(selfhint.engines.local, "LocalEngine", scripted_engine(riddles.seeded, asked=asked))
    words = ["hints", "preview", data, "--model", chat_model, "--format", "text", "--num", "2", "--group", "2"]
    outcome = selfhint_command(*words, "--max-tokens", "8", "hints.max_tokens=8", "max_prompt_tokens=1000")
    assert outcome.code == 0, outcome.err
    solves = [r for r in asked if r.purpose == "solve"]
    assert [(r.level, r.num) for r in solves if r.key == solves[0].key] == [(0, 2), (1, 2), (2, 2), (3, 2)]
    assert all(r.prompt[-1]["content"].startswith("Solve the following problem") for r in solves)
    assert all(riddles.has_hint(r.prompt[-1]["content"]) == (r.level > 0) for r in solves)
    assert {r.level for r in asked if r.purpose == "hint"} == {1, 2}


# Damaged files


def changed(content, **fields):
    return json.dumps({**content, **fields}) + "\n"


def test_a_damaged_result_is_named(selfhint_command, refused, lab, tmp_path):
    out = tmp_path / "out.json"
    assert selfhint_command(*DIAGNOSE_LAB, "--out", out).code == 0
    content = json.loads(out.read_text())
    looks = content.pop("looks")
    for damaged, what in (
        (changed(content), "no list of looks"),
        (changed(content, looks=5), "no list of looks"),
        (changed(content, looks=[{}]), "number 1 is no look"),
        (changed(content, looks=[*looks[:3], 5]), "number 4 is no look"),
        (changed(content, looks=looks[1:]), "not the 9 visits that belong there"),
        (changed(content, looks=looks[::-1]), "not the 9 visits that belong there"),
    ):
        out.write_text(damaged)
        says = f"{out}: line 1, looks: {what}; restore or remove the file"
        refused(*DIAGNOSE_LAB, "--out", out, says=(says,))


def test_a_damaged_work_file_is_named(selfhint_command, refused, lab, tmp_path):
    out, work = tmp_path / "out.json", tmp_path / "out.json.work"
    assert selfhint_command(*DIAGNOSE_LAB, "--out", out).code == 0
    whole = out.read_bytes()
    content = json.loads(whole)
    out.unlink()
    parts = [content["looks"][i : i + 2] for i in range(0, 9, 2)]
    for part, what in (
        (5, "no list of looks"),
        ([{}], "number 1 is no look"),
        ([], "not the 2 visits that belong there"),
        (parts[0], "not the 2 visits that belong there"),
    ):
        lines = [{"settings": content["settings"]}, parts[0], part]
        work.write_text("".join(json.dumps(line) + "\n" for line in lines))
        says = f"{work}: line 3 is damaged ({what}); restore or remove the file"
        refused(*DIAGNOSE_LAB, "--out", out, says=(says,))
    lines = [{"settings": content["settings"]}, *parts, []]
    work.write_text("".join(json.dumps(line) + "\n" for line in lines))
    refused(*DIAGNOSE_LAB, "--out", out, says=(f"{work}: line 7 is one too many; restore or remove the file",))
    work.write_text("".join(json.dumps(line) + "\n" for line in lines[:-1]))
    assert selfhint_command(*DIAGNOSE_LAB, "--out", out).code == 0
    assert out.read_bytes() == whole
