"""What `selfhint.…` among verl's overrides says, taken out of a command line that is otherwise verl's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from selfhint.config import VerlSettings, split_overrides
from support.refusals import refused

VERLS = [
    "data.train_batch_size=8",
    "+ray_kwargs.ray_init.num_gpus=2",
    "~trainer.logger",
    "trainer.experiment_name=selfhint.method=sage",
    "trainer.project_name='a b'",
    "--config-name",
    "ppo_trainer",
    "++data.x=[1,2]",
    "selfhinted.method=no",
    "",
]


def test_nothing_of_ours_leaves_the_defaults_and_verls_words():
    assert split_overrides([]) == (VerlSettings(), [])
    assert split_overrides(VERLS) == (VerlSettings(), VERLS)


@run(deadline=None)
@given(st.permutations([*VERLS, "selfhint.seed=3", "+selfhint.method=sage-light", "selfhint.hints.tries=2"]))
def test_ours_are_taken_out_and_the_others_keep_order_and_text(words):
    settings, others = split_overrides(words)
    assert others == [word for word in words if word in VERLS]
    assert (settings.seed, settings.method, settings.hints.tries) == (3, "sage-light", 2)


@pytest.mark.parametrize("plus", ["", "+", "++"])
def test_the_plus_of_verls_users_changes_nothing(plus):
    settings, others = split_overrides([f"{plus}selfhint.method=grpo", "data.x=1"])
    assert settings == VerlSettings(method="grpo")
    assert others == ["data.x=1"]


def test_the_last_of_two_wins():
    assert split_overrides(["selfhint.seed=1", "selfhint.seed=2"])[0].seed == 2


@pytest.mark.parametrize(
    ("word", "key", "value"),
    [
        ("selfhint.correct=acc", "correct", "acc"),
        ("selfhint.correct=null", "correct", None),
        ("selfhint.correct_at_least=0.5", "correct_at_least", 0.5),
        ("selfhint.correct_at_least=1", "correct_at_least", 1.0),
        ("selfhint.seed=null", "seed", None),
        ("selfhint.columns.problem=problem", "columns.problem", "problem"),
        ("selfhint.columns.solution=extra_info.proof", "columns.solution", "extra_info.proof"),
        ("selfhint.columns.answer=gold: [x]=1", "columns.answer", "gold: [x]=1"),
        ("selfhint.hints.block= Hint: {hint}", "hints.block", " Hint: {hint}"),
    ],
)
def test_values_are_read_as_in_recipes(word, key, value):
    found = split_overrides([word])[0].model_dump()
    for part in key.split("."):
        found = found[part]
    assert found == value
    assert type(found) is type(value)


def test_the_defaults_are_those_of_verls_usual_data():
    settings = VerlSettings()
    assert settings.columns.model_dump() == {
        "problem": None,
        "solution": "solution",
        "answer": "reward_model.ground_truth",
        "hints": None,
    }
    assert (settings.method, settings.correct, settings.correct_at_least, settings.seed) == ("sage", None, 1.0, None)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("selfhint.metod=sage", ["unknown key metod", "did you mean method?"]),
        ("+selfhint.metod=sage", ["unknown key metod", "did you mean method?"]),
        ("selfhint.hint.tries=2", ["unknown key hint", "did you mean hints?"]),
        ("selfhint.hints.trys=2", ["unknown key hints.trys", "did you mean hints.tries?"]),
        ("selfhint.tries=2", ["unknown key tries", "did you mean hints.tries?"]),
        ("selfhint.columns.gold=x", ["unknown key columns.gold", "problem, solution, answer"]),
        ("selfhint.method=sgae", ["unknown method 'sgae'", "did you mean sage?"]),
        ("selfhint.method=", ["method is empty"]),
        ("selfhint.method", ["not of the form key=value"]),
        ("selfhint.=1", ["not of the form key=value"]),
        ("selfhint.seed=-1", ["seed: -1 is not allowed", "greater than or equal to 0"]),
        ("selfhint.seed=1.5", ["seed: 1.5 is not allowed"]),
        ("selfhint.correct_at_least=much", ["correct_at_least: 'much' is not allowed"]),
        ("selfhint.correct_at_least=.nan", ["correct_at_least: nan is not allowed"]),
        ("selfhint.columns=solution", ["columns is a group of keys", "set columns.NAME"]),
        ("selfhint.hints.block=a hint", ["the block needs {hint}"]),
        ("selfhint.hints.tries=[1", ["not valid YAML"]),
        ("~selfhint.method", ["nothing to delete"]),
        ("selfhint={method: sage}", ["one key in each", "selfhint.method=sage"]),
    ],
)
def test_refused_in_one_line_that_begins_with_the_override(word, says):
    refused(lambda: split_overrides(["data.x=1", word]), f"override {word.lstrip('+')}", *says)


def test_a_word_of_two_lines_is_refused_in_one():
    refused(lambda: split_overrides(["selfhint.seed=a\nb"]), r"'selfhint.seed=a\nb'")


def test_settings_that_do_not_fit_together_are_refused():
    refused(
        lambda: split_overrides(["selfhint.method=grpo", "selfhint.scheduler.level=2"]),
        "selfhint settings (with overrides)",
        "none takes no level",
    )
    refused(lambda: split_overrides(["selfhint.hints.source=none"]), "needs hints")
    refused(
        lambda: split_overrides(["selfhint.columns.answer=solution"]),
        "columns: solution and answer are both 'solution'",
        "worked solution",
    )


def test_a_group_in_one_word_would_be_verls_to_read_and_is_refused():
    """Hydra would take it after a plus, and nobody would read it."""
    for word in ("selfhint={method: sage}", "+selfhint={method: sage}", "++selfhint=sage"):
        refused(lambda word=word: split_overrides([word]), word, "one key in each", "selfhint.method=sage")


def test_settings_survive_the_way_to_another_process():
    settings = split_overrides(["selfhint.method=sage-light", "selfhint.seed=1", "selfhint.hints.format=text"])[0]
    assert VerlSettings.model_validate(settings.model_dump()) == settings
