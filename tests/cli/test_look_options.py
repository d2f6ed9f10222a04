from __future__ import annotations

import json

import pytest

from selfhint.cli.look_options import look_options
from support.refusals import refused


def options(*values, data="data.jsonl", **changes):
    words = {
        "model": "some/model",
        "format": None,
        "levels": "1,2,3",
        "num": 5,
        "group": 4,
        "max_tokens": None,
        "seed": 7,
        "batch": 8,
        "out": None,
    }
    return look_options("diagnose", data, values, **{**words, **changes})


def test_the_words_make_a_recipe():
    made = options("columns.problem=question", "verifier.kind=choice", "hints.tries=2", format="text", max_tokens=9)
    recipe = made.recipe
    assert (recipe.model, recipe.data, recipe.seed, recipe.group_size) == ("some/model", "data.jsonl", 7, 4)
    assert (recipe.columns.problem, recipe.verifier.kind) == ("question", "choice")
    assert (recipe.hints.format, recipe.hints.tries, recipe.max_completion_tokens) == ("text", 2, 9)
    assert (made.levels, made.rounds) == ((1, 2, 3), 1)


def test_defaults():
    recipe = options().recipe
    assert (recipe.max_completion_tokens, recipe.hints.format, recipe.method) == (1024, "json", "sage")


def test_the_lab_brings_its_own():
    recipe = options("lab.train_size=8", data="lab:hard", model="lab").recipe
    assert (recipe.max_completion_tokens, recipe.verifier.kind, recipe.lab.train_size) == (8, "exact", 8)
    assert options(data="lab:hard", model="lab", max_tokens=5).recipe.max_completion_tokens == 5


def test_a_model_that_we_trained_is_asked_as_it_was(tmp_path):
    note = {"solver_prompt": "Which word? {problem}", "chat_template_kwargs": {"tone": "calm"}}
    (tmp_path / "selfhint.json").write_text(json.dumps(note))
    recipe = options(model=str(tmp_path)).recipe
    assert (recipe.prompt, recipe.trl["chat_template_kwargs"]) == ("Which word? {problem}", {"tone": "calm"})
    assert options("prompt=My {problem}", model=str(tmp_path)).recipe.prompt == "My {problem}"


@pytest.mark.parametrize(("levels", "expected"), [("1", (1,)), ("3,1", (1, 3)), (" 2, 2 ", (2,))])
def test_levels(levels, expected):
    assert options(levels=levels).levels == expected


@pytest.mark.parametrize("levels", ["", "0", "4", "1,x", "1;2", "-1"])
def test_levels_that_are_none(levels):
    refused(lambda: options(levels=levels), f"--levels {levels}: not levels between 1 and 3")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("model=x", "write --model instead"),
        ("group_size=4", "write --group instead"),
        ("max_completion_tokens=4", "write --max-tokens instead"),
        ("hints.format=text", "write --format instead"),
        ("out=x", "write --out instead"),
        ("lr=1", "changes nothing here"),
        ("method=grpo", "changes nothing here"),
        ("trl.beta=1", "changes nothing here"),
        ("trl={temperature: 0.5}", "such as trl.temperature=0.7"),
        ("trl.temperature=hot", "give a number above 0"),
        ("trl.temperature=null", "give a number above 0"),
        ("trl.temperature=true", "give a number above 0"),
        ("trl.temperature=0", "give a number above 0"),
        ("trl.temperature=-1", "give a number above 0"),
        ("trl.temperature=.inf", "give a number above 0"),
        ("hints.source=offline", "before a training these are the policy's own hints"),
        ("hints.source='offline'", "before a training these are the policy's own hints"),
        ("hints={source: offline}", "before a training these are the policy's own hints"),
        ("colums.problem=a", "did you mean columns"),
        ("columns.problems=a", "did you mean columns.problem?"),
        ("verifier.kind=maths", "'maths' is no kind"),
        ("no-value", "key=value"),
    ],
)
def test_values_that_are_refused(value, says):
    refused(lambda: options(value), says)


def test_a_format_that_is_none():
    refused(lambda: options(format="yaml"), "hints.format")


def test_settings_hold_what_decides_the_result_and_nothing_else():
    usual = options().settings("x")
    assert options(out="elsewhere").settings("x") == usual
    assert options("batch_problems=3").settings("x") == usual
    for other in (
        options(seed=8),
        options(num=6),
        options(rounds=2),
        options(levels="1"),
        options(batch=9),
        options(group=5),
        options(max_tokens=9),
        options(model="m"),
        options("hints.tries=9"),
        options("trl.temperature=0.5"),
        options("verifier.kind=exact"),
    ):
        assert other.settings("x") != usual
    assert options().settings("y") != usual
    assert json.loads(json.dumps(usual)) == usual
    assert usual["--group"] == 4
