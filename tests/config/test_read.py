"""Overrides put into nested values; recipes and verl's settings read them through the same functions."""

from __future__ import annotations

import pytest

from selfhint.config.read import apply_override, override_place, validate
from selfhint.config.settings import MethodSettings
from support.refusals import refused


def test_an_override_is_put_into_its_group_and_returns_its_key():
    values = {"hints": {"tries": 2}}
    group = values["hints"]
    assert apply_override(values, "hints.max_tokens=9", MethodSettings) == "hints.max_tokens"
    assert values == {"hints": {"tries": 2, "max_tokens": 9}}
    assert group == {"tries": 2}, "the group is copied, for an alias may share it"


def test_messages_name_the_override_as_they_are_told_to():
    refused(lambda: apply_override({}, "hints.x=1", MethodSettings, "the word w"), "the word w: unknown key hints.x")
    refused(lambda: apply_override({}, "hints.x=1", MethodSettings), "override hints.x=1: unknown key hints.x")
    assert override_place("a\nb") == r"override 'a\nb'"


@pytest.mark.parametrize("override", ["hints.tries", "=1", "hints.=1", ".tries=1", ""])
def test_what_is_no_override_is_refused(override):
    refused(lambda: apply_override({}, override, MethodSettings), "not of the form key=value")


def test_an_override_below_a_value_is_refused():
    refused(lambda: apply_override({"hints": 3}, "hints.tries=1", MethodSettings), "hints is set to 3")


@pytest.mark.parametrize(
    ("values", "sources", "says"),
    [
        ({"hints": {"tries": 0}}, {}, ["here: hints.tries: 0 is not allowed"]),
        ({"hints": {"tries": 0}}, {"hints.tries": "word"}, ["word: hints.tries: 0"]),
        ({"hints": {"tries": 0}}, {"hints": "word"}, ["word: hints.tries: 0"]),
        ({"hints": {"tries": 0}}, {"method": "word"}, ["here (with overrides): hints.tries: 0"]),
        ({"method": 7}, {}, ["method: 7 is not text", "quotes"]),
        ({"method": None}, {}, ["method is empty"]),
        ({"hints": 7}, {}, ["hints is a group of keys and cannot be 7"]),
        ({"hints": {"format": "x" * 99}}, {}, ["...", "'json' or 'text'"]),
    ],
)
def test_a_value_that_is_not_allowed_names_where_it_came_from(values, sources, says):
    refused(lambda: validate(MethodSettings, values, "here", sources), *says)
