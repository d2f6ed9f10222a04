"""From a specification to the recipes of its runs, and what is refused before any of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from selfhint.config import load_recipe
from selfhint.core.errors import InputError
from selfhint.study.spec import load_study

STUDIES = Path(__file__).parents[2] / "studies"


def test_runs_come_seed_by_seed_and_have_folders_of_their_own(study, tmp_path):
    assert [run.label for run in study.runs] == [
        *("hard/grpo/1", "hard/ladder/1", "hard/grpo/2"),
        *("hard/ladder/2", "hard/grpo/3", "hard/ladder/3"),
    ]
    assert study.runs[1].folder == tmp_path / "out" / "runs" / "hard" / "ladder" / "seed-1"
    assert study.name == "small"


def test_a_run_is_the_recipe_that_train_would_get(study):
    run = study.runs[3]
    words = ["method=sage", "data=lab:hard", "seed=2", "steps=4", f"out={run.folder}"]
    assert run.recipe == load_recipe(None, words)


def test_where_the_folder_is_not_named_it_has_the_files_name(spec_file):
    assert load_study(spec_file).out == Path("runs/small")


def test_values_go_over_each_other_recipe_then_data_then_method(spec_file):
    text = spec_file.read_text()
    text = text.replace("{method: sage}", "{method: sage, steps: 9, lab: {train_size: 40}}")
    text = text.replace('{data: "lab:hard"}', '{data: "lab:hard", lab: {train_size: 30, seed: 5}, lr: 2e-4}')
    spec_file.write_text(text + "recipe: {lab: {train_size: 20, heldout_size: 10}, lr: 1e-4, group_size: 4}\n")
    grpo, ladder = load_study(spec_file).runs[:2]
    assert (grpo.recipe.lab.train_size, grpo.recipe.lab.heldout_size, grpo.recipe.lab.seed) == (30, 10, 5)
    assert (grpo.recipe.lr, grpo.recipe.group_size, grpo.recipe.steps) == (2e-4, 4, 4)
    assert (ladder.recipe.lab.train_size, ladder.recipe.lab.heldout_size, ladder.recipe.steps) == (40, 10, 9)


def test_a_recipe_file_is_found_beside_the_specification(spec_file, monkeypatch, tmp_path):
    (spec_file.parent / "mine.yaml").write_text("model: m\ndata: d.jsonl\nout: o\nsteps: 7\nlr: 3e-6\n")
    text = spec_file.read_text().replace('{data: "lab:hard"}', "")
    spec_file.write_text(text + "recipe: mine.yaml\n")
    monkeypatch.chdir("/")
    recipe = load_study(spec_file, tmp_path / "out").runs[0].recipe
    assert (recipe.model, recipe.data, recipe.lr, recipe.steps, recipe.seed) == ("m", "d.jsonl", 3e-6, 4, 1)


@pytest.mark.parametrize(
    ("written", "seeds"),
    [("1-3", [1, 2, 3]), ('"1-2, 7"', [1, 2, 7]), ("[4, 2]", [4, 2]), ("5", [5]), ('" 0 - 1 "', [0, 1])],
)
def test_seeds(spec_file, written, seeds):
    spec_file.write_text(spec_file.read_text().replace("1-3", written))
    assert list(load_study(spec_file).spec.seeds) == seeds


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("baseline: grpo", "base_line: grpo", "unknown key base_line; did you mean baseline?"),
        ("{method: sage}", "{methud: sage}", "methods.ladder: unknown key methud; did you mean method?"),
        ('{data: "lab:hard"}', '{dat: "lab:hard"}', "data.hard: unknown key dat; did you mean data?"),
        ("{method: sage}", "{method: sago}", "methods.ladder on data.hard: method: unknown method 'sago'"),
        ("{method: sage}", "{method: fixed}", "methods.ladder on data.hard: the scheduler fixed needs a level"),
        ("{method: sage}", "{seed: 3}", "methods.ladder: seed comes from seeds; remove it here"),
        ("{method: sage}", "{out: x}", "methods.ladder: out comes from the option --out; remove it here"),
        ('{data: "lab:hard"}', "{steps: 3}", "data.hard: steps comes from steps; remove it here"),
        ("{method: sage}", "sage", "methods: ladder is 'sage'; give it recipe keys"),
        ("ladder:", "a/b:", "methods: 'a/b' is no name for a folder"),
        ("ladder:", "8:", "methods: the name 8 is no text; put it in quotes"),
        ("baseline: grpo", "baseline: laddr", "baseline 'laddr' is none of the methods; did you mean ladder?"),
        ("steps: 4", "steps: 0", "steps: 0 is not allowed"),
        ("steps: 4\n", "", "steps is missing; set it"),
        ("1-3", "3-1", "seeds: '3-1' counts down"),
        ("1-3", "one", "seeds: 'one' are no seeds"),
        ("1-3", "[1, 1]", "seeds: [1, 1] are no different seeds"),
        ("1-3", "[-1]", "seeds"),
        ("1-3", "true", "seeds"),
        ("1-3", "0-1000000000", "seeds: 1,000,000,001 seeds are too many; write at most 10,000"),
        ("1-3", '"1-9999, 20000-20001"', "seeds: 10,001 seeds are too many; write at most 10,000"),
        ("1-3", str([*range(10_001)]), "seeds: 10,001 seeds are too many; write at most 10,000"),
        ("ladder:", f"{'a' * 101}:", f"methods: the name '{'a' * 20}'... is too long; use at most 100 letters"),
        pytest.param("hard:", f"h{'漢' * 70}:", "漢'... is too long; use at most 100 letters", id="bytes"),
        ('  hard: {data: "lab:hard"}', "  {}", "data: write a name and its recipe keys in each line"),
        ("steps: 4", 'recipe: "a\\0b.yaml"\nsteps: 4', "recipe: 'a\\x00b.yaml' holds a NUL"),
        ("steps: 4", "recipe: small.yaml\nsteps: 4", "small.yaml is a study, not a recipe; name a recipe file"),
        ('{data: "lab:hard"}', "{data: elsewhere.jsonl}", "set data to lab:hard or lab:mixed"),
        ("steps: 4", "recipe: gone.yaml\nsteps: 4", "no such recipe file"),
        ("methods:", "- methods:", "not valid YAML"),
    ],
)
def test_what_is_refused(spec_file, old, new, says):
    text = spec_file.read_text()
    assert old in text
    spec_file.write_text(text.replace(old, new))
    with pytest.raises(InputError) as refused:
        load_study(spec_file)
    (line,) = str(refused.value).splitlines()
    assert str(spec_file.parent) in line or "lab.yaml" in line or "data=" in line
    assert says in line


def test_seeds_up_to_the_most_are_read(spec_file):
    spec_file.write_text(spec_file.read_text().replace("1-3", "1-10000").replace("  grpo: {method: grpo}\n", ""))
    spec_file.write_text(spec_file.read_text().replace("baseline: grpo", "baseline: ladder"))
    assert len(load_study(spec_file).runs) == 10_000


def test_methods_without_a_name_are_told_what_to_write(spec_file):
    methods = "methods:\n  grpo: {method: grpo}\n  ladder: {method: sage}\n"
    spec_file.write_text(spec_file.read_text().replace(methods, "methods: {}\n"))
    with pytest.raises(InputError, match=r"methods: write a name and its recipe keys in each line, like `ladder: "):
        load_study(spec_file)


def test_a_folder_that_no_recipe_can_name_is_refused(spec_file, tmp_path):
    spec_file.rename(named := tmp_path / "a$b.yaml")
    for path, out, says in (
        (named, None, r"runs/a\$b: the study's folder, from the file's name, has a \$ in it; choose another"),
        (named, tmp_path / "$HOME", r"\$HOME: the study's folder, from --out, has a \$ in it; choose another"),
        (named, Path(os.fsdecode(b"out\xff")), r"out\\udcff: the study's folder, from --out, is not UTF-8; choose"),
    ):
        with pytest.raises(InputError, match=says):
            load_study(path, out)
    assert load_study(named, tmp_path / "out").name == "a$b"


def test_a_missing_specification_is_named(tmp_path):
    with pytest.raises(InputError, match=r"gone.yaml: no such study file; check the path"):
        load_study(tmp_path / "gone.yaml")


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_studies_of_this_repository_can_be_read(path):
    study = load_study(path)
    assert len(study.runs) == len(study.spec.methods) * len(study.spec.data) * len(study.spec.seeds)
