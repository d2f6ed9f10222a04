"""Short names of weekdays and months, for answers that are one."""

from __future__ import annotations

import re

_NAMES = (
    "Monday Mon, Tuesday Tues Tue, Wednesday Wed, Thursday Thurs Thur Thu, Friday Fri, Saturday Sat, Sunday Sun, "
    "January Jan, February Feb, March Mar, April Apr, June Jun, July Jul, August Aug, September Sept Sep, October Oct, "
    "November Nov, December Dec"
)
SHORT_NAMES = {name.casefold(): tuple(short) for name, *short in (entry.split(" ") for entry in _NAMES.split(", "))}
"""Name in lower case → its short forms."""

_NAMES_IN_ORDER = tuple(SHORT_NAMES)
WEEKDAYS, MONTHS = _NAMES_IN_ORDER[:7], (*_NAMES_IN_ORDER[7:11], "may", *_NAMES_IN_ORDER[11:])
"""In lower case and in order; May has no short form."""


def names_short(text: str, answer: str, question: str) -> bool:
    """Whether a text ends a sentence or a list with the short name of the weekday or month that is the answer."""
    short = SHORT_NAMES.get(answer.casefold())
    if not short or re.search(rf"\b{re.escape(answer)}\b", question, re.IGNORECASE):
        return False
    return bool(re.search(rf"\b(?:{'|'.join(short)})\b(?=\.?\W*$|\.\s|[!;)\n]|: \S{{1,8}}\W*$)", text))
