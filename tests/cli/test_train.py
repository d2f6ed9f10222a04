"""A run from its recipe to its final model, stopped and resumed in between."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import torch
from rich.console import Console
from transformers import AutoModelForCausalLM, AutoTokenizer

import selfhint.cli.rundir
from cli.conftest import LAB, jsonl, listing, problem_rows, same_weights, steps_logged, weights
from selfhint.cli.progress import RunProgress
from selfhint.cli.recipe_trainer import check_saved_whole
from selfhint.cli.train import run
from selfhint.config import load_recipe
from selfhint.core.errors import InputError
from selfhint.engines.trl.checkpoint import last_complete
from selfhint.lab import sampling
from selfhint.runlog import GROUPS, METRICS, read_lines


@pytest.fixture(scope="module")
def whole(tmp_path_factory, lab_policy):
    """A lab run that nothing interrupts."""
    out = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SELFHINT_CACHE", str(lab_policy.parent))
        run(load_recipe(None, [*LAB, f"out={out}"]), Console(quiet=True))
    return out


def test_a_run_writes_its_directory(whole, lab_policy):
    assert {path.name for path in whole.iterdir()} == {
        *("recipe.yaml", "metrics.jsonl", "groups.jsonl", "hints.jsonl", "checkpoints", "final"),
    }
    assert load_recipe(whole / "recipe.yaml") == load_recipe(None, [*LAB, f"out={whole}"])
    assert steps_logged(whole) == [1, 2, 3, 4]
    lines = list(read_lines(whole / METRICS))
    assert all(0 <= line["heldout/success"] <= 1 for line in lines)
    assert any(line["groups/rescued"] for line in lines), "the runs below compare nothing if no hint was used"
    assert not same_weights(whole / "final", lab_policy), "nor if nothing was learned"


def test_off_policy_updates_of_the_same_completions_lead_elsewhere(selfhint_command, lab, whole, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(sampling, "draw", lambda *args, usual=sampling.draw: drawn.append(args) or usual(*args))
    out = tmp_path / "run"
    assert selfhint_command("train", *lab, f"out={out}", "hinted_updates=off-policy").code == 0
    first, reference = ([line for line in read_lines(folder / GROUPS) if line["step"] == 1] for folder in (out, whole))
    assert first == reference
    assert any(line["level"] for line in first)
    assert not same_weights(out / "final", whole / "final")
    assert drawn, "the lab's policy is sampled the quick way"


def test_the_final_model_is_a_plain_hugging_face_model(whole):
    model, tokenizer = (
        AutoModelForCausalLM.from_pretrained(whole / "final"),
        AutoTokenizer.from_pretrained(whole / "final"),
    )
    text = tokenizer.apply_chat_template([{"role": "user", "content": "Pab"}], tokenize=False)
    inputs = tokenizer(text, return_tensors="pt", add_special_tokens=False)
    assert model.generate(**inputs, max_new_tokens=3, do_sample=False).shape[1] > inputs["input_ids"].shape[1]
    trained = weights(last_complete(whole / "checkpoints"))
    assert all(torch.equal(value, trained[name]) for name, value in weights(whole / "final").items())


def test_a_line_a_step_where_the_output_is_no_terminal(selfhint_command, lab, tmp_path):
    outcome = selfhint_command("train", *lab, f"out={tmp_path / 'run'}", "steps=2")
    assert outcome.code == 0
    assert outcome.err == ""
    what, report, first, second, end = outcome.out.splitlines()
    assert what == f"sage: model lab, data lab:hard, 2 steps, into {tmp_path / 'run'}"
    assert report == "lab:hard: 4 problems"
    assert first.startswith("sage step 1/2  reward 0.")
    assert second.startswith("sage step 2/2  reward 0.")
    for name in ("no signal", "rescued", "hinted at level 1/2/3", "tokens", "held-out", "left 0:00:"):
        assert name in second
    assert end == f"model: {tmp_path / 'run' / 'final'}"


# Stopped and resumed


def stop_at(monkeypatch, step, *numbers):
    """Sends the signals while the line of a step is shown, that is in the middle of the next step."""
    usual = RunProgress.show

    def show(self, line):
        usual(self, line)
        if line["step"] == step:
            for number in numbers:
                os.kill(os.getpid(), number)

    monkeypatch.setattr(RunProgress, "show", show)


@pytest.mark.parametrize(
    "numbers",
    [(signal.SIGTERM,), (signal.SIGINT,), (signal.SIGTERM, signal.SIGTERM)],
    ids=["term", "int", "term-twice"],
)
def test_a_signal_ends_with_a_checkpoint_that_resumes_exactly(
    selfhint_command, lab, whole, tmp_path, monkeypatch, numbers
):
    """One order comes twice where a cluster's scheduler signals the launcher and its processes."""
    out = tmp_path / "run"
    with monkeypatch.context() as at_step:
        stop_at(at_step, 2, *numbers)
        stopped = selfhint_command("train", *lab, f"out={out}")
    assert stopped.code == 3
    assert stopped.err.splitlines()[-1] == (
        f"selfhint: out={out}: stopped by {numbers[0].name} after step 3 of 4, with a checkpoint; "
        "repeat the command with --resume to go on"
    )
    assert "Traceback" not in stopped.err
    assert last_complete(out / "checkpoints").name == "checkpoint-3"
    assert not (out / "final").exists()

    resumed = selfhint_command("train", *lab, f"out={out}", "--resume")
    assert resumed.code == 0, resumed.err
    assert same_weights(out / "final", whole / "final")
    assert steps_logged(out) == [1, 2, 3, 4]
    shown = [line for line in resumed.out.splitlines() if " step " in line]
    assert [line.split()[2] for line in shown] == ["3/4", "4/4"]
    tokens = sum(
        line[f"tokens/{kind}"] for line in read_lines(out / METRICS) for kind in ("kept", "discarded", "hints")
    )
    assert f"tokens {tokens:,}" in shown[-1], "tokens of the first part count"


