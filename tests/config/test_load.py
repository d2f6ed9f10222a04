from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.config import Recipe, dump_recipe, layered_recipe, load_recipe
from selfhint.config.load import RECIPES
from selfhint.config.yaml_text import read_yaml
from selfhint.core.errors import InputError

REFUSED = json.loads((Path(__file__).parents[1] / "cases" / "recipes_refused.json").read_text("utf-8"))
NEEDED = "model: m\ndata: d.jsonl\n"


@pytest.fixture
def write(tmp_path):
    def _write(content: str | bytes) -> Path:
        path = tmp_path / "recipe.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return _write


@pytest.mark.parametrize("case", REFUSED, ids=[case["case"] for case in REFUSED])
def test_refused_in_one_line_that_says_what_and_where(case, write):
    path = write(NEEDED + case["yaml"])
    overrides = case.get("overrides", [])
    with pytest.raises(InputError) as caught:
        load_recipe(path, overrides)
    message = str(caught.value)
    assert "\n" not in message
    for part in case["says"]:
        assert part in message
    assert message.startswith((str(path), "override "))


def test_only_what_is_said_differs_from_the_defaults(write):
    recipe = load_recipe(write(NEEDED + "steps: 7\nhints: {tries: 2}\n"), [])
    assert recipe == Recipe.model_validate({"model": "m", "data": "d.jsonl", "steps": 7, "hints": {"tries": 2}})
    assert recipe.hints.max_tokens == 1024


def test_yaml_1_2_and_what_editors_leave_in_files(write):
    text = "\ufeff# comment\r\nmodel: no\r\ndata: yes\r\nlr: 1e-6\r\nhints:\r\n  # tries: 5\r\nlora:\r\ntrl:\r\n"
    recipe = load_recipe(write(text), [])
    assert (recipe.model, recipe.data, recipe.lr) == ("no", "yes", 1e-6)
    assert recipe.hints.tries == 3
    assert recipe.lora is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "model is missing"),
        (b"# nothing\n", "model is missing"),
        (b"model: m\n", "data is missing"),
        (b"- model\n", "a recipe is a mapping"),
        (b"model", "a recipe is a mapping"),
        (b"model: \xff\n", "not UTF-8 (byte 8)"),
        (b"model: a\x01b\n", "not valid YAML"),
    ],
)
def test_files_that_hold_no_recipe(content, says, write):
    with pytest.raises(InputError) as caught:
        load_recipe(write(content), [])
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_paths_that_are_no_recipe_file(tmp_path):
    with pytest.raises(InputError, match="no such recipe file"):
        load_recipe(tmp_path / "absent.yaml", [])
    with pytest.raises(InputError, match="is a folder"):
        load_recipe(tmp_path, [])


# Overrides


@pytest.mark.parametrize(
    ("override", "key", "value"),
    [
        ("steps=9", "steps", 9),
        ("steps = 9", "steps", 9),
        ("lr=1e-6", "lr", 1e-6),
        ("lr=1", "lr", 1.0),
        ("out=2024", "out", "2024"),
        ("model=/ckpt/epoch=999-step=87999", "model", "/ckpt/epoch=999-step=87999"),
        ("data=/my data/100% #2: [x].jsonl", "data", "/my data/100% #2: [x].jsonl"),
        ("data=数据/训练.jsonl", "data", "数据/训练.jsonl"),
        ("out='7 runs'", "out", "7 runs"),
        ("hints.block=null", "hints.block", None),
        ("hints.block=", "hints.block", None),
        ("hints.block= [hint] {hint}", "hints.block", " [hint] {hint}"),
        ("hints.source=none", "hints.source", "none"),
        ("lora.r=4", "lora.r", 4),
        ("lora={r: 4, target_modules: [q_proj, v_proj]}", "lora.target_modules", ("q_proj", "v_proj")),
        ("lora.target_modules=all-linear", "lora.target_modules", "all-linear"),
        ("trl.use_vllm=true", "trl.use_vllm", True),
        ("trl.report_to=none", "trl.report_to", "none"),
        ("trl.epsilon_high=null", "trl.epsilon_high", None),
        ("trl.model_init_kwargs.dtype=bfloat16", "trl.model_init_kwargs", {"dtype": "bfloat16"}),
    ],
)
def test_override(override, key, value, write):
    method = ["method=grpo"] if override.startswith("hints.source") else []
    recipe = load_recipe(write(NEEDED + "lora: null\nhints: {block: '{hint}'}\n"), [*method, override])
    found = recipe.model_dump()
    for part in key.split("."):
        found = found[part]
    assert found == value
    assert type(found) is type(value)


def test_later_overrides_win_and_keep_the_rest_of_the_group(write):
    path = write(NEEDED + "hints: {tries: 2, max_tokens: 9}\n")
    recipe = load_recipe(path, ["hints.tries=5", "hints.tries=6"])
    assert (recipe.hints.tries, recipe.hints.max_tokens) == (6, 9)
    replaced = load_recipe(path, ["hints={tries: 7}"])
    assert (replaced.hints.tries, replaced.hints.max_tokens) == (7, 1024)


def test_an_override_of_one_alias_leaves_the_other(write):
    path = write(NEEDED + "trl: {model_init_kwargs: &same {a: 1}, generation_kwargs: *same}\n")
    trl = load_recipe(path, ["trl.model_init_kwargs.a=2"]).trl
    assert (trl["model_init_kwargs"], trl["generation_kwargs"]) == ({"a": 2}, {"a": 1})


