"""`selfhint study` as a person runs it: to its end, stopped, killed, with a run that fails, and again."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from cli.conftest import LAB_SIZES, listing, same_weights, steps_logged
from selfhint.cli import rundir
from selfhint.cli.study import run_study, train
from selfhint.cli.study_progress import StudyProgress
from selfhint.core.errors import InputError
from selfhint.engines.trl.checkpoint import last_complete, mark_complete
from selfhint.study.pool import log_file
from selfhint.study.spec import load_study
from support.processes import SOURCE, logs
from support.runs import write_run

LAB = (
    *(f"lab.{name}={size}" for name, size in LAB_SIZES.items()),
    *("lab.train_size=4", "lab.heldout_size=2", "lab.heldout_every=1"),
    *("batch_problems=2", "group_size=4", "save_every=2", "lr=1e-3"),
)
SPEC = f"""\
recipe:
  lab: {{{", ".join(f"{name}: {size}" for name, size in LAB_SIZES.items())}, train_size: 4, heldout_size: 2,
        heldout_every: 1}}
  batch_problems: 2
  group_size: 4
  save_every: 2
  lr: 1e-3
methods:
  grpo: {{method: grpo}}
  ladder: {{method: sage}}
data:
  hard: {{data: "lab:hard"}}
seeds: 1-2
baseline: grpo
steps: 4
"""


def write_spec(folder: Path, *changes: tuple[str, str]) -> Path:
    text = SPEC
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "tiny.yaml"
    path.write_text(text)
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory, lab_policy):
    """A study that has run to its end: (its specification, its folder, what it said)."""
    folder = tmp_path_factory.mktemp("finished")
    spec, out = write_spec(folder), folder / "out"
    with pytest.MonkeyPatch.context() as patch, open(folder / "said", "w+") as said:
        patch.setenv("SELFHINT_CACHE", str(lab_policy.parent))
        run_study(load_study(spec, out), 2, Console(file=said, width=200))
    return spec, out, (folder / "said").read_text()


def test_tables_a_page_and_a_line_for_each_run(finished):
    _, out, said = finished
    assert "4 runs, 0 finished, 0 begun, 4 new; 2 at a time" in said
    assert sorted(re.findall(r"^\d/4  (\S+) done in 0:", said, re.MULTILINE)) == [
        *("hard/grpo/1", "hard/grpo/2", "hard/ladder/1", "hard/ladder/2"),
    ]
    assert {path.name for path in out.iterdir()} == {
        *("runs", "study.html", "runs_table.csv", "runs_table.parquet"),
        *("steps_table.csv", "steps_table.parquet", "pairs_table.csv", "pairs_table.parquet"),
    }
    runs = pq.read_table(out / "runs_table.parquet").to_pylist()
    assert [(row["method"], row["seed"], row["steps"]) for row in runs] == [
        *(("grpo", 1, 4), ("ladder", 1, 4), ("grpo", 2, 4), ("ladder", 2, 4)),
    ]
    steps = pq.read_table(out / "steps_table.parquet").to_pylist()
    assert len(steps) == 16
    assert all(row["entropy"] > 0 and row["length"] > 0 and row["success"] is not None for row in steps)


@pytest.mark.parametrize(("method", "word"), [("grpo", "grpo"), ("ladder", "sage")])
def test_a_run_is_the_one_that_train_makes(selfhint_command, lab, finished, tmp_path, method, word):
    _, out, _ = finished
    outcome = selfhint_command("train", *LAB, "steps=4", f"method={word}", "seed=2", f"out={tmp_path / 'alone'}")
    assert outcome.code == 0, outcome
    of_the_study = out / "runs" / "hard" / method / "seed-2"
    assert logs(of_the_study) == logs(tmp_path / "alone")
    assert same_weights(of_the_study / "final", tmp_path / "alone" / "final")


@pytest.mark.usefixtures("lab")
def test_again_uses_what_is_there(selfhint_command, finished):
    spec, out, _ = finished
    before = listing(out / "runs")
    outcome = selfhint_command("study", spec, "--out", out)
    assert (outcome.code, "4 runs, 4 finished, 0 begun, 0 new" in outcome.out) == (0, True), outcome
    assert listing(out / "runs") == before


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        (("lr: 1e-3", "lr: 2e-3"), "lr"),
        (("steps: 4", "steps: 6"), "steps"),
        (("{method: sage}", "{method: grpo}"), "method"),
    ],
)
def test_another_specification_is_refused_for_runs_that_are_there(selfhint_command, finished, tmp_path, change, keys):
    _, out, _ = finished
    before = listing(out)
    for option in ([], ["--dry-run"]):
        outcome = selfhint_command("study", write_spec(tmp_path, change), "--out", out, *option)
        assert outcome.code == 2
        (line,) = outcome.err.splitlines()
        assert f"seed-1: was made with another {keys}; undo it in the study, remove that folder, or" in line
    assert listing(out) == before


def test_a_dry_run_lists_the_runs_and_estimates(selfhint_command, finished, tmp_path):
    spec, out, _ = finished
    new = selfhint_command("study", spec, "--out", tmp_path / "new", "--dry-run", "--jobs", "2")
    assert new.code == 0
    assert new.out.splitlines()[0] == "hard/grpo/1: new, 4 steps"
    assert re.search(r"^about 0:00:0\d, 2 runs at a time, roughly, before a run has finished$", new.out, re.MULTILINE)
    assert not (tmp_path / "new").exists()
    done = selfhint_command("study", spec, "--out", out, "--dry-run")
    assert "hard/ladder/2: finished, 4 steps" in done.out
    assert "about 0:00:00, " in done.out


def test_an_estimate_is_no_shorter_than_the_longest_run(selfhint_command, tmp_path):
    spec = write_spec(tmp_path, ("1-2", "1"), ("steps: 4", "steps: 600"))
    outcome = selfhint_command("study", spec, "--out", tmp_path / "out", "--dry-run", "--jobs", "64")
    assert "about 0:02:00, 64 runs at a time, " in outcome.out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("{method: sage}", "{method: sage, trl: {temprature: 0.7}}"), "methods.ladder on data.hard: trl.temprature: "),
        (("hard_length: 2", "hard_length: 99"), "methods.grpo on data.hard: "),
        (("train_size: 4", "train_size: 1"), "methods.grpo on data.hard: lab:hard: 1 usable problems are fewer than"),
        (("train_size: 4", "train_size: 9999"), "methods.grpo on data.hard: "),
        (("lr: 1e-3", "max_prompt_tokens: 4000"), "methods.grpo on data.hard: model=lab: max_prompt_tokens=4000 and "),
    ],
)
def test_what_only_a_run_would_refuse_is_refused_before_the_first(selfhint_command, tmp_path, change, says):
    for option in ([], ["--dry-run"]):
        outcome = selfhint_command("study", write_spec(tmp_path, change), "--out", tmp_path / "out", *option)
        assert outcome.code == 2
        (line,) = outcome.err.splitlines()
        assert says in line
        assert not (tmp_path / "out").exists()


@pytest.fixture
def ended(tmp_path):
    """A study of two runs, of which the first has ended after its 4 steps: (its specification, its folder, the run)."""
    spec, out = write_spec(tmp_path, ("1-2", "1")), tmp_path / "out"
    run = load_study(spec, out).runs[0]
    write_run(run.folder, [{0: ["01"]}] * 4)
    rundir.begin(run.folder, run.recipe)
    (run.folder / "final").mkdir()
    (run.folder / "final" / "config.json").write_text("{}")
    return spec, out, run.folder


def dry_run(selfhint_command, spec, out):
    outcome = selfhint_command("study", spec, "--out", out, "--dry-run")
    assert outcome.code == 0, outcome
    return outcome.out.splitlines()[0]


def test_a_run_is_finished_when_its_final_model_is_there(selfhint_command, ended):
    spec, out, folder = ended
    assert dry_run(selfhint_command, spec, out) == "hard/grpo/1: finished, 4 steps"
    (folder / "final" / "config.json").unlink()
    assert dry_run(selfhint_command, spec, out) == "hard/grpo/1: begun, 0 of 4 steps"
    (folder / "final").rmdir()
    (folder / "final").write_text("a file")
    assert dry_run(selfhint_command, spec, out) == "hard/grpo/1: begun, 0 of 4 steps"


def test_a_finished_run_whose_log_was_cut_is_no_shorter_run(selfhint_command, ended):
    spec, out, folder = ended
    metrics = folder / "metrics.jsonl"
    metrics.write_text("".join(metrics.read_text().splitlines(keepends=True)[:2]))
    before = listing(out)
    for option in ([], ["--dry-run"]):
        outcome = selfhint_command("study", spec, "--out", out, *option)
        assert outcome.code == 2
        (line,) = outcome.err.splitlines()
        assert line == (
            f"selfhint: {metrics}: ends at step 2 of 4; restore the file, or remove the run's folder to run it again"
        )
    assert listing(out) == before


@pytest.mark.parametrize("state", ["[]", "{}", '{"generation_step": 2}', "{"])
def test_a_damaged_checkpoint_does_not_keep_the_study_from_its_other_runs(selfhint_command, ended, state):
    spec, out, folder = ended
    shutil.rmtree(folder / "final")
    checkpoint = folder / "checkpoints" / "checkpoint-2"
    checkpoint.mkdir(parents=True)
    (checkpoint / "optimizer.pt").write_bytes(b"1234")
    (checkpoint / "selfhint_state.json").write_text(state)
    mark_complete(checkpoint)
    (checkpoint / "optimizer.pt").write_bytes(b"1")
    assert dry_run(selfhint_command, spec, out) == "hard/grpo/1: begun, 0 of 4 steps"
    runs = load_study(spec, out).runs
    StudyProgress(runs, 0, runs, Console(quiet=True))


def test_a_signal_before_the_first_run_ends_as_one_during_it(selfhint_command, tmp_path, monkeypatch):
    monkeypatch.setattr("selfhint.cli.study._check_runs", lambda study: os.kill(os.getpid(), signal.SIGINT))
    out = tmp_path / "out"
    outcome = selfhint_command("study", write_spec(tmp_path), "--out", out)
    assert (outcome.code, outcome.err) == (3, f"selfhint: {out}: stopped by SIGINT; repeat the command to go on\n")


def test_a_run_does_not_begin_in_a_folder_with_another_runs_logs(tmp_path):
    run = load_study(write_spec(tmp_path), tmp_path / "out").runs[0]
    write_run(run.folder, [{0: ["01"]}])
    with pytest.raises(InputError, match=r"holds metrics.jsonl of an earlier run.*move the folder away"):
        train(run)


def test_damaged_logs_are_named(selfhint_command, finished, tmp_path):
    spec, out, _ = finished
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    groups = copy / "runs/hard/grpo/seed-1/groups.jsonl"
    groups.write_text(groups.read_text().replace('"level"', '"lvl"'))
    outcome = selfhint_command("study", spec, "--out", copy)
    assert outcome.code == 2
    assert f"{groups}: line 1 has no field 'level'" in outcome.err.splitlines()[-1]
    (copy / "runs/hard/grpo/seed-1/metrics.jsonl").write_text("")
    outcome = selfhint_command("study", spec, "--out", copy, "--dry-run")
    assert outcome.code == 2
    assert "metrics.jsonl: ends at step 0 of 4; restore the file, or remove" in outcome.err.splitlines()[-1]


@pytest.mark.usefixtures("lab")
def test_a_run_that_fails_is_told_at_the_end_and_mended(selfhint_command, tmp_path):
    wrong = ("{method: sage}", "{method: sage, lora: {target_modules: [nowhere]}}")
    spec, out = write_spec(tmp_path, wrong, ("1-2", "1")), tmp_path / "out"
    outcome = selfhint_command("study", spec, "--out", out, "--jobs", "1")
    assert outcome.code == 3
    said = outcome.err.splitlines()[-1]
    assert said.startswith(f"selfhint: {out}: 1 of 2 runs failed, hard/ladder/1 first (")
    assert "nowhere" in said
    assert said.endswith("mend the cause, then repeat the command to go on")
    assert "hard/ladder/1" in (out / "study.html").read_text()
    assert pq.read_table(out / "runs_table.parquet").column("method").to_pylist() == ["grpo"]

    again = selfhint_command("study", write_spec(tmp_path, ("1-2", "1")), "--out", out)
    assert (again.code, "2 runs, 1 finished, 0 begun, 1 new" in again.out) == (0, True), again
    assert pq.read_table(out / "runs_table.parquet").column("method").to_pylist() == ["grpo", "ladder"]


# Stopped and killed


def begin(spec: Path, out: Path) -> subprocess.Popen:
    """The command in a process of its own, which has done two steps of its first run when this returns."""
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-m", "selfhint", "study", spec, "--out", out, "--jobs", "1"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: (out / "runs/hard/grpo/seed-1/metrics.jsonl").exists() and _steps(out) >= 2)
    return process


def _steps(out: Path) -> int:
    return len(steps_logged(out / "runs/hard/grpo/seed-1"))


def wait_until(condition, seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)


def test_a_stopped_study_goes_on_to_the_same_runs(selfhint_command, lab, tmp_path):
    changes = [
        ("1-2", "1"),
        ("steps: 4", "steps: 60"),
        ("save_every: 2", "save_every: 60"),
        ("  ladder: {method: sage}\n", ""),
    ]
    spec, out = write_spec(tmp_path, *changes), tmp_path / "out"
    process = begin(spec, out)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=240)
    assert process.returncode == 3, errors
    assert errors.splitlines()[-1].endswith("stopped with 1 of 1 runs left; repeat the command to go on")
    assert "stopping: no new runs" in said
    run = out / "runs/hard/grpo/seed-1"
    assert 2 <= _steps(out) < 60
    assert last_complete(run / "checkpoints") is not None
    assert "with a checkpoint" in said

    outcome = selfhint_command("study", spec, "--out", out)
    assert (outcome.code, "1 runs, 0 finished, 1 begun, 0 new" in outcome.out) == (0, True), outcome
    words = [*LAB, "save_every=60", "steps=60", "method=grpo", "seed=1", f"out={tmp_path / 'alone'}"]
    assert selfhint_command("train", *words).code == 0
    assert logs(run) == logs(tmp_path / "alone")
    assert same_weights(run / "final", tmp_path / "alone" / "final")


@pytest.mark.usefixtures("lab")
def test_runs_of_a_killed_command_stop_with_a_checkpoint(tmp_path):
    spec, out = (
        write_spec(tmp_path, ("steps: 4", "steps: 100000"), ("save_every: 2", "save_every: 100000")),
        tmp_path / "out",
    )
    process = begin(spec, out)
    process.kill()
    process.communicate(timeout=60)
    wait_until(lambda: last_complete(out / "runs/hard/grpo/seed-1/checkpoints") is not None)
    run = load_study(spec, out).runs[0]
    wait_until(lambda: "stopped by SIGTERM" in log_file(run).read_text())
