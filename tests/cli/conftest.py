"""The command run in this process, a tiny model with data files, and a lab policy that is warmed up for a moment."""

from __future__ import annotations

import json
import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

import selfhint.cli
from selfhint.lab.task import LabTask
from selfhint.lab.warmup import WarmUp, cache_name, warm_policy
from selfhint.runlog import METRICS, read_lines
from support import riddles

NO_SYSTEM_ROLE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "[{{ message['role'] }}] {{ message['content'] }}<eos>"
    "{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}"
)
LAB_SIZES = {"num_known": 2, "num_unknown": 3, "num_digits": 3, "hard_length": 2, "max_length": 3}
LAB = (
    *(f"lab.{name}={size}" for name, size in LAB_SIZES.items()),
    *("lab.train_size=4", "lab.heldout_size=2", "lab.heldout_every=1"),
    *("batch_problems=2", "group_size=4", "steps=4", "save_every=2", "lr=1e-3"),
)
"""`selfhint train` with these takes about a second."""


@dataclass(frozen=True)
class Outcome:
    """What a person sees of a command that has ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def selfhint_command(monkeypatch, capfd) -> Callable[..., Outcome]:
    """Runs the entry point of the command with these words."""

    def run(*words: str | Path) -> Outcome:
        for handler in logging.getLogger("transformers").handlers:
            if type(handler) is logging.StreamHandler:
                handler.setStream(sys.stderr)  # it holds the stream of the test that imported transformers
        monkeypatch.setattr(sys, "argv", ["selfhint", *map(str, words)])
        capfd.readouterr()
        code = 0
        try:
            selfhint.cli.main()
        except SystemExit as end:
            code = end.code or 0
        return Outcome(code, *capfd.readouterr())

    return run


@pytest.fixture
def refused(selfhint_command, tmp_path):
    """Runs words that must end in one line on standard error, exit code 2 and an untouched tmp_path."""

    def check(*words: str | Path, says: tuple[str, ...]) -> None:
        before = listing(tmp_path)
        outcome = selfhint_command(*words)
        assert outcome.code == 2, outcome
        (line,) = outcome.err.splitlines()
        assert line.startswith("selfhint: ")
        for part in says:
            assert part in line
        assert listing(tmp_path) == before

    return check


def listing(folder: Path) -> dict[str, int | None]:
    """Everything below a folder, files with their times of change."""
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns if p.is_file() else None for p in folder.rglob("*")}


def steps_logged(run: Path) -> list[int]:
    return [line["step"] for line in read_lines(run / METRICS)]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def same_weights(one: Path, other: Path) -> bool:
    mine, theirs = weights(one), weights(other)
    return mine.keys() == theirs.keys() and all(torch.equal(mine[name], theirs[name]) for name in mine)


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _signals_are_heard():
    """Tests started in the background of a script inherit an ignored SIGINT, which the command would go on ignoring."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture
def _hang_ups_are_heard():
    """Tests under nohup inherit an ignored SIGHUP, and all but those that ask for this go on ignoring it."""
    usual = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, usual)


@pytest.fixture(scope="session")
def lab_policy(tmp_path_factory):
    """A cache in which the tiny lab's policy lies already, warmed up for a moment only. Gives the policy's folder."""
    task, cache = LabTask(**LAB_SIZES), tmp_path_factory.mktemp("cache")
    made = warm_policy(task, cache, settings=WarmUp(steps=60))
    return made.rename(cache / cache_name(task, WarmUp()))


@pytest.fixture
def lab(lab_policy, monkeypatch):
    """Words for `selfhint train` that train the lab's policy for four steps."""
    monkeypatch.setenv("SELFHINT_CACHE", str(lab_policy.parent))
    return list(LAB)


@pytest.fixture(scope="session")
def chat_model(tmp_path_factory) -> Path:
    """A model folder whose chat template has no system role."""
    return _saved(tmp_path_factory.mktemp("chat_model"), NO_SYSTEM_ROLE)


@pytest.fixture(scope="session")
def base_model(tmp_path_factory) -> Path:
    """A model folder without a chat template."""
    return _saved(tmp_path_factory.mktemp("base_model"), None)


def _saved(folder: Path, template: str | None) -> Path:
    model, tokenizer = riddles.policy(context=2048)
    tokenizer.chat_template = template
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def jsonl(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def problem_rows(num: int = 4) -> list[dict]:
    return [
        {"problem": riddles.question(i), "solution": riddles.solution(riddles.WORDS[i]), "answer": riddles.WORDS[i]}
        for i in range(num)
    ]


@pytest.fixture
def recipe(tmp_path, chat_model) -> Path:
    """A recipe file for the chat model and four problems; a run takes about a second and goes to tmp_path/run."""
    data = jsonl(tmp_path / "problems.jsonl", problem_rows())
    path = tmp_path / "recipe.yaml"
    path.write_text(
        f"""\
model: {chat_model}
data: {data}
out: {tmp_path / "run"}
steps: 2
batch_problems: 2
group_size: 2
lr: 1e-3
max_prompt_tokens: 1000
max_completion_tokens: 4
hints: {{source: prefix, tries: 1, max_tokens: 4}}
verifier: {{kind: exact}}
trl:
  use_cpu: true
  bf16: false
  gradient_checkpointing: false
  dataloader_pin_memory: false
  steps_per_generation: 1
"""
    )
    return path
