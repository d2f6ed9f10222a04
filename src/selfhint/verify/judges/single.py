"""Whether two single values are equal: words, numbers, quantities, angles, vectors, congruences, expressions."""

from __future__ import annotations

import re

from selfhint.verify.judges.formulas import same_expression
from selfhint.verify.judges.reading import read_answer
from selfhint.verify.latex import MAX_LINE
from selfhint.verify.number import plain_number, same_number
from selfhint.verify.units import Quantity, quantity

_TEXT = re.compile(r"\\text\s*\{([^{}]*)\}")
_LETTERS = re.compile(r"[^\W\d_]{2,}(?:[ '-][^\W\d_]+)*")
_SPACED = re.compile(r"(\d)\s+(?=\d)(?!\d{3}(?!\d))")
_BASED = re.compile(r"[0-9A-Fa-f]+\s*_\s*\{?\s*(?P<base>\d+)\s*\}?")
_CONGRUENCE = re.compile(r"(?P<left>[^=]+?)\\equiv\s*(?P<right>-?\d{1,9})\s*\\pmod\{0*(?P<modulus>[1-9]\d{0,8})\}")
_COLUMN = re.compile(r"\\begin\s*\{(?P<kind>[pb]?matrix)\}(?P<rows>.*)\\end\s*\{(?P=kind)\}", re.DOTALL)
_DEGREES = re.compile(r"\s*(?P<value>[^a-zA-Z]{1,30}?)\s*(?:\^\\circ|(?:\\text\s*\{)?\s*degrees?\s*\}?)\s*")


def same_value(gold: str, answer: str) -> bool:
    """Whether two tidy answers are equal as they stand, each taken as one value."""
    if squeezed(gold) == squeezed(answer) or same_word(gold, answer):
        return True
    if _SPACED.search(answer) and not _SPACED.search(gold):
        return False  # "2 1" is not 21, nor 2 · 1
    if r"\equiv" in gold or r"\equiv" in answer:
        return _same_congruence(gold, answer)
    based = _BASED.fullmatch(gold), _BASED.fullmatch(answer)
    if based[0] and based[1] and based[0]["base"] != based[1]["base"]:
        return False
    numbers = plain_number(gold), plain_number(answer)
    if numbers[0] is not None and numbers[1] is not None:
        return same_number(numbers[0], numbers[1])
    units = _same_quantity(gold, answer)
    if units is not None:
        return units
    if _same_angle(gold, answer) or _same_vector(gold, answer):
        return True
    return same_expression(read_answer(gold), read_answer(answer))


def squeezed(text: str) -> str:
    r"""A text without blanks and \text, except that "2 1" does not become 21."""
    return "".join(_SPACED.sub(r"\1_", _TEXT.sub(r"\1", text)).split())


def same_word(gold: str, answer: str) -> bool:
    """Words are the same in any case; single letters, which may be variables, are not."""
    gold, answer = (_TEXT.sub(r"\1", text).strip() for text in (gold, answer))
    return _LETTERS.fullmatch(gold) is not None and gold.casefold() == answer.casefold()


def _same_quantity(gold: str, answer: str) -> bool | None:
    """Of numbers with units: whether they are the same, where both or only the answer have a unit we know."""
    of_answer = quantity(answer)
    if of_answer is None or of_answer.unit is None:
        return None
    of_gold = quantity(gold)
    if of_gold is None:
        return None
    return of_gold.matches(of_answer, _same_magnitude)


def _same_magnitude(gold: Quantity, answer: Quantity) -> bool:
    return same_number(gold.number, answer.number)


def _same_congruence(gold: str, answer: str) -> bool:
    r"""Congruences: n \equiv 1 \pmod{3} and n \equiv 4 \pmod{3}; math-verify sees no more of these than n."""
    sides = _CONGRUENCE.fullmatch(gold), _CONGRUENCE.fullmatch(answer)
    if sides[0] is None or sides[1] is None or len(gold) > MAX_LINE or len(answer) > MAX_LINE:
        return False
    if any(squeezed(sides[0][name]) != squeezed(sides[1][name]) for name in ("left", "modulus")):
        return False
    return (int(sides[0]["right"]) - int(sides[1]["right"])) % int(sides[0]["modulus"]) == 0


def _same_vector(gold: str, answer: str) -> bool:
    """A column and a tuple of the same numbers."""
    for column, other in ((gold, answer), (answer, gold)):
        match = _COLUMN.fullmatch(column)
        if match is not None and "&" not in match["rows"] and other.startswith("("):
            entries = [row.strip() for row in match["rows"].split(r"\\") if row.strip()]
            return same_expression(read_answer(f"({', '.join(entries)})"), read_answer(other))
    return False


def _same_angle(gold: str, answer: str) -> bool:
    r"""30^\circ and \pi/6: degrees become radians where the other side is written with \pi."""
    for degrees, radians in ((gold, answer), (answer, gold)):
        if r"\pi" in radians and r"\circ" not in radians and (match := _DEGREES.fullmatch(degrees)):
            return same_expression(
                *(read_answer(side) for side in (rf"\frac{{{match['value']}}}{{180}} \pi", radians.split("=")[-1]))
            )
    return False