def test_home_and_environment_in_paths(write, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("SCRATCH", "/scratch")
    recipe = load_recipe(write("model: ~/model\ndata: ${SCRATCH}/d.jsonl\nout: $SCRATCH/my runs\n"), [])
    assert (recipe.model, recipe.data, recipe.out) == ("/home/me/model", "/scratch/d.jsonl", "/scratch/my runs")


# The recipes that come with the package


def test_without_a_recipe_the_lab_runs():
    assert load_recipe(None, []) == load_recipe(Path(str(RECIPES / "lab.yaml")), [])
    assert load_recipe(None, ["method=grpo", "data=lab:mixed"]).scheduler_name == "none"


def test_layers_go_over_each_other_within_groups_too(write):
    path = write("model: m\ndata: d\nout: o\nsteps: 3\ntrl: {beta: 0.1, bf16: false}\nlora: null\n")
    layers = {"one": {"trl": {"beta": 0.2}, "lr": 1e-3, "lora": {"r": 4}}, "two": {"lr": 1e-4, "hints": None}}
    recipe = layered_recipe(path, layers, "both")
    assert (recipe.trl["beta"], recipe.trl["bf16"], recipe.lr, recipe.lora.r) == (0.2, False, 1e-4, 4)
    with pytest.raises(InputError, match=r"^two: unknown key stepps; did you mean steps"):
        layered_recipe(path, {**layers, "two": {"stepps": 1}}, "both")
    with pytest.raises(InputError, match=r"^both: steps: 0 is not allowed"):
        layered_recipe(path, {**layers, "two": {"steps": 0}}, "both")


def test_the_labs_settings_are_not_used_for_other_data():
    with pytest.raises(InputError, match="name a recipe file"):
        load_recipe(None, ["model=m", "data=d.jsonl"])


@pytest.mark.parametrize("recipe", sorted(r.name for r in RECIPES.iterdir() if r.name.endswith(".yaml")))
def test_packaged_recipes_load_and_round_trip(recipe, write):
    loaded = load_recipe(Path(str(RECIPES / recipe)), [])
    assert load_recipe(write(dump_recipe(loaded)), []) == loaded


@pytest.mark.parametrize("method", ["grpo", "sage", "sage-light", "sage-light-paper", "fixed"])
def test_the_lab_runs_any_method(method):
    level = ["scheduler.level=2"] if method == "fixed" else []
    assert load_recipe(None, [f"method={method}", *level]).method == method


def test_recipes_at_the_top_are_the_packaged_ones():
    top = Path(__file__).parents[2] / "recipes"
    assert sorted(p.name for p in top.iterdir()) == sorted(r.name for r in RECIPES.iterdir())
    assert (top / "lab.yaml").read_text("utf-8") == (RECIPES / "lab.yaml").read_text("utf-8")


# Dumping


def test_a_dump_shows_every_key_in_order():
    lines = dump_recipe(load_recipe(None, [])).splitlines()
    top = [line.split(":")[0] for line in lines if not line.startswith(" ")]
    assert top == ["model", "data", *(key for key in Recipe.model_fields if key not in ("model", "data"))]
    assert "  epsilon_high: 0.28" in lines


_TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(
    lambda text: "$" not in text and "\0" not in text and text[0] != "~"
)
_VALUE = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT


def test_a_long_text_is_not_folded():
    recipe = Recipe.model_validate(
        {"model": "m", "data": "d", "hints": {"block": "𝕿𝖍𝖊 𝖖𝖚𝖎𝖈𝖐 𝖇𝖗𝖔𝖜𝖓 𝖋𝖔𝖝  𝖏𝖚𝖒𝖕𝖘 {hint} 𝖔𝖛𝖊𝖗"}}
    )
    assert read_yaml(dump_recipe(recipe), "dump")["hints"]["block"] == recipe.hints.block


@settings(deadline=None)
@given(
    out=_TEXT,
    lr=st.floats(min_value=0, exclude_min=True, allow_infinity=False),
    block=st.none() | _TEXT.map(lambda text: text + "{hint}"),
    modules=st.none() | st.just("all-linear") | st.lists(_TEXT, min_size=1, max_size=3),
    trl=st.dictionaries(_TEXT.map("x".__add__), _VALUE | st.lists(_VALUE, max_size=3), max_size=3),
)
def test_round_trip(out, lr, block, modules, trl, tmp_path_factory):
    recipe = Recipe.model_validate(
        {
            "model": "m",
            "data": "d",
            "out": out,
            "lr": lr,
            "hints": {"block": block},
            "lora": None if modules is None else {"target_modules": modules},
            "trl": trl,
        }
    )
    path = tmp_path_factory.mktemp("recipe") / "r.yaml"
    path.write_text(dump_recipe(recipe), "utf-8")
    assert load_recipe(path, []) == recipe


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_recipe_whose_name_no_file_can_have(name):
    with pytest.raises(InputError, match=r"cannot be the name of a recipe file .+; correct it"):
        load_recipe(name)


@pytest.mark.parametrize("key", ["model", "data", "out", "heldout.data", "hints.file"])
def test_a_path_with_a_nul(write, key):
    path = write(NEEDED)
    says = re.escape(f"{key}: 'a\\x00b' holds a NUL, which no path can; remove it")
    with pytest.raises(InputError, match=says) as error:
        load_recipe(path, [f'{key}="a\\0b"', *(["hints.source=given"] if key == "hints.file" else [])])
    assert str(error.value).startswith(f"override {key}=")
