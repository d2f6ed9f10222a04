"""Words of which one holds where the other does not: "isn't even" says odd."""

from __future__ import annotations

import re

from selfhint.hints.asked import asked
from selfhint.hints.occurrences import Span
from selfhint.hints.stated import before_and_after
from selfhint.hints.stated_words import CONDITION, PLURAL_AFTER, QUESTION_AFTER, speaks_of_others

_PAIRS = (
    "odd even",
    "rational irrational",
    "convergent divergent",
    "converges diverges",
    "converge diverge",
    "prime composite",
    "true false",
    "finite infinite",
    "possible impossible",
    "consistent inconsistent",
    "dependent independent",
    "bounded unbounded",
    "continuous discontinuous",
    "equal unequal",
    "fair unfair",
    "valid invalid",
    "solvable unsolvable",
    "countable uncountable",
    "upward downward",
    "upwards downwards",
    "increasing decreasing",
    "clockwise counterclockwise",
    "clockwise anticlockwise",
    "convex concave",
)
OPPOSITES = {word: other for pair in _PAIRS for one, two in [pair.split()] for word, other in ((one, two), (two, one))}
"""Word → its opposite, in lower case."""

_NOT = r"\b(?:is|was|be|does|do|can|could|must)(?:n't| not|not)|\bcan't|\bnever"
_ALTERNATIVES = re.compile(r"\b([a-z-]{4,}) or (?:an? |is |is it |does it )?([a-z-]{4,})\s?\?", re.IGNORECASE)


def _alternative(answer: str, question: str) -> str:
    """The other word of "a knight or a knave?"."""
    found = _ALTERNATIVES.search(asked(question))
    if not found or re.search(r",\s?(?:an? )?[a-z-]+,? or ", asked(question), re.IGNORECASE):
        return ""
    one, other = found[1], found[2]
    stem = answer.casefold()[: max(4, len(answer) - 2)]
    if one.casefold().startswith(stem) == other.casefold().startswith(stem):
        return ""
    return other if one.casefold().startswith(stem) else one


def denies_opposite(text: str, answer: str, question: str) -> bool:
    """Whether a text says that the opposite of a property word does not hold ("the total isn't even")."""
    opposite = OPPOSITES.get(answer.casefold()) or _alternative(answer, question)
    if not opposite:
        return False
    stem = re.escape(opposite.removesuffix("s"))
    for match in re.finditer(rf"(?:{_NOT})\s(?:an?\s|be\s|be an?\s|[a-z]+\s)?{stem}s?\b", text, re.IGNORECASE):
        before, after = before_and_after(text, Span(match.start(), match.end(), ""))
        if QUESTION_AFTER.match(text, match.end()) or CONDITION.search(before) or PLURAL_AFTER.match(after):
            continue
        if not speaks_of_others(before + " is ", opposite, question):
            return True
    return False
