from __future__ import annotations

import re

import pytest

from selfhint.hints.json_trees import MAX_FAILURES, Entry, json_trees, tree_entries
from selfhint.hints.reasons import Refused

NAME = re.compile("level_([0-9])")


def found(text: str) -> list[str]:
    return [text[start:end] for start, end, _ in json_trees(text)]


def entries(text: str) -> list[Entry]:
    return [entry for *_, tree in json_trees(text) for entry in tree_entries(tree, NAME)]


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ('so {"a": {"b": 1}} and [{"c": 2}] too', ['{"a": {"b": 1}}', '[{"c": 2}]']),
        (r'{"a": "\(x\) \" \alpha"}', [r'{"a": "\(x\) \" \alpha"}']),
        ('{"a": "two\nlines"}', ['{"a": "two\nlines"}']),
        (r"\frac{1}{2} of {1, 2} and [3]", []),
        ("{'a': 1}", []),
        ('{"a": 1', []),
        ('{"a": 1, so {"b": 2}', ['{"b": 2}']),
        ('// {"a": 1}\n{"b": 2} /* {"c": 3} */', ['{"b": 2}']),
        ('http://a/{"b": 2}', ['{"b": 2}']),
        ('/* {"a": 1}', ['{"a": 1}']),
        ("[" * 100_000, []),
        ('{"a": ' + "7" * 5000 + "}", []),
        ('{"a" ' * MAX_FAILURES + '{"b": 2}', []),
    ],
)
def test_json_trees(text: str, trees: list[str]) -> None:
    assert found(text) == trees


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"level_1": "a", "level_1": "b"}', [(1, "a", True), (1, "b", False)]),
        ('{"x": {"level_2": "a"}, "level_1": "b"}', [(1, "b", True), (2, "a", False)]),
        ('[{"level_2": "a"}, {"level_1": "b"}, {"level_2": "c"}]', [(2, "a", True), (1, "b", False), (2, "c", True)]),
        ('{"level": "level 3", "why": "w", "text": "t", "hint": "h"}', [(3, "h", True)]),
        ('{"level": {"level": 1, "hint": "h"}}', [(1, "h", True)]),
        ('{"level": null, "hint": "h"}', []),
        ('{"level_1": ["a", "b"]}', [(1, "a\nb", True)]),
        ('{"level_1": {"Hint": "a"}}', [(1, "a", True)]),
        ('{"level_1": ""}', [(1, "", True)]),
        (r'{"level_1": "\"\\frac\" \alpha \\\\"}', [(1, r'"\frac" \alpha \\', True)]),
        ('{"level_1": "a\x01b\x02"}', [(1, "ab", True)]),
    ],
)
def test_tree_entries(text: str, read: list[tuple[int, str, bool]]) -> None:
    assert entries(text) == read


@pytest.mark.parametrize(
    "value", ["7", "null", "[]", '[""]', '["a", 1]', '{"hint": 1}', '{"hint": "a", "why": "b"}', "{}"]
)
def test_what_is_no_text(value: str) -> None:
    assert entries(f'{{"level_1": {value}}}') == [(1, Refused("not_a_string"), True)]
