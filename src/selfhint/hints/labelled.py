"""Reads hints under labels "Level 1: …" or headings, as models write them that leave out the object."""

from __future__ import annotations

import re

from selfhint.hints.reasons import Refused

_GAP = r"[\s_-]{0,4}"
_NAME = rf"(?:hint{_GAP})?(?:level|hint){_GAP}([0-9]{{1,3}})(?:{_GAP}hint)?"
_NAME += r"(?:[ \t]\([^()\n]{1,40}\))?[*_\])]{0,4}[ \t]*"
_LABEL = re.compile(
    rf"^[\s>#*_•(\[-]{{0,8}}(?:[0-9]{{1,2}}[.)][ \t]?[*_]{{0,4}})?{_NAME}(?:[:：][*_]{{0,4}}|[.)–—-](?=\s)|$)"
    rf"|(?<=[.!?;)\"”][ \t])[*_]{{0,4}}{_NAME}[:：][*_]{{0,4}}",
    re.IGNORECASE | re.MULTILINE,
)
"""At a line's beginning, where it may be a heading, or behind a sentence. A label passed over would show a weaker level
the text of a stronger one, so what follows it, a list or a formula, decides nothing."""

_BLANK_LINE = re.compile(r"\n\s*\n")
_QUOTED = re.compile(r'["“]([^"“”]*)["”][.,;]?')


def labelled(text: str) -> dict[int, str | Refused]:
    """The text of each label, up to the next one or a blank line; none in an object whose keys have no quotes."""
    labels = list(_LABEL.finditer(text))
    if not labels or text[: labels[0].start()].rstrip().endswith("{"):
        return {}
    ends = [label.start() for label in labels[1:]] + [len(text)]
    levels: dict[int, str | Refused] = {}
    for label, end in zip(labels, ends, strict=True):
        words = _BLANK_LINE.split(text[label.end() : end].strip(), maxsplit=1)[0].rstrip(" *\t\n")
        if any(map(str.isalnum, words)):
            levels[int(label[label.lastindex or 0])] = _without_quotes(words)
    return levels


def _without_quotes(words: str) -> str | Refused:
    if quoted := _QUOTED.fullmatch(words):
        return quoted[1]
    return Refused("unparsable") if words.startswith('"') and words.count('"') == 1 else words  # cut off
