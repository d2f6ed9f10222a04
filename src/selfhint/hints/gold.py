r"""The answer itself within a gold that wraps it: an object, a JSON list, a tag, a box, a mark, words, brackets.

What a verifier unwraps in a gold the guard has to unwrap, too: else it looks for `\boxed{72}` and every 72 passes.
"""

from __future__ import annotations

import json
import re

_LETTERS = "ABCDEFGHIJ"
_BOX = re.compile(r"\\(?:boxed|fbox)\s?\{")
_ANNOUNCED = re.compile(
    r"\W*+(?:(?:so|thus|hence|therefore),? )?(?:(?:the|my|our) )?(?:(?:final|correct) )?answer(?: is\b|\s?[:=])"
    r"[\s:=]*+(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT = re.compile(
    r"[\s$]*+(?:[≈~]|\\(?:approx|sim)(?![A-Za-z])|(?:approximately|about|roughly)\s)\s*+(?=[-+.\d\\])", re.IGNORECASE
)
_BRACKETED_NUMBER = re.compile(
    r"[\s$]*+(?:\\?[(\[{]){1,2}\s*+([-+]?\s?\d{1,40}(?:\.\d{1,40})?(?:/\d{1,40})?\s?%?)\s*+(?:\\?[)\]}]){1,2}[\s$.]*+"
)


def answer_in(gold: str) -> str:
    """What a gold wraps; the gold as it stands where it wraps nothing."""
    for unwrapped in (_from_json, _tagged, _boxed, _marked, _announced):
        gold = unwrapped(gold).strip() or gold
    gold = _ABOUT.sub("", gold, count=1) if _ABOUT.match(gold) else gold
    return number[1] if (number := _BRACKETED_NUMBER.fullmatch(gold)) else gold


def options_in(gold: str) -> list[str]:
    """The texts of the options that a gold lists beside its answer."""
    value = _loaded(gold)
    options = value.get("options") if isinstance(value, dict) else None
    listed = list(options.values()) if isinstance(options, dict) else options
    return list(map(str, listed)) if isinstance(listed, list) else []


def _loaded(gold: str) -> object:
    """The object or list that a gold is in JSON, else None."""
    if not gold.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(gold)
    except (ValueError, RecursionError):
        return None


def _from_json(gold: str) -> str:
    """A choice with its options, reasoning-gym's entry, a list with texts in it.

    A list of numbers alone stays: [3, 5] may be an interval.
    """
    value = _loaded(gold)
    if not isinstance(value, dict | list):
        return gold
    if isinstance(value, dict):
        return _answer_of(value.get("answer"), value.get("options")) or gold
    if any(isinstance(part, str) for part in value) and all(isinstance(part, str | int | float) for part in value):
        return ", ".join(map(str, value))
    return gold


def _answer_of(answer: object, options: object) -> str:
    """The answer of an object as text: a number that is no option's text counts the options from 0 on."""
    if isinstance(answer, int) and isinstance(options, list | dict):
        is_index = not isinstance(answer, bool) and answer not in options and 0 <= answer < len(options)
        return _LETTERS[answer] if is_index and len(options) <= len(_LETTERS) else str(answer)
    return str(answer) if isinstance(answer, str | int | float) else ""


def _tagged(gold: str) -> str:
    before, end, _ = gold.rpartition("</answer>")
    return before.rpartition("<answer>")[2] if end else gold


def _boxed(gold: str) -> str:
    """The content of the last box, its braces balanced."""
    boxes = list(_BOX.finditer(gold))
    start, depth = boxes[-1].end() if boxes else len(gold), 1
    for end in range(start, len(gold)):
        depth += (gold[end] == "{") - (gold[end] == "}")
        if not depth:
            return gold[start:end]
    return gold


def _marked(gold: str) -> str:
    return gold.rpartition("####")[2]


def _announced(gold: str) -> str:
    """What stands behind "The answer is"."""
    found = _ANNOUNCED.fullmatch(gold)
    return found[1] if found else gold
