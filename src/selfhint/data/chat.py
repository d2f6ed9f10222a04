"""Prompts that data bring as chat messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from selfhint.core.prompt import Message
from selfhint.data.rows import Unusable, fault_in

NO_CHAT = "is no list of text messages with a user's among them"
ENDS_IN_ANSWER = "ends in an assistant's turn, perhaps the solution (that belongs into a column of its own)"
WRITTEN_AS_TEXT = "is a list of chat messages written as one text"

_WRITTEN = re.compile(r"""\s*\[\s*\{\s*["'](?:role|content)["']\s*:""")


def is_chat(value: Any) -> bool:
    """A list of objects: messages, if they are well made. Or such a list as text, which no model should be asked."""
    if isinstance(value, str):
        return _WRITTEN.match(value) is not None
    return isinstance(value, list) and bool(value) and all(isinstance(message, Mapping) for message in value)


def chat_messages(value: list[Mapping[str, Any]] | str) -> Sequence[Message] | Unusable:
    """The messages without their empty fields, which formats with one schema for all rows add."""
    if isinstance(value, str):
        return Unusable(WRITTEN_AS_TEXT)
    messages = [{name: part for name, part in message.items() if part is not None} for message in value]
    if not all(
        isinstance(message.get("role"), str) and isinstance(message.get("content"), str) for message in messages
    ):
        return Unusable(NO_CHAT)
    if not any(message["role"] == "user" and message["content"].strip() for message in messages):
        return Unusable(NO_CHAT)
    if messages[-1]["role"] == "assistant":  # the policy would be asked to go on behind it
        return Unusable(ENDS_IN_ANSWER)
    fault = fault_in(messages)
    return messages if fault is None else Unusable(fault)


def last_user_text(messages: Sequence[Message]) -> str:
    """What the user says last: the problem, where the data give it no column of its own."""
    return next(message["content"] for message in reversed(messages) if message["role"] == "user")
