"""Several values."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import Request
from selfhint.verify.latex import is_line, tidy
from selfhint.verify.parts import MAX_PARTS, parts
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH
from selfhint.verify.text import as_text, readable, tagged, undelimited
from selfhint.verify.told import last_announced

_BRACKETS = re.compile(r"\s*[\[(](.*)[\])]\s*", re.DOTALL)
_ELEMENT = re.compile(r"^\s*[a-zA-Z]\s*\\in\s*(?=\\?\{)")
_RESPECTIVELY = re.compile(r",?\s*respectively\s*$")
_BULLET = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class ValuesKind:
    """A prediction gives the gold's values, all of them and no others, each compared as mathematics.

    The gold is a list, a list in JSON, or a text such as `1, 2 and 3` or `x = 1, y = 2`. The last box counts, or the
    boxes side by side; without one the last line, or the last lines where each is one value. Brackets around the whole
    list do not matter, labels do not either.

    Args:
        ordered: the values must come in the gold's order.
    """

    ordered: bool = False

    name = "values"

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """The verdict, or what to ask math-verify."""
        expected = _gold_values(gold)
        if not expected:
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        prediction = tagged(prediction)
        box = last_boxed(prediction)
        if box is None:
            box = _in_text(prediction, several=len(expected) > 1)
        answer = _values(box)
        extracted = box if readable(box) else None
        if len(answer) != len(expected):
            return Verdict.of(False, extracted=extracted, reason=MISMATCH)
        if answer == expected or (not self.ordered and sorted(answer) == sorted(expected)):
            return Verdict.of(True, extracted=extracted, reason=MATCH)
        return {"kind": self.name, "gold": expected, "answer": answer, "ordered": self.ordered, "extracted": extracted}

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """A right and a wrong pair."""
        pair = {"kind": self.name, "gold": ["1", r"\frac{1}{2}"], "ordered": False, "extracted": None}
        return ({**pair, "answer": ["0.5", "1"]}, MATCH), ({**pair, "answer": ["0.5", "2"]}, MISMATCH)


def _gold_values(gold: object) -> list[str]:
    if isinstance(gold, str) and gold.lstrip().startswith("["):
        with suppress(ValueError, RecursionError):  # an interval, or a list of formulas, is no JSON
            gold = json.loads(gold)
    if isinstance(gold, list | tuple):
        texts = [undelimited(as_text(value)) for value in gold[: MAX_PARTS + 1]]
        if len(texts) > MAX_PARTS or not all(map(readable, texts)):
            return []
        texts = [tidy(text) for text in texts]
        return texts if all(texts) else []
    text = as_text(gold)
    return _values(last_boxed(text) or text)


def _in_text(text: str, several: bool) -> str:
    """The last line of a text, or what it announces; where several values are asked for, the last lines of one each."""
    lines = text.strip().splitlines() or [""]
    if not readable(lines[-1]):
        return lines[-1]
    closing = _closing(lines) if several else []
    announced = last_announced(lines[-1])
    if len(closing) > 1:
        return ", ".join(closing)
    return lines[-1] if announced is None else lines[-1][announced.end() :]


def _closing(lines: list[str]) -> list[str]:
    """The last lines, as far as each is one value, labelled or behind a bullet: `x = 3`, `- 3`; without the bullets."""
    closing: list[str] = []
    for line in filter(str.strip, reversed(lines[-2 * MAX_PARTS :])):
        bullet = _BULLET.match(line.strip())
        value = line.strip()[bullet.end() if bullet else 0 :].rstrip(".,; ")
        if not readable(value):
            break
        announced = last_announced(value)
        value = value[announced.end() if announced else 0 :]
        found = parts(tidy(value.replace("$", " ")))
        if len(found) != 1 or not (bullet or found[0].label) or not is_line(found[0].value):
            break
        closing.append(value)
    return closing[::-1]


def _values(text: str) -> list[str]:
    """The values of a list, without brackets around all of it and without labels."""
    if not readable(text):
        return []
    text = _RESPECTIVELY.sub("", _ELEMENT.sub("", tidy(undelimited(text).replace("$", " "))))
    found = parts(text)
    if len(found) == 1 and (match := _BRACKETS.fullmatch(found[0].value)) is not None:
        inner = parts(match[1])
        if len(inner) > 1:
            found = inner
    return [part.value for part in found]
