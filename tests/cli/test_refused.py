"""Input that cannot be used: one line that names what, where and the mend, exit code 2, nothing written."""

from __future__ import annotations

import fcntl
import json
import shutil
from pathlib import Path

import httpx
import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.conftest import jsonl, listing, problem_rows


def test_recipe_keys(refused, recipe):
    refused("train", recipe, "stepz=3", says=("stepz", "did you mean steps?"))
    refused("train", recipe, "hints.trys=3", says=("hints.trys", "did you mean hints.tries?"))
    refused("train", recipe, "steps=many", says=("override steps=many", "valid integer"))
    refused("train", recipe.parent / "none.yaml", says=("none.yaml", "no such recipe file"))
    refused("train", recipe.parent, says=("is a folder",))


def test_groups_of_one_have_no_advantages(refused, recipe):
    refused("train", recipe, "group_size=1", says=("group_size", "2 or more"))


def test_completions_that_do_not_split_evenly(refused, recipe):
    refused(
        "train",
        recipe,
        "group_size=3",
        "batch_problems=1",
        "trl.steps_per_generation=2",
        says=("batch_problems x group_size = 3", "trl.steps_per_generation = 2"),
    )


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("trl.temprature=1", ("trl.temprature", "did you mean trl.temperature?")),
        ("trl.temperature=hot", ("trl.temperature: 'hot'", "valid number")),
        ("trl.num_iterations=[1]", ("trl.num_iterations",)),
        ("trl.optim=nope", ("trl: nope",)),
        ("trl.report_to=nope", ("nope", "correct model, lora or trl")),
        ("trl.loss_type=nope", ("the run could not begin", "nope")),
        ("trl.chat_template_kwargs=nope", ("trl.chat_template_kwargs", "keys and values")),
        ("lora=3", ("lora",)),
        ("lora.r=0", ("lora.r",)),
        ("lora.rank=3", ("lora.rank",)),
        ("lora.target_modules=[q_proj, nope]", ("lora.target_modules", "'nope'", "all-linear")),
        ("lora.target_modules=nope", ("nope", "correct model, lora or trl")),
        ("lora.target_modules=[]", ("lora.target_modules", "all-linear")),
        ("max_completion_tokens=1000000000", ("max_completion_tokens=1000000000", "context of 2048")),
        ("max_prompt_tokens=100000", ("max_prompt_tokens=100000", "context of 2048")),
        ("prompt=solve it", ("prompt", "{problem}")),
    ],
)
def test_settings(refused, recipe, word, says):
    refused("train", recipe, word, says=says)


DATA = {
    "missing-column": (
        [{"problem": "p", "answer": "1"}],
        ("no column 'solution'", "add a column of worked solutions, or method=grpo"),
    ),
    "other-names": (
        [{"question": "p", "rationale": "s", "answer": "1"}],
        ("columns.problem=question columns.solution=rationale",),
    ),
    "no-rows": ([], ("no rows",)),
    "no-solutions": ([{**row, "solution": None} for row in problem_rows()], ("4 without solution",)),
    "no-answers": ([{**row, "answer": ""} for row in problem_rows()], ("4 without answer",)),
    "two-answers": ([*problem_rows(), {**problem_rows()[1], "answer": "x"}], ("lines 2 and 5", "two answers")),
    "one-problem-again-and-again": (problem_rows(1) * 4, ("1 usable problems", "batch_problems=2")),
    "fewer-than-a-batch": (problem_rows(1), ("1 usable problems", "lower batch_problems")),
    "answers-of-reasoning-gym": (
        [
            {**row, "answer": json.dumps({"answer": "2", "metadata": {"source_dataset": "sums"}})}
            for row in problem_rows()
        ],
        ("which verifier.kind=exact cannot judge; set verifier.kind=reasoning_gym",),
    ),
    "solution-as-the-last-turn": (
        [
            {"prompt": [{"role": "user", "content": "1+1"}, {"role": "assistant", "content": "2"}], **row}
            for row in problem_rows()
        ],
        ("4 whose prompt ends in an assistant's turn, perhaps the solution",),
    ),
    "too-long": ([{**row, "problem": row["problem"] * 40} for row in problem_rows()], ("over the token budget",)),
}


@pytest.mark.parametrize("name", DATA)
def test_data(refused, recipe, tmp_path, name):
    rows, says = DATA[name]
    refused("train", recipe, f"data={jsonl(tmp_path / 'bad.jsonl', rows)}", says=("bad.jsonl", *says))


