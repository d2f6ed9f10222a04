from __future__ import annotations

import json

import pytest

from selfhint.verify.own import own_answer


@pytest.mark.parametrize(
    ("kind", "gold", "own"),
    [
        ("math", " 72 ", "72"),
        ("math", "", None),
        ("math", None, None),
        ("numeric", 72, "72"),
        ("math", r"\{1, 2\}", r"\{1, 2\}"),
        ("exact", '{"answer": "B"}', '{"answer": "B"}'),
        ("choice", "B", "B"),
        ("choice", '{"answer": "B", "options": ["x", "y"]}', "B"),
        ("choice", {"answer": "y", "options": ["x", "y"]}, "y"),
        ("choice", '{"answer": ', None),
        ("reasoning_gym", json.dumps({"question": "q", "answer": "4", "metadata": {}}), "4"),
        ("reasoning_gym", json.dumps({"question": "q", "answer": None, "metadata": {}}), None),
    ],
)
def test_own_answer(kind, gold, own):
    assert own_answer(kind, gold) == own
