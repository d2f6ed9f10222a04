"""Reads one value of a JSON object as models write it: any quotes, quotes left bare inside, a list, an object."""

from __future__ import annotations

import re

from selfhint.hints.escapes import unescape
from selfhint.hints.reasons import Refused

SPACE = r"(?:\s|\\[nrt])"
"""White space between tokens; also as an escape, where the whole object came as the content of a JSON string."""

OPENING, CLOSING = "\"'“”„‘’`", "\"'“”’`"
COLON = rf"{SPACE}{{0,40}}[:：]{SPACE}{{0,40}}"
TEXT_KEYS = ("hint", "text", "content", "value")
"""What an object may call a level's text."""

_CLOSERS = {
    '"""': ('"""',),
    '"': ('"',),
    "'": ("'",),
    "`": ("`",),
    "“": ("”", "“"),
    "”": ("”", "“"),
    "„": ("“", "”"),
    "‘": ("’",),
    "’": ("’",),
}
_TOKENS = {opener: re.compile(rf"\\.|({'|'.join(closers)})", re.DOTALL) for opener, closers in _CLOSERS.items()}
_KEY = rf"[{OPENING}][^{OPENING}{CLOSING}\n]{{1,40}}[{CLOSING}]{COLON}"
_BARE_KEY = rf"[,，;]{SPACE}*+\w{{1,40}}{COLON}"
_VALUE = rf"(?=[{OPENING}\[{{]|(?:-?[0-9.]{{1,20}}|(?i:true|false|null|none)){SPACE}{{0,40}}[,，;}}\]])"
_FIELD = re.compile(rf"(?:{_KEY}|{_BARE_KEY}){_VALUE}|(?://|/\*|#)[^\n\"]{{0,200}}\n")
"""Another key with its value, or a comment."""

_END = r"(?:[}\]]|$|```|//|/\*|#|<\|)"
_AFTER_VALUE = re.compile(rf"{SPACE}*+(?:[,，;]?{SPACE}*+(?:{_END}|{_KEY})|{_BARE_KEY}{_VALUE})")
_AFTER_ITEM = re.compile(rf"{SPACE}*+[,，\]]")
_AFTER_INNER = re.compile(rf"{SPACE}*+,?{SPACE}*+\}}")
_INNER = re.compile(rf"{SPACE}*+,?{SPACE}*+\}}")
_INNER = re.compile(rf"\{{{SPACE}*+[{OPENING}]?(?:{'|'.join(TEXT_KEYS)})[{CLOSING}]?{COLON}", re.IGNORECASE)
_SEPARATOR = re.compile(rf"{SPACE}*+[,，]?{SPACE}*+")


def read_value(text: str) -> tuple[str | Refused, int]:
    """The text of a value, or why there is none: unparsable (cut off, no end), not_a_string; and where it ends.

    A list of texts gives one line for each; an object with the only key hint, text, content or value gives its text.
    What is refused ends with its last closing quote.

    Args:
        text: from the value's first character to the next key that matters, or to the end of the answer.
    """
    if text[:1] in _TOKENS:
        value, end = _string(text, 0, _AFTER_VALUE, *_last_end(text))
    elif text.startswith("["):
        value, end = _list(text)
    elif inner := _INNER.match(text):
        value, end = _string(text, inner.end(), _AFTER_VALUE, *_last_end(text))
        if not _AFTER_INNER.match(text, end):
            value = Refused("not_a_string")
    else:
        value, end = Refused("not_a_string" if text else "unparsable"), 0
    return value, behind_quotes(text) if isinstance(value, Refused) else end


def behind_quotes(text: str) -> int:
    """Where the last quoted text ends."""
    return max(map(text.rfind, CLOSING)) + 1


def _string(
    text: str, start: int, after: re.Pattern[str], last_end: str = "", last_field: int = 0
) -> tuple[str | Refused, int]:
    """The quoted text at `start` and where it ends: at its first closing quote with `after` behind it.

    Where `last_end` ends with a closing quote, too, a field or a comment must lie between: else words would be lost.
    """
    opener = '"""' if text.startswith('"""', start) else text[start : start + 1]
    if opener not in _TOKENS:
        return Refused("not_a_string"), start
    start += len(opener)
    least = len(last_end) if last_end.endswith(_CLOSERS[opener]) else 0
    for token in _TOKENS[opener].finditer(text, start):
        end = token.end()
        if token[1] and after.match(text, end) and (end >= least or end <= last_field):
            return unescape(text[start : token.start()]), end
    return Refused("unparsable"), start


def _last_end(text: str) -> tuple[str, int]:
    """`text` up to the brackets and commas at its end, if there are any, and where its last field begins."""
    words = text.rstrip().removesuffix("```").rstrip(" \t\r\n,，;}]")
    last_field = max((field.start() for field in _FIELD.finditer(text)), default=0)
    return words if set(text[len(words) :]) & set(",，;}]") else "", last_field


def _list(text: str) -> tuple[str | Refused, int]:
    items: list[str] = []
    position = _skip(text, 1)
    while text[position : position + 1] in _TOKENS:
        item, position = _string(text, position, _AFTER_ITEM)
        if isinstance(item, Refused):
            return item, position
        items.append(item)
        position = _skip(text, position)
    if position == len(text):
        return Refused("unparsable"), position
    return "\n".join(items) if text[position] == "]" and any(items) else Refused("not_a_string"), position + 1


def _skip(text: str, position: int) -> int:
    """Behind white space and a comma."""
    match = _SEPARATOR.match(text, position)
    return match.end() if match else position
