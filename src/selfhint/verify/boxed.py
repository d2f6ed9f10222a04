r"""The last \boxed{…} of a text."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"(\\++)"  # a run of backslashes, taken whole so that the search stays linear …
    r"(?:(?:boxed|fbox)(?![a-zA-Z])\s*+"  # … before a box, which begins with
    r"(\{|(?=[-+.]?\d|\\[a-zA-Z]|\(|[A-Z](?![a-zA-Z])))"  # a brace, or, without one, with something like an answer
    r"|[{}])?"  # … or before a brace, which it escapes
    r"|[{}]"
)
_BLANKS = re.compile(r"\s*+")
_PUNCTUATION = ".,;:"


def last_boxed(text: str) -> str | None:
    r"""The content of the last non-empty \boxed{…} or \fbox{…}, stripped; None where there is none.

    Braces are balanced as TeX does it (`\{` and `\}` do not count), a box within a box is part of the outer one, and
    a box around nothing but a box is that inner box. A box that is never closed is no answer: the text was cut off.
    `\boxed 5`, without braces, ends at the next blank, dollar sign or closing brace; it must begin with a digit, a
    sign, a command, a parenthesis or a single capital letter, so that prose about \boxed is not taken for an answer.
    Time is linear in the length of the text.
    """
    open_braces: list[tuple[int, int] | None] = []  # of each box: where its command and its content begin
    last: tuple[int, int, int, int | None] | None = None  # begin and end of the content, of the box; no end: bare
    for token in _TOKEN.finditer(text):
        slashes, box = token.groups()
        if box == "{":
            open_braces.append((token.start(), token.end()))
        elif box is not None:
            last = (token.end(), token.end(), token.start(), None)
        elif slashes and len(slashes) % 2:
            continue
        elif token.group().endswith("{"):
            open_braces.append(None)
        elif token.group().endswith("}") and open_braces and (opened := open_braces.pop()) is not None:
            command, begin = opened
            end = token.end() - 1
            if _blank(text, begin, end):
                continue
            if last is not None and last[3] is not None and _only(text, begin, end, last[2], last[3]):
                last = (last[0], last[1], command, token.end())
            else:
                last = (begin, end, command, token.end())
    if last is None:
        return None
    begin, end, _, closed = last
    return _bare(text, begin) if closed is None else text[begin:end].strip()


def _blank(text: str, begin: int, end: int) -> bool:
    blanks = _BLANKS.match(text, begin, end)
    return blanks is not None and blanks.end() == end


def _only(text: str, begin: int, end: int, inner_begin: int, inner_end: int) -> bool:
    """Whether text[begin:end] is the inner span and blanks."""
    return begin <= inner_begin and _blank(text, begin, inner_begin) and _blank(text, inner_end, end)


def _bare(text: str, begin: int) -> str:
    depth = 0
    end = begin
    while end < len(text) and not text[end].isspace() and text[end] != "$":
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth < 0:
            break
        end += 1
    return text[begin:end].rstrip(_PUNCTUATION)
