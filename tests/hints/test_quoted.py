from __future__ import annotations

import pytest

from selfhint.hints.quoted import read_value
from selfhint.hints.reasons import Refused


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"a b"}', "a b"),
        ("'it's odd',", "it's odd"),
        ("“a ”b” c”}", "a ”b” c"),
        ('"""a "b" c"""', 'a "b" c'),
        ('"a "b", c", "next": 1', 'a "b", c'),
        ('"a" // comment', "a"),
        ('"a "b", then: c.", ', 'a "b", then: c.'),
        ('"a "b", "c": d.", ', 'a "b", "c": d.'),
        ('"a {"b", "c"} d.", ', 'a {"b", "c"} d.'),
        ('"a ["b"] c."}', 'a ["b"] c.'),
        ('"a "b" # of c."\n}\n```', 'a "b" # of c.'),
        ('"a "b" // c", ', 'a "b" // c'),
        ("'a 'b', so: c', ", "a 'b', so: c"),
        ('"a", then: "c", ', "a"),
        ('"a", sure: true, ', "a"),
        ('"a", "sure": 1.5, "why": "c", ', "a"),
        ("'a', # the 'first',\n", "a"),
        ('"a", # the "first"\n', "a"),
        ('"a"} like {"type": "b"}', "a"),
        ('"a"} like "b"', "a"),
        ('{"hint": "a "b"}, c"}', 'a "b"}, c'),
        ("[\"a\", 'b',]", "a\nb"),
        ('["a, b"]', "a, b"),
        ("{'hint': 'a'}", "a"),
        ('""', ""),
        ("", Refused("unparsable")),
        ('"a', Refused("unparsable")),
        ('"a" b', Refused("unparsable")),
        ('["a"', Refused("unparsable")),
        ('["a" b]', Refused("unparsable")),
        ("[]", Refused("not_a_string")),
        ('["a", 1]', Refused("not_a_string")),
        ('{"hint": "a", "why": "b"}', Refused("not_a_string")),
        ("7", Refused("not_a_string")),
        ("null", Refused("not_a_string")),
    ],
)
def test_read_value(text: str, value: str | Refused) -> None:
    assert read_value(text)[0] == value


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ('"a {b}", {', ", {"),
        ("{'hint': 'a'}, {", "}, {"),
        ('["a", "b"], {', ", {"),
        ('{"type": "x"}, {', "}, {"),
        ('"a {b} "c d {', "c d {"),
        ("7, {", "7, {"),
    ],
)
def test_where_a_value_ends(text: str, behind: str) -> None:
    assert text[read_value(text)[1] :] == behind
