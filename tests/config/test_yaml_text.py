from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.config.yaml_text import read_yaml, write_yaml
from selfhint.core.errors import InputError

LETTERS = st.characters(exclude_categories=("Cs",))
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(LETTERS, max_size=12)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(LETTERS, max_size=5), inner, max_size=3)
)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-6", 1e-6), ("2e4", 2e4), ("no", "no"), ("off", "off"), ("1:30", "1:30"), ("~", None), ("true", True)],
)
def test_scalars_are_yaml_1_2(text, value):
    read = read_yaml(text, "here")
    assert read == value
    assert type(read) is type(value)


TOO_DEEP = "here: nested too deeply; take lists and mappings out of each other"


@settings(deadline=None)
@given(VALUES)
def test_what_is_written_is_read_back(value):
    assert read_yaml(write_yaml({"key": value}), "here") == {"key": value}


def complaint(text):
    try:
        read_yaml(text, "here")
    except InputError as error:
        return str(error)
    return None


@settings(deadline=None)
@given(st.text("a1:-[]{},&*!|>%@`\"'#? \n\t.e=<~0_x\\$2TZ\u2028\x85\ufeff", max_size=24))
def test_bad_text_ends_in_one_line(text):
    message = complaint(text)
    assert message is None or (message.startswith("here") and "\n" not in message)


def test_a_hundred_levels_are_read_and_written_back():
    value = read_yaml("[" * 100 + "1" + "]" * 100, "here")
    assert read_yaml(write_yaml(value), "here") == value


def test_an_alias_in_many_places_is_no_depth():
    lines = ["a0: &a0 [x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 60))]
    assert complaint("\n".join(lines)) is None


@pytest.mark.parametrize("depth", [101, 400, 2000])
@pytest.mark.parametrize("text", ["[ 1]", "{a:  1}", "- 1"])
def test_text_that_is_nested_too_deeply(text, depth):
    begin, end = text.split("1")
    assert complaint(begin * depth + "1" + end * depth) == TOO_DEEP


def test_a_list_in_itself():
    assert complaint("&a [*a]") == TOO_DEEP
