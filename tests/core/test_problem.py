"""A problem's key comes from its content alone."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.problem import KEY_LENGTH, Problem, content_key, given_texts

texts = st.text(st.characters(), max_size=20)


def test_a_key_never_changes_between_releases():
    """Ledgers in checkpoints and logs of finished runs are found by it."""
    assert content_key("What is 2 + 3?", "5") == "f04679cb281eed79"
    assert content_key("Où est l'angle α ?", "½") == "a407c869e83777bd"


@settings(deadline=None)
@given(question=texts, answer=texts)
def test_a_key_is_short_hexadecimal_for_any_text(question, answer):
    key = content_key(question, answer)
    assert len(key) == KEY_LENGTH
    assert set(key) <= set("0123456789abcdef")
    assert key == content_key(question, answer)


def test_question_and_answer_both_count_and_do_not_run_together():
    pairs = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc"), ("c", "ab"), ("ab", "c ")]
    assert len({content_key(*pair) for pair in pairs}) == len(pairs)


def test_unicode_compositions_of_one_text_are_one_problem():
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert content_key(composed, decomposed) == content_key(decomposed, composed)


def test_compatible_but_different_characters_are_two_problems():
    assert content_key("x²", "1") != content_key("x2", "1")


def test_half_a_surrogate_pair_has_a_key():
    assert content_key("\ud800", "1") != content_key("\ud801", "1")


def test_solution_and_prompt_are_not_part_of_the_key():
    first = Problem("q", "a long solution", "1", "q")
    better = Problem("q", "a better solution", "1", [{"role": "user", "content": "Solve: q"}])
    without = Problem("q", None, "1", "q")
    assert first.key == better.key == without.key == content_key("q", "1")


def test_a_key_cannot_be_given_by_hand():
    with pytest.raises(TypeError, match="key"):
        Problem("q", "s", "1", "q", key="mine")


def test_a_problem_has_no_position():
    assert {field.name for field in dataclasses.fields(Problem)} == {
        "question",
        "solution",
        "answer",
        "prompt",
        "hints",
        "key",
    }


def test_a_problem_cannot_change():
    problem = Problem("q", "s", "1", "q")
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.question = "another"


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, {}),
        ({}, {}),
        ([], {}),
        ({"level_1": "a", "level_3": ["b", "c"], "source": 7}, {1: ("a",), 3: ("b", "c")}),
        ({"level_1": None, "level_2": [], "level_3": "c"}, {3: ("c",)}),
        ({"level": "Level 5", "level_2": "b"}, {2: ("b",)}),
        (["a", ["b", "c"], None], {1: ("a",), 2: ("b", "c")}),
        (("a",), {1: ("a",)}),
    ],
)
def test_given_texts(value, texts):
    assert given_texts(value) == texts


@pytest.mark.parametrize(
    ("value", "fragment"),
    [
        ("a text", "a mapping of level_1 … level_3 or a list of 3"),
        (["a", "b", "c", "d"], "a list of 3"),
        ({"level_4": "d"}, "'level_4'; the levels are level_1, level_2, level_3"),
        ({"level_1": 7}, "no text at level 1"),
        (["a", ["b", None]], "no text at level 2"),
        ({"level_1": {"text": "a"}}, "no text at level 1"),
    ],
)
def test_hints_of_another_form(value, fragment):
    with pytest.raises(ValueError, match=re.escape(fragment)):
        given_texts(value)