def test_data_that_are_no_data(refused, recipe, tmp_path):
    binary = tmp_path / "weights.jsonl"
    binary.write_bytes(bytes(range(255, -1, -1)) * 4)
    refused("train", recipe, f"data={binary}", says=("weights.jsonl, line 1", "UTF-8"))
    (tmp_path / "empty").mkdir()
    refused("train", recipe, f"data={tmp_path / 'empty'}", says=("is a folder without any .jsonl,",))
    refused("train", recipe, "data=none.jsonl", says=("none.jsonl: no such file",))
    refused("train", recipe, "data=/dev/null", says=("/dev/null", "convert"))


def test_chat_prompts_of_the_data_that_the_model_cannot_read(refused, recipe, tmp_path, base_model):
    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1"}]
    data = jsonl(tmp_path / "chat.jsonl", [{"prompt": chat, "solution": "One and one.", "answer": "2"}] * 2)
    refused("train", recipe, f"data={data}", says=("refuses messages of system, user (System role not supported)",))
    refused("train", recipe, f"data={data}", f"model={base_model}", says=("has no chat template", "chat messages"))


def test_rows_left_out_are_counted_and_the_run_goes_on(selfhint_command, recipe, tmp_path):
    good = problem_rows()
    rows = [*good, good[0], {**good[1], "problem": "q", "solution": ""}, {**good[1], "problem": "long " * 300}]
    table = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), table)
    outcome = selfhint_command("train", recipe, f"data={table}", "steps=1")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[1] == (
        f"{table}: 4 problems from 7 rows. Left out: 1 merged as duplicates (row 5); 1 without solution (row 6); "
        "1 with a prompt over the token budget (row 7)."
    )


def test_places_that_cannot_be_written(refused, recipe, tmp_path):
    file = tmp_path / "file"
    file.write_text("kept")
    refused("train", recipe, f"out={file}", says=("is a file", "choose a directory"))
    refused("train", recipe, f"out={file}/run", says=("cannot write there (Not a directory)", "another directory"))
    refused("train", recipe, "out=/proc/run", says=("out=/proc/run: cannot write there",))
    refused("train", recipe, f"out={tmp_path}/{'x' * 300}", says=("File name too long",))
    refused("train", recipe, f"data={'x' * 300}.jsonl", says=("no such file",))
    refused("train", "x" * 300, says=("File name too long",))
    refused("demo", "--out", file, says=("file", "choose another place"))
    refused("demo", "--out", "/proc/demo", says=("/proc/demo", "cannot write there"))


def test_a_directory_with_an_earlier_run(refused, recipe, tmp_path):
    (tmp_path / "run").mkdir()
    for name in ("metrics.jsonl", "recipe.yaml"):
        (tmp_path / "run" / name).write_text("something")
    refused("train", recipe, says=("holds an earlier run (recipe.yaml)", "--resume"))


@pytest.mark.parametrize("name", ["metrics.jsonl", "groups.jsonl", "offline_hints.jsonl", "checkpoints/a", "final/a"])
def test_a_directory_with_the_rest_of_an_earlier_run(refused, recipe, tmp_path, name):
    path = tmp_path / "run" / name
    path.parent.mkdir(parents=True)
    path.write_text("something")
    refused("train", recipe, says=(f"holds {name.split('/')[0]} of an earlier run", "move the folder away"))


def test_what_a_killed_start_leaves_is_no_run(selfhint_command, recipe, tmp_path):
    (tmp_path / "run" / "checkpoints").mkdir(parents=True)
    (tmp_path / "run" / "metrics.jsonl").touch()
    assert selfhint_command("train", recipe, "steps=1").code == 0


def test_nothing_to_resume(refused, recipe, tmp_path):
    refused("train", recipe, "--resume", says=("no run to resume", "without --resume"))
    (tmp_path / "run").mkdir()
    refused("train", recipe, "--resume", says=("no run to resume",))


@pytest.fixture
def finished(selfhint_command, recipe, tmp_path) -> Path:
    """A run of two steps."""
    assert selfhint_command("train", recipe).code == 0
    return tmp_path / "run"


