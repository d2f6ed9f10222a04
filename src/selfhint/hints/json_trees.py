r"""Finds the well-formed JSON in a text and the levels that it names, at any depth.

Only its backslashes may be wrong: a model leaves those of LaTeX single, so they stay as written until `unescape`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from selfhint.hints.escapes import unescape
from selfhint.hints.quoted import TEXT_KEYS
from selfhint.hints.reasons import Refused

_START = re.compile(r'(?=\{\s*+"|\[\s*+[{\[])[{\[]|(?<![^\s,{])//[^\n]*|/\*')
"""What may begin an object or a list of some, or a comment, which may hold an older one."""

MAX_FAILURES = 100
"""A text with more broken objects than this is no JSON; each one costs a look at the whole text."""

_BACKSLASH, _QUOTE = "\x01", "\x02"
"""Stand for a backslash and the quote behind one while the JSON is read. Where they are a text's own they go anyway."""

_ESCAPE = re.compile(r'\\(["\\]?)')
_ESCAPED = {"": _BACKSLASH, "\\": _BACKSLASH * 2, '"': _BACKSLASH + _QUOTE}
_LEVEL = re.compile(r"\s*(?:level[\s_-]{0,4})?([0-9]{1,3})\s*", re.IGNORECASE)


class _Object(tuple[tuple[str, Any], ...]):
    """The pairs of an object; a key may come twice."""

    __slots__ = ()


_DECODER = json.JSONDecoder(object_pairs_hook=_Object, strict=False)


class Entry(NamedTuple):
    """What an answer says about one level. `opens`: another object begins here."""

    level: int
    value: str | Refused
    opens: bool


def json_trees(text: str) -> Iterator[tuple[int, int, Any]]:
    """Where each object or list begins and ends, and what it holds; those inside another one stay in it."""
    text = _ESCAPE.sub(lambda match: _ESCAPED[match[1]], text.replace(_BACKSLASH, "\0").replace(_QUOTE, "\0"))
    position = failures = 0
    last_comment = text.rfind("*/")
    while failures < MAX_FAILURES and (start := _START.search(text, position)):
        position = start.end()
        if start[0] == "/*" and position <= last_comment:
            position = text.index("*/", position) + 2
        if start[0] not in ("{", "["):
            continue
        try:
            tree, position = _DECODER.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            failures += 1
            position = max(position, error.pos)
        except (ValueError, RecursionError):  # thousands of digits, thousands of brackets
            return
        else:
            yield start.start(), position, tree


def tree_entries(tree: Any, name: re.Pattern[str]) -> Iterator[Entry]:
    """The levels that objects of `tree` name, by keys that are a `name` or in records `{"level": …, "hint": …}`.

    Objects that name different levels count as one.
    """
    seen: set[int] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        is_object = isinstance(node, _Object)
        for num, (level, value) in enumerate(_named(node, name) if is_object else ()):
            opens = num == 0 and (not seen or level in seen)
            seen = {level} if opens else seen | {level}
            yield Entry(level, _text(value), opens)
        inside = [value for _, value in node] if is_object else node
        waiting.extend(value for value in reversed(inside) if isinstance(value, _Object | list))


def _named(node: _Object, name: re.Pattern[str]) -> Iterator[tuple[int, Any]]:
    for key, value in node:
        if match := name.fullmatch(key):
            yield int(match[1]), value
    values = {key.strip().lower(): value for key, value in node}
    level = values.get("level")
    if isinstance(level, str | int) and (match := _LEVEL.fullmatch(str(level))):
        yield from [(int(match[1]), values[key]) for key in TEXT_KEYS if key in values][:1]


def _text(value: Any) -> str | Refused:
    """As `read_value`: a list of texts gives one line for each, an object with one known key its text."""
    if isinstance(value, _Object) and [key.strip().lower() in TEXT_KEYS for key, _ in value] == [True]:
        ((_, value),) = value
        value = value if isinstance(value, str) else None
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return Refused("not_a_string")
    texts = [unescape(text.replace(_BACKSLASH, "\\").replace(_QUOTE, '"')) for text in texts]
    return "\n".join(texts) if isinstance(value, str) or any(texts) else Refused("not_a_string")
