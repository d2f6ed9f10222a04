"""An option told by what it alone holds: "the power with base three" where one option is 3^28."""

from __future__ import annotations

import re
from collections.abc import Iterable

from selfhint.hints.choices import Choice
from selfhint.hints.formula import values
from selfhint.hints.formula_reader import read_formula
from selfhint.hints.number_words import with_digits
from selfhint.hints.plain import plain

_MARK = re.compile(r"(?<![\w.:])\d{1,2}:\d\d(?!\w)|(?<![\w.])\d+(?:\.\d+)?(?:/\d+)?(?![\w]|\.\d)|(?<=\^)\d+")
_SINGLES_OUT = re.compile(
    r"\b(?:the (?:\w+ )?(?:one|1)|only|wins?|beats?|largest|biggest|smallest|greatest|correct|right|answer|choose|pick"
    r"|take|select|mark|option)\b",
    re.IGNORECASE,
)
_WINS_AFTER = re.compile(
    r"[^.!?\n\d]{0,12}\b(?:beats|wins"
    r"|(?:is|'s) (?:the )?(?:largest|biggest|greatest|smallest|least|most|highest|lowest)"
    r"|exceeds (?:all|every)|is (?:larger|bigger|greater|smaller|more|less) than (?:all|any|every|each|the others))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!](?!\s|$))+[?]?")
MIN_TELLING = 2
"""Shorter numbers stand in any text; they tell an option where the sentence singles one out."""


def names_mark(text: str, choice: Choice) -> bool:
    """Whether a sentence, not a question, holds a number that only the right option has, and none of another one."""
    right = _marks([choice.text])
    others = _marks(choice.others)
    known = _marks([plain(choice.stem)])
    own, foreign = right - others - known, others - right - known
    if not own:
        return False
    for sentence in _SENTENCE.finditer(with_digits(text)):
        part = sentence.group()
        found = _marks([part])
        telling = {mark for mark in found & own if len(mark) > MIN_TELLING or _SINGLES_OUT.search(part)}
        if telling and not found & foreign and not part.endswith("?"):
            return True
        if any(_WINS_AFTER.match(part, mark.end()) for mark in _MARK.finditer(part) if mark.group() in own):
            return True
    return False


def _marks(texts: Iterable[str]) -> set[str]:
    """The numbers in the texts, and the value of a text that is a formula of numbers (81 for 3^4)."""
    found: set[str] = set()
    for text in texts:
        found.update(_MARK.findall(with_digits(text)))
        formula = read_formula(text)
        value = values(formula) if formula and not formula.letters() else None
        if value and not complex(value[0]).imag:
            found.add(f"{complex(value[0]).real:.12g}")
    return found
