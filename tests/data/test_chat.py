from __future__ import annotations

import json

import pytest

from selfhint.data import Unusable
from selfhint.data.chat import NO_CHAT, WRITTEN_AS_TEXT, chat_messages, is_chat, last_user_text
from selfhint.data.rows import BROKEN_TEXT, NOT_JSON

USER = {"role": "user", "content": "1+1"}


def test_messages_keep_all_but_their_empty_fields():
    value = [{"role": "system", "content": "Be brief.", "name": None}, {**USER, "name": "Ann"}]
    assert chat_messages(value) == [{"role": "system", "content": "Be brief."}, {**USER, "name": "Ann"}]


def test_the_last_user_message_is_the_problem():
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"}, USER]
    assert last_user_text(turns) == "1+1"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([{"role": "system", "content": "x"}], NO_CHAT),
        ([{"role": "user", "content": " "}], NO_CHAT),
        ([{"role": "user", "content": [{"type": "image"}]}], NO_CHAT),
        ([{"content": "x"}], NO_CHAT),
        ([{"role": "user", "content": "\ud83d"}], BROKEN_TEXT),
        ([{**USER, "name": "\ud83d"}], BROKEN_TEXT),
        ([{**USER, "calls": [{"\ud83d": 1}]}], BROKEN_TEXT),
        ([{**USER, "image": {"bytes": b"x"}}], NOT_JSON),
        (json.dumps([USER]), WRITTEN_AS_TEXT),
        (str([{"content": "1+1", "role": "user"}]), WRITTEN_AS_TEXT),
    ],
)
def test_unusable_messages(value, reason):
    assert is_chat(value)
    assert chat_messages(value) == Unusable(reason)


@pytest.mark.parametrize("value", [None, "text", '[{"x": 1}] is JSON', [], ["a"], {"role": "user"}, 5])
def test_no_chat(value):
    assert not is_chat(value)