def test_resuming_with_another_recipe(refused, recipe, finished, selfhint_command):
    for word in ("seed=5", "hints.tries=2", "trl.temperature=0.5"):
        refused("train", recipe, word, "--resume", says=(word.split("=")[0], "--accept-changes"))
    for word in ("lr=1", "method=grpo", "batch_problems=1", "model=lab", "trl.steps_per_generation=2", "lora.r=2"):
        words = [word, "data=lab:hard"] if word == "model=lab" else [word]
        refused(
            "train", recipe, *words, "--resume", "--accept-changes", says=(word.split(".")[0].split("=")[0], "undo")
        )
    refused("train", recipe, "steps=1", "--resume", says=("at step 2 already", "set steps to 2 or more"))


def test_a_run_that_another_process_writes(refused, recipe, finished):
    with open(finished / "metrics.jsonl", "ab") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        refused("train", recipe, "steps=3", "--resume", says=("another process", "wait for it"))
        refused("train", recipe, says=("holds an earlier run",))
        shutil.rmtree(finished / "checkpoints")
        refused("train", recipe, "--resume", says=("another process",))


def test_a_recipe_in_the_run_directory_that_cannot_be_read(refused, recipe, finished):
    (finished / "recipe.yaml").write_text("{")
    refused("train", recipe, "--resume", says=("run/recipe.yaml, line 1", "not valid YAML"))


# Models


def test_model_folders(refused, recipe, chat_model, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    for words in (["train", recipe], ["generate"]):
        tail = ["a problem"] if words[0] == "generate" else []

        def check(model, says, words=words, tail=tail):
            given = [f"model={model}"] if words[0] == "train" else [model]
            refused(*words, *given, *tail, says=says)

        check("/no/such/folder", ("model=/no/such/folder: no such folder", "hub id"))
        check(empty, ("no config.json",))
        check(recipe, ("is a file",))


DAMAGE = {
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "cannot be loaded"),
    "broken weights": (lambda folder: (folder / "model.safetensors").write_bytes(b"x" * 99), "cannot be loaded"),
    "no tokenizer": (lambda folder: [file.unlink() for file in folder.glob("token*")], "its tokenizer cannot be read"),
    "broken tokenizer": (lambda folder: (folder / "tokenizer.json").write_text("{}"), "its tokenizer cannot be read"),
    "broken template": (lambda folder: (folder / "chat_template.jinja").write_text("{% if %}"), "its chat template"),
    "no end token": (lambda folder: _without(folder / "tokenizer_config.json", "eos_token"), "no end token"),
    "not a model": (lambda folder: _without(folder / "config.json", "architectures"), "no architectures"),
}


def _without(path: Path, key: str) -> None:
    content = json.loads(path.read_text())
    del content[key]
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_models(refused, recipe, chat_model, tmp_path, name):
    damage, says = DAMAGE[name]
    folder = tmp_path / "damaged"
    shutil.copytree(chat_model, folder)
    damage(folder)
    refused("train", recipe, f"model={folder}", says=("damaged", says))
    refused("generate", folder, "a problem", says=("damaged", says))


@pytest.mark.parametrize("error", [httpx.ConnectError("no network"), OSError("offline")])
def test_a_hub_that_cannot_be_reached_is_asked_once(refused, recipe, monkeypatch, error):
    asked = []

    def ask(url, **options):
        asked.append(url)
        raise error

    monkeypatch.setattr(huggingface_hub, "get_hf_file_metadata", ask)
    refused("train", recipe, "model=nobody/nothing", says=("model=nobody/nothing", "hub cannot be asked", str(error)))
    refused("generate", "nobody/nothing", "a problem", says=("model=nobody/nothing", "hub cannot be asked"))
    assert len(asked) == 2


# The directory


def test_a_run_that_dies_in_its_first_step_leaves_the_directory_free(selfhint_command, recipe, tmp_path, monkeypatch):
    from selfhint.engines.trl import SelfHintTrainer

    before = listing(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(SelfHintTrainer, "draw", lambda *args, **options: 1 / 0)
        outcome = selfhint_command("train", recipe)
    assert outcome.code == 2
    assert "ZeroDivisionError" in outcome.err.splitlines()[-1]
    assert "Traceback" in outcome.err, "an error of the program shows its place"
    assert listing(tmp_path) == before
    assert selfhint_command("train", recipe).code == 0


def test_other_files_in_the_directory_stay(selfhint_command, refused, recipe, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    refused("train", recipe, "trl.report_to=nope", says=("nope",))
    assert selfhint_command("train", recipe, "steps=1").code == 0
    assert (tmp_path / "run" / "notes.txt").read_text() == "mine"