def test_a_second_signal_ends_at_once(selfhint_command, lab, whole, tmp_path, monkeypatch):
    out = tmp_path / "run"
    with monkeypatch.context() as at_step:
        at_step.setattr("selfhint.engines.trl.callbacks.StopOnSignal.ONE_ORDER", -1.0)
        stop_at(at_step, 3, signal.SIGINT, signal.SIGINT)
        stopped = selfhint_command("train", *lab, f"out={out}")
    assert stopped.code == 3
    assert "stopped by SIGINT; repeat the command with --resume" in stopped.err.splitlines()[-1]
    assert "Traceback" not in stopped.err
    assert last_complete(out / "checkpoints").name == "checkpoint-2"
    assert selfhint_command("train", *lab, f"out={out}", "--resume").code == 0
    assert same_weights(out / "final", whole / "final")


def test_a_signal_in_the_last_step_lets_the_run_finish(selfhint_command, lab, whole, tmp_path, monkeypatch):
    stop_at(monkeypatch, 3, signal.SIGTERM)
    outcome = selfhint_command("train", *lab, f"out={tmp_path / 'run'}")
    assert outcome.code == 0
    assert same_weights(tmp_path / "run" / "final", whole / "final")


def wait_for(condition, process, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def started(lab, tmp_path):
    """Starts a long lab run in a process of its own, to be stopped by a signal."""
    processes = []

    def start():
        words = [sys.executable, "-m", "selfhint", "train", *LAB, f"out={tmp_path / 'run'}", "steps=5000"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def test_a_process_stopped_while_training(started, selfhint_command, lab, tmp_path):
    process, out, whole = started(), tmp_path / "run", tmp_path / "whole"
    wait_for(lambda: (out / METRICS).exists() and (out / METRICS).stat().st_size, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "Traceback" not in said
    stopped = re.search(r"stopped by SIGTERM after step (\d+) of 5000, with a checkpoint", said.splitlines()[-1])
    steps = f"steps={int(stopped[1]) + 1}"
    assert selfhint_command("train", *lab, f"out={out}", steps, "--resume").code == 0
    assert selfhint_command("train", *lab, f"out={whole}", steps).code == 0
    assert same_weights(out / "final", whole / "final")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_stopped_while_loading(started, tmp_path, number):
    process, out = started(), tmp_path / "run"
    wait_for(out.exists, process)
    process.send_signal(number)
    shown, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + number, f"selfhint: stopped by {number.name}\n")
    assert len(shown.splitlines()) == 1
    assert listing(tmp_path) == {}


def test_a_run_without_a_checkpoint_begins_again(selfhint_command, lab, whole, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(whole, out)
    shutil.rmtree(out / "final")
    shutil.rmtree(out / "checkpoints")
    outcome = selfhint_command("train", *lab, f"out={out}", "--resume")
    assert outcome.code == 0, outcome.err
    assert "no complete checkpoint yet" in outcome.out
    assert steps_logged(out) == [1, 2, 3, 4]
    assert same_weights(out / "final", whole / "final")


def test_more_steps_for_a_finished_run(selfhint_command, lab, whole, tmp_path):
    out, longer = tmp_path / "run", tmp_path / "longer"
    shutil.copytree(whole, out)
    assert selfhint_command("train", *lab, f"out={out}", "steps=5", "save_every=1", "--resume").code == 0
    assert selfhint_command("train", *lab, f"out={longer}", "steps=5").code == 0
    assert same_weights(out / "final", longer / "final")
    assert load_recipe(out / "recipe.yaml").steps == 5


def test_the_saving_interval_of_a_resumed_run_is_the_new_one(selfhint_command, lab, whole, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(whole, out)
    words = ("steps=7", "save_every=3", "trl.save_total_limit=9", "--accept-changes")
    assert selfhint_command("train", *lab, f"out={out}", *words, "--resume").code == 0
    saved = {path.name for path in (out / "checkpoints").glob("checkpoint-*")}
    assert saved == {"checkpoint-2", "checkpoint-4", "checkpoint-6", "checkpoint-7"}


def test_accepted_changes_are_the_recipe_from_then_on(selfhint_command, lab, whole, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(whole, out)
    words = ("steps=5", "trl.temperature=0.5")
    assert selfhint_command("train", *lab, f"out={out}", *words, "--resume", "--accept-changes").code == 0
    assert load_recipe(out / "recipe.yaml").trl["temperature"] == 0.5
    assert selfhint_command("train", *lab, f"out={out}", *words, "steps=6", "--resume").code == 0


def test_resuming_a_finished_run_changes_nothing(selfhint_command, lab, tmp_path):
    out = tmp_path / "run"
    assert selfhint_command("train", *lab, f"out={out}", "steps=3").code == 0  # ends in the middle of an epoch
    (out / "final").rename(out / "before")
    outcome = selfhint_command("train", *lab, f"out={out}", "steps=3", "--resume")
    assert outcome.code == 0, outcome.err
    assert same_weights(out / "final", out / "before")
    assert steps_logged(out) == [1, 2, 3]


# What can fail on the way


def test_a_full_disk_is_one_line_and_the_run_goes_on_later(selfhint_command, lab, whole, tmp_path, monkeypatch):
    out = tmp_path / "run"
    full = OSError(28, "No space left on device")
    with monkeypatch.context() as disk:

        def write(*args):
            raise full

        disk.setattr(selfhint.cli.rundir, "write_asking", write)
        outcome = selfhint_command("train", *lab, f"out={out}")
    assert outcome.code == 3
    (line,) = outcome.err.splitlines()
    assert "No space left on device" in line
    assert "--resume" in line
    assert not (out / "final").exists()


def test_a_full_disk_under_the_logs(selfhint_command, lab, tmp_path, monkeypatch):
    from selfhint.runlog import RunLog

    usual, out = RunLog.start, tmp_path / "run"

    def start(self):
        usual(self)
        self._files["groups.jsonl"].close()
        self._files["groups.jsonl"] = open("/dev/full", "ab")  # noqa: SIM115

    monkeypatch.setattr(RunLog, "start", start)
    outcome = selfhint_command("train", *lab, f"out={out}")
    assert outcome.code == 3
    (line,) = outcome.err.splitlines()
    assert "No space left on device" in line


def test_a_failure_of_the_program_keeps_the_run(selfhint_command, lab, whole, tmp_path, monkeypatch):
    out = tmp_path / "run"
    with monkeypatch.context() as broken:
        usual = RunProgress.show

        def show(self, line):
            usual(self, line)
            if line["step"] == 3:
                raise RuntimeError("out of memory\nand more")

        broken.setattr(RunProgress, "show", show)
        outcome = selfhint_command("train", *lab, f"out={out}")
    assert outcome.code == 3
    assert "Traceback" in outcome.err
    assert outcome.err.splitlines()[-1] == (
        f"selfhint: out={out}: RuntimeError: out of memory; "
        "mend the cause, then repeat the command with --resume to go on"
    )
    assert selfhint_command("train", *lab, f"out={out}", "--resume").code == 0
    assert same_weights(out / "final", whole / "final")


# Models, data and paths of every kind


def test_adapters_are_merged_into_the_final_model(selfhint_command, lab, lab_policy, tmp_path):
    from safetensors.torch import load_file

    out = tmp_path / "run"
    assert selfhint_command("train", *lab, f"out={out}", "lora.r=2", "lora.alpha=8", "lr=1e-2").code == 0
    adapter = load_file(last_complete(out / "checkpoints") / "adapter_model.safetensors")
    base, final = weights(lab_policy), weights(out / "final")
    assert base.keys() == final.keys()
    adapted = {
        name.removeprefix("base_model.model.").removesuffix(".lora_A.weight") for name in adapter if "lora_A" in name
    }
    assert f"{len(adapted)} adapted" == "14 adapted", "seven layers in each of two blocks"
    for name, value in final.items():
        expected = base[name]
        if name.removesuffix(".weight") in adapted:
            part = f"base_model.model.{name.removesuffix('.weight')}"
            update = adapter[f"{part}.lora_B.weight"] @ adapter[f"{part}.lora_A.weight"] * 8 / 2
            assert update.abs().max() > 0
            expected = expected + update
        torch.testing.assert_close(value, expected, rtol=0, atol=1e-6)


def test_one_module_can_be_named_as_plain_text(selfhint_command, recipe, tmp_path):
    assert selfhint_command("train", recipe, "lora.target_modules=q_proj", "steps=1").code == 0
    from safetensors import safe_open

    with safe_open(last_complete(tmp_path / "run" / "checkpoints") / "adapter_model.safetensors", "pt") as file:
        assert {name.split(".")[-3] for name in file.keys()} == {"q_proj"}  # noqa: SIM118


@pytest.mark.parametrize("kind", ["exact", "math"])
@pytest.mark.parametrize("source", ["self", "prefix"])
def test_a_chat_template_without_a_system_role(selfhint_command, recipe, kind, source):
    outcome = selfhint_command("train", recipe, f"verifier.kind={kind}", f"hints.source={source}", "hints.format=text")
    assert outcome.code == 0, outcome.err


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_base_model_without_a_chat_template(selfhint_command, recipe, base_model, format):
    words = (f"model={base_model}", "hints.source=self", f"hints.format={format}")
    outcome = selfhint_command("train", recipe, *words)
    assert outcome.code == 0, outcome.err


def test_paths_with_spaces_brackets_and_other_letters(selfhint_command, recipe, tmp_path):
    folder = tmp_path / "a b [bold] :smile: ü=1"
    folder.mkdir()
    data = shutil.copy(tmp_path / "problems.jsonl", folder / "pröblems [1].jsonl")
    outcome = selfhint_command("train", recipe, f"data={data}", f"out={folder / 'run'}", "steps=1")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[1] == f"{data}: 4 problems from 4 rows."
    assert lines[-1] == f"model: {folder / 'run' / 'final'}"


def test_recipes_with_anchors(selfhint_command, recipe, tmp_path):
    text = recipe.read_text().replace("lr: 1e-3", "lr: &small 1e-3\nlora: {dropout: *small}")
    recipe.write_text(text)
    assert selfhint_command("train", recipe, "steps=1").code == 0
    assert load_recipe(tmp_path / "run" / "recipe.yaml").lora.dropout == 1e-3


@pytest.mark.parametrize("words", [("group_size=2", "batch_problems=4"), ("group_size=8", "batch_problems=1")])
def test_the_whole_data_set_in_a_step_and_one_problem_in_a_step(selfhint_command, recipe, words):
    assert selfhint_command("train", recipe, *words, "steps=1").code == 0


# Several processes


@pytest.fixture
def launched(lab):
    """Starts `selfhint train` in two processes."""
    started = []

    def start(out, *words):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            place = ("--master_addr", "127.0.0.1", "--master_port", str(free.getsockname()[1]))
        launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2", *place, "-m", "selfhint"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen([*launcher, "train", *lab, f"out={out}", *words], env=environment, **streams))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.communicate()


@pytest.mark.slow
def test_two_processes_write_one_set_of_logs(launched, tmp_path):
    out = tmp_path / "run"
    process = launched(out)
    shown, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert steps_logged(out) == [1, 2, 3, 4]
    assert [line.split()[2] for line in shown.splitlines() if " step " in line] == ["1/4", "2/4", "3/4", "4/4"]
    assert (out / "final" / "model.safetensors").exists()


@pytest.mark.slow
def test_two_processes_refuse_with_one_line(launched, tmp_path):
    process = launched(tmp_path / "run", "stepz=3")
    _, said = process.communicate(timeout=300)
    assert process.returncode != 0
    assert sum(line.startswith("selfhint: ") for line in said.splitlines()) == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_two_processes_stopped_by_a_signal(launched, tmp_path):
    out = tmp_path / "run"
    process = launched(out, "steps=5000")
    wait_for(lambda: (out / METRICS).exists() and (out / METRICS).stat().st_size, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=300)
    stopped = re.search(r"selfhint: .* stopped by SIGTERM after step (\d+) of 5000, with a checkpoint", said)
    assert stopped, said
    steps = int(stopped[1]) + 1
    process = launched(out, f"steps={steps}", "--resume")
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert steps_logged(out) == list(range(1, steps + 1))


def test_success_is_measured_on_a_file_of_its_own(selfhint_command, recipe, tmp_path):
    held_out = jsonl(tmp_path / "held_out.jsonl", [{"problem": "6?", "answer": "a"}, {"problem": "7?", "answer": "b"}])
    outcome = selfhint_command("train", recipe, f"heldout.data={held_out}", "heldout.every=1", "heldout.samples=2")
    assert outcome.code == 0, outcome
    assert "Held out: " in outcome.out
    assert [line["heldout/success"] for line in read_lines(tmp_path / "run" / METRICS)] == [0.0, 0.0]


def test_what_is_trained_on_is_not_held_out(refused, recipe, tmp_path):
    rows = [{"problem": "6?", "answer": "a"}, *problem_rows(1)]
    held_out = jsonl(tmp_path / "held_out.jsonl", rows)
    says = (f"heldout.data={held_out}", "1 of its 2 problems", "--validation")
    refused("train", recipe, f"heldout.data={held_out}", says=says)
    refused("train", "data=lab:hard", f"heldout.data={held_out}", says=("lab.heldout_size", "remove heldout.data"))


@pytest.mark.parametrize("spread", [True, False])
def test_weights_that_are_spread_over_processes_are_refused_before_training(spread):
    trainer = SimpleNamespace(weights_are_spread=spread)
    if not spread:
        check_saved_whole(trainer)
        return
    with pytest.raises(InputError, match="cannot be saved from weights that FSDP"):
        check_saved_whole(trainer)
