"""Answers told by what they are: "a polygon with six sides" for hexagon, "the second month" for February."""

from __future__ import annotations

import re

from selfhint.hints.calendar_words import MONTHS, WEEKDAYS
from selfhint.hints.number_words import ordinal_words, with_digits

_POLYGON_NAMES = "triangle quadrilateral pentagon hexagon heptagon octagon nonagon decagon undecagon dodecagon"
_FACES = {"tetrahedron": 4, "cube": 6, "octahedron": 8, "dodecahedron": 12, "icosahedron": 20}
_EQUAL_SIDES = r"4 (?:equal sides|sides of (?:equal length|the same length|length \d+))\b"
_AGAINST_THE_CLOCK = r"\bagainst the (?:hands of (?:the|a) )?clock\b"
_FIGURE = r"\b(?:polygon|shape|figure|one)\b[^.!?\n]{0,30}\b"

DEFINITIONS: dict[str, str] = {
    **{
        name: rf"{_FIGURE}{num} (?:(?:equal|straight) )?(?:sides|corners|vertices|edges)\b"
        for num, name in enumerate(_POLYGON_NAMES.split(), start=3)
    },
    **{name: rf"\b(?:solid|polyhedron|body|one)\b[^.!?\n]{{0,30}}\b{num} faces\b" for name, num in _FACES.items()},
    "rhombus": rf"\b{_EQUAL_SIDES}[^.!?\n]{{0,20}}\bno right angle",
    "square": rf"\b{_EQUAL_SIDES}[^.!?\n]{{0,20}}\bright angles",
    "rectangle": r"\b4 right angles\b",
    "trapezoid": r"\b(?:exactly|only|just) 1 pair of parallel sides\b",
    "parallelogram": r"\b(?:2|both) pairs of (?:parallel|opposite) sides\b",
    "isosceles": r"\b(?:exactly |just )?2 (?:of its )?(?:equal sides|sides (?:are|of) (?:equal|the same))\b",
    "equilateral": r"\b(?:all|3) (?:3 )?(?:its |the )?sides (?:are|have) (?:equal|the same|all equal)\b",
    "scalene": r"\b(?:no 2 sides (?:are )?(?:equal|the same)|(?:all|3) (?:3 )?sides (?:are|have) different)\b",
    "acute": r"\b(?:less|smaller) than (?:a right angle|90)\b",
    "obtuse": r"\b(?:more|larger|greater|bigger|wider) than (?:a right angle|90)\b",
    "prime": r"\b(?:no divisors? (?:other than|except|besides|but)|only (?:divisible by|divisors are)) 1 and itself\b",
    "parallel": r"\bnever (?:meet|intersect|cross)\b",
    "perpendicular": r"\b(?:meet|intersect|cross)\w* at (?:a )?right angles?\b",
    "diverges": r"\b(?:grows? (?:without|beyond) (?:any |all )?(?:bounds?|limits?)|no finite (?:sum|limit|value))\b",
    "counterclockwise": rf"\banti-?clockwise\b|{_AGAINST_THE_CLOCK}",
    "anticlockwise": rf"\bcounter-?clockwise\b|{_AGAINST_THE_CLOCK}",
    "clockwise": r"\b(?:with|like|as) the (?:hands of (?:the|a) clock|clock)\b",
    "equal": r"\bthe same(?=\W*(?:$|[.!;]))",
}
"""Answer in lower case → a pattern of what it is, in text with digits for number words."""

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?!\s|$))+[.!?]?")
_LEFT_OPEN = re.compile(r"\b(?:if|whether|when|suppose|check)\b|^(?!.*\b(?:call|called|name)\b).*\?$", re.IGNORECASE)
_NEXT = re.compile(
    r"\bthe (?:next|following) (?:one|day|month)\b|\bone more (?:day|month|step)(?! back)\b", re.IGNORECASE
)
_BEFORE = re.compile(r"\bone (?:more )?(?:day|month|step) (?:back|before|earlier)\b", re.IGNORECASE)


def defines(text: str, answer: str, question: str) -> bool:
    """Whether a text tells the answer by a definition that the question does not hold, or by its calendar neighbour."""
    name = answer.casefold()
    pattern = DEFINITIONS.get(name)
    if pattern and not re.search(pattern, with_digits(question), re.IGNORECASE):
        told = " ".join(part for part in _SENTENCE.findall(with_digits(text)) if not _LEFT_OPEN.search(part))
        return bool(re.search(pattern, told, re.IGNORECASE))
    return (name in MONTHS and _is_numbered(text, MONTHS.index(name) + 1)) or _follows(text, name)


def _is_numbered(text: str, number: int) -> bool:
    names = "|".join([rf"{number}(?:st|nd|rd|th)", *ordinal_words(number)])
    return bool(re.search(rf"\b(?:{names}) month of the year\b", text, re.IGNORECASE))


def _follows(text: str, answer: str) -> bool:
    """The last weekday or month in a text is the one before or after the answer, and the text says to go on by one."""
    for names in (WEEKDAYS, MONTHS):
        if answer not in names:
            continue
        found = list(re.finditer(rf"\b(?:{'|'.join(names)})\b", text, re.IGNORECASE))
        if not found:
            return False
        last, rest = names.index(found[-1].group().casefold()), text[found[-1].end() :]
        place = names.index(answer)
        if _NEXT.search(rest):
            return place == (last + 1) % len(names)
        return bool(_BEFORE.search(rest)) and place == (last - 1) % len(names)
    return False
