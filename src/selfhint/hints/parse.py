r"""Reads the JSON answer to a hint request as models really write it. No evaluation, linear in the text.

Well-formed JSON says what it says, only LaTeX is left its single backslashes. In the rest the reader looks for the
levels' keys themselves, so that fences, prose around the object, further keys, nesting, comments and a cut-off end need
no rule of their own. Why not a JSON repair library: it cannot tell `\nabla` from a new line or a draft from the answer,
and json-repair 0.64 needs seconds for a few thousand open braces or ends in a RecursionError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from selfhint.hints.json_trees import Entry, json_trees, tree_entries
from selfhint.hints.labelled import labelled
from selfhint.hints.quoted import CLOSING, COLON, OPENING, SPACE, TEXT_KEYS, behind_quotes, read_value
from selfhint.hints.reasons import Refused

_THINK = re.compile(r"<(/?)(?:think|thinking|thoughts?|reasoning|scratchpad)>", re.IGNORECASE)

_NUM = r"([0-9]{1,3})"
_GAP = r"[\s_-]{0,4}"
_VALUE_NEXT = rf"(?=[{OPENING}\[{{])"


def _key(name: str) -> re.Pattern[str]:
    """`name`, with one group for the number, as a quoted key or as a bare one straight in front of a value."""
    quoted = rf"[{OPENING}]\s{{0,8}}{name}\s{{0,8}}[{CLOSING}]{COLON}"
    return re.compile(rf"{quoted}|(?<![^\s{{,]){name}{COLON}{_VALUE_NEXT}", re.IGNORECASE)


_LEVEL = rf"(?:hint{_GAP})?level{_GAP}{_NUM}(?:{_GAP}hint)?"
_RECORD = rf"(?:[{OPENING}]level[{CLOSING}]{COLON}[{OPENING}]?(?:level{_GAP})?{_NUM}[{CLOSING}]?"
_RECORD += rf"{SPACE}{{0,40}},{SPACE}{{0,40}}[{OPENING}](?:{'|'.join(TEXT_KEYS)})[{CLOSING}]{COLON})"
_NAMES = (_LEVEL, rf"hint{_GAP}{_NUM}", _NUM)
"""Ways to name a level, best first; the first that gives a text is taken."""
_WHOLE_NAMES = tuple(re.compile(rf"\s{{0,8}}{name}\s{{0,8}}", re.IGNORECASE) for name in _NAMES)
_KEYS = (re.compile(rf"{_RECORD}|{_key(_LEVEL).pattern}", re.IGNORECASE), *map(_key, _NAMES[1:]))

Levels = dict[int, str | Refused]


def after_thinking(text: str) -> str | None:
    """What stands behind a reasoning model's thoughts; None where the thoughts never end.

    Thoughts that begin behind the answer and never end are left out.
    """
    start, end = 0, len(text)
    for tag in _THINK.finditer(text):
        if tag[1]:
            start, end = tag.end(), len(text)
        else:
            end = min(end, tag.start())
    answer = text[start:end]
    return None if end < len(text) and not answer.strip() else answer


def parse_levels(text: str, levels: Iterable[int]) -> Levels:
    """The hint of each level in the best object of `text`: the one with most texts, the last of equals.

    Labels take its place where they give more texts: a quoted word behind a label looks like an object, too.

    Args:
        text: what the policy wrote.
        levels: the levels wanted.

    Returns:
        A text, stripped, for each level, or why there is none: unparsable, missing_level, not_a_string.
    """
    wanted = tuple(levels)
    best = _best(after_thinking(text) or "", wanted)
    return {level: best.get(level, Refused("missing_level" if best else "unparsable")) for level in wanted}


def _best(text: str, wanted: tuple[int, ...]) -> Levels:
    unescaped = re.sub(r'\\(["\\])', r"\1", text)  # it may be the content of a JSON string
    best = _best_object(text, wanted) or _best_object(unescaped, wanted)
    labels = labelled(unescaped)
    return labels if not best or _rank(labels, wanted)[0] > _rank(best, wanted)[0] else best


def _best_object(text: str, wanted: tuple[int, ...]) -> Levels:
    best: Levels = {}
    trees = list(json_trees(text))
    for name, key in zip(_WHOLE_NAMES, _KEYS, strict=True):
        for candidate in _objects(_entries(text, trees, name, key)):
            if _rank(candidate, wanted) >= _rank(best, wanted):
                best = candidate
        if _rank(best, wanted)[0]:
            break
    return best


def _rank(candidate: Levels, wanted: tuple[int, ...]) -> tuple[int, int]:
    """How many wanted levels have a text (dots alone are none), and how many are named."""
    found = [candidate[level] for level in wanted if level in candidate]
    texts = sum(isinstance(value, str) and any(map(str.isalnum, value)) for value in found)
    return texts, len(found)


def _objects(entries: Iterable[Entry]) -> Iterator[Levels]:
    """Runs of levels; where an object opens a new run begins unless its level is higher than all before it.

    So the objects of a list, one for each level, are one run. A key given twice keeps its last text.
    """
    values: Levels = {}
    for level, value, opens in entries:
        if values and opens and level <= max(values):
            yield values
            values = {}
        if isinstance(value, str) or not isinstance(values.get(level), str):  # a remark behind may name a key, too
            values[level] = value
    if values:
        yield values


def _entries(
    text: str, trees: list[tuple[int, int, Any]], name: re.Pattern[str], key: re.Pattern[str]
) -> Iterator[Entry]:
    """What well-formed JSON says about levels, as it says it, and what can be read of the text between."""
    position = 0
    for start, end, tree in trees:
        if entries := list(tree_entries(tree, name)):
            yield from _broken_entries(text[position:start], key)
            yield from entries
            position = end
    yield from _broken_entries(text[position:], key)


def _broken_entries(text: str, pattern: re.Pattern[str]) -> Iterator[Entry]:
    keys = _keys(text, pattern)
    ends = [key.start() for key in keys[1:]] + [len(text)]
    position = 0
    for key, end in zip(keys, ends, strict=False):
        before = text[position : key.start()]
        if _in_comment(before):
            continue
        value, length = read_value(text[key.end() : end])
        yield Entry(int(key[key.lastindex or 0]), value, "{" in before)
        position = key.end() + length


def _keys(text: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """All keys; one without quotes only behind a brace, a comma or a line's beginning."""
    keys: list[re.Match[str]] = []
    position = 0
    for key in pattern.finditer(text):
        before = text[position : key.start()]
        if text[key.start()] in OPENING or _follows_separator(before):
            keys.append(key)
            position = key.end()
    return keys


def _follows_separator(before: str) -> bool:
    words = before.rstrip()
    return not words or words[-1] in "{," or "\n" in before[len(words) :]


_LINE_COMMENT = re.compile(r"(?:^|[\s,{])//[^\n]*$")


def _in_comment(before: str) -> bool:
    before = before[behind_quotes(before) :]  # a comment sign inside a value is none
    return before.rfind("/*") > before.rfind("*/") or bool(_LINE_COMMENT.search(before[before.rfind("\n") + 1 :]))
