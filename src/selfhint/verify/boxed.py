r"""The answer that a text puts into \boxed{…}."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<slashes>\\++)"  # a run of backslashes, taken whole so that the search stays linear …
    r"(?:(?:boxed|fbox|beginboxed)(?![a-zA-Z])\s*+"  # … before a box, which begins with
    r"(?P<box>\{|(?=[-+.]?\d|\\[a-zA-Z]|\(|[A-Z](?![a-zA-Z])))"  # a brace, or, bare, with something like an answer
    r"|[{}])?"  # … or before a brace, which an odd number of backslashes escapes
    r"|[{}]"
)
_BLANKS = re.compile(r"\s*+")
_CONNECTOR = re.compile(  # what may stand between the boxes of one answer
    r"(?:[\s,;&$]|\\[,;:! ()\[\]]|\\quad|\\qquad|and(?!\s+(?:then|so)\b)|or|\\text\s*\{[^{}]{0,40}\b(?:and|or)\s*\})*+"
)
_MAX_CONNECTOR = 80
"""Characters between two boxes of one answer, at most."""
_MAX_BOXES = 64
_PUNCTUATION = ".,;:"


class _Box(NamedTuple):
    """Where a closed box and its content begin and end."""

    outer_begin: int
    begin: int
    end: int
    outer_end: int


def last_boxed(text: str) -> str | None:
    r"""The content of the last non-empty \boxed{…} or \fbox{…}, stripped; None where there is none.

    Several boxes side by side, or with only commas, "and" or "or" between them, are one answer: their contents joined
    by commas, each content once.

    Braces are balanced as TeX does it (`\{` and `\}` do not count), a box within a box is part of the outer one, and
    a box around nothing but a box is that inner box. A box that is never closed is no answer: the text was cut off.
    `\boxed 5`, without braces, ends at the next blank, dollar sign or closing brace; it must begin with a digit, a
    sign, a command, a parenthesis or a single capital letter, so that prose about \boxed is not taken for an answer.
    Time is linear in the length of the text.
    """
    open_braces: list[tuple[int, int] | None] = []  # of a box: where its command and its content begin
    last: list[_Box] = []  # the boxes of the last answer so far
    bare: int | None = None  # where a later box without braces begins
    for token in _TOKEN.finditer(text):
        if token["box"] == "{":
            open_braces.append((token.start(), token.end()))
        elif token["box"] is not None:
            bare = token.end()
        elif len(token["slashes"] or "") % 2:
            continue
        elif token[0].endswith("{"):
            open_braces.append(None)
        elif token[0].endswith("}") and open_braces and (opened := open_braces.pop()) is not None:
            box = _Box(*opened, token.end() - 1, token.end())
            if not _blank(text, box.begin, box.end):
                last = _joined(text, last, box)
                bare = None
    if bare is not None:
        return _bare(text, bare)
    contents = dict.fromkeys(text[box.begin : box.end].strip() for box in last)
    return ", ".join(contents) if contents else None


def _joined(text: str, last: list[_Box], box: _Box) -> list[_Box]:
    """The boxes of the last answer, now that `box` is closed."""
    inner = last[-1] if last else None
    while last and last[-1].outer_begin >= box.begin:
        last.pop()  # a box within this one
    if inner is not None and not last:
        box = _innermost(text, box, inner)
    if last and _connected(text, last[-1].outer_end, box.outer_begin):
        return [*last, box] if len(last) < _MAX_BOXES else [box]
    return [box]


def _connected(text: str, begin: int, end: int) -> bool:
    if end - begin > _MAX_CONNECTOR:
        return False
    match = _CONNECTOR.match(text, begin, end)
    if match is None or match.end() != end:
        return False
    return bool(match[0].strip()) or "\n" not in match[0]  # on a line of its own, a box corrects the one before


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
