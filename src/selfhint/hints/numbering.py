"""The numbers of an outline's steps within running text: "1. Isolate y. 2. Substitute it", "(1) …, (2) …"."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"(?:^|\n|(?<=[.!?;:]) |(?<=[^\d],) |(?<=\band) |(?<=\bthen) )[ *>-]{0,3}"
    r"(?P<mark>\((?P<bracketed>\d{1,2})\)|(?P<number>\d{1,2})(?P<style>[.):])) (?=[A-Za-z\\\"'(])"
)


def without_numbering(text: str) -> str:
    """Plain writing `text` without the marks of its lists: 1, 2 and so on in order, in one style.

    What stands in front of a mark ends a part of the text: "so y = 2. Check it" is none.
    """
    parts, position = [], 0
    for mark in _marks(text):
        parts.append(text[position : mark.start("mark")])
        position = mark.end()
    return "".join([*parts, text[position:]])


def _marks(text: str) -> list[re.Match[str]]:
    """The marks of every list of two and more."""
    lists: list[list[re.Match[str]]] = []
    for mark in _MARK.finditer(text):
        number = int(mark["bracketed"] or mark["number"])
        if number == 1:
            lists.append([mark])
        elif lists and _continues(lists[-1], mark, number):
            lists[-1].append(mark)
    return [mark for marks in lists if len(marks) > 1 for mark in marks]


def _continues(marks: list[re.Match[str]], mark: re.Match[str], number: int) -> bool:
    """Whether a mark is the next of a list; behind a colon ("Answer: 2. Check it") it is a value."""
    announced = mark.string[mark.start()] == " " and mark.string[mark.start() - 1] == ":"
    return number == len(marks) + 1 and mark["style"] == marks[0]["style"] and not announced
