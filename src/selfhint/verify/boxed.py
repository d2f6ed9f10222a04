r"""The last \boxed{…} of a text."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<slashes>\\++)"  # a run of backslashes, taken whole so that the search stays linear …
    r"(?:(?:boxed|fbox)(?![a-zA-Z])\s*+"  # … before a box, which begins with
    r"(?P<box>\{|(?=[-+.]?\d|\\[a-zA-Z]|\(|[A-Z](?![a-zA-Z])))"  # a brace, or, bare, with something like an answer
    r"|[{}])?"  # … or before a brace, which an odd number of backslashes escapes
    r"|[{}]"
)
_BLANKS = re.compile(r"\s*+")
_PUNCTUATION = ".,;:"


class _Box(NamedTuple):
    """Where a closed box and its content begin and end."""

    outer_begin: int
    begin: int
    end: int
    outer_end: int


def last_boxed(text: str) -> str | None:
    r"""The content of the last non-empty \boxed{…} or \fbox{…}, stripped; None where there is none.

    Braces are balanced as TeX does it (`\{` and `\}` do not count), a box within a box is part of the outer one, and
    a box around nothing but a box is that inner box. A box that is never closed is no answer: the text was cut off.
    `\boxed 5`, without braces, ends at the next blank, dollar sign or closing brace; it must begin with a digit, a
    sign, a command, a parenthesis or a single capital letter, so that prose about \boxed is not taken for an answer.
    Time is linear in the length of the text.
    """
    open_braces: list[tuple[int, int] | None] = []  # of a box: where its command and its content begin
    last: _Box | int | None = None  # a box without braces is known by where it begins
    for token in _TOKEN.finditer(text):
        if token["box"] == "{":
            open_braces.append((token.start(), token.end()))
        elif token["box"] is not None:
            last = token.end()
        elif len(token["slashes"] or "") % 2:
            continue
        elif token[0].endswith("{"):
            open_braces.append(None)
        elif token[0].endswith("}") and open_braces and (opened := open_braces.pop()) is not None:
            box = _Box(*opened, token.end() - 1, token.end())
            if not _blank(text, box.begin, box.end):
                last = _innermost(text, box, last)
    if isinstance(last, int):
        return _bare(text, last)
    return None if last is None else text[last.begin : last.end].strip()


def _innermost(text: str, box: _Box, previous: _Box | int | None) -> _Box:
    """The box just closed, with the content of the previous one where it holds nothing else."""
    if (
        isinstance(previous, _Box)
        and box.begin <= previous.outer_begin
        and _blank(text, box.begin, previous.outer_begin)
        and _blank(text, previous.outer_end, box.end)
    ):
        return box._replace(begin=previous.begin, end=previous.end)
    return box


def _blank(text: str, begin: int, end: int) -> bool:
    blanks = _BLANKS.match(text, begin, end)
    return blanks is not None and blanks.end() == end


def _bare(text: str, begin: int) -> str:
    depth = 0
    end = begin
    while end < len(text) and not text[end].isspace() and text[end] != "$":
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth < 0:
            break
        end += 1
    return text[begin:end].rstrip(_PUNCTUATION)
