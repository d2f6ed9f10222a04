"""Numbers within a tolerance, with units."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from selfhint.core.errors import InputError
from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import MAX_TEXT, Request
from selfhint.verify.latex import MAX_LINE, ascii_digits, is_line, tidy
from selfhint.verify.parts import parts
from selfhint.verify.reasons import CORRECT, GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import as_text, last_formula, readable, tagged, undelimited
from selfhint.verify.told import told
from selfhint.verify.units import Quantity, in_dollars, quantity, read_unit

_FRACTION = r"\\[dtc]?frac\s?(?:\{\s?\d{1,40}\s?\}\s?\{\s?\d{1,40}\s?\}|\d\s?\d(?!\d))"
_NUMBER = re.compile(
    r"[\^_]\s?(?:\{[^{}]*+\}|[-+]?\w++)"  # an exponent or index, such as that of cm^2, is no number …
    rf"|(?<![\w.])(?P<number>[-+]?(?:(?:\d{{1,9}}\s?)?{_FRACTION}|\d{{1,9}}\x20\d{{1,9}}/\d{{1,9}}(?![\d/])"
    r"|(?:\d[\d,]*+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,4}(?!\w)|\s?/\s?\d+)?)"
    r"(?:\s?\^\s?(?:\{\s?[-+]?\d{1,4}\s?\}|[-+]?\d{1,4}(?!\d))"
    r"|\s*(?:\\times|\\cdot|×|·|\*|x)\s*10\s*+\^?\s*+(?:\{[-+]?\d{1,4}\}|[-+]?\d{1,4}))?)"
    r"(?P<more>(?=\s?(?:\\?pi|π|\\sqrt|√)(?![a-zA-Z])|\^(?!\s?\{?\s?\\?(?:circ|degree))))?"
    r"|(?P<part>(?:\\sqrt(?:\[\d+\])?|\\[dtc]?frac|\})\s?\{\s?\d++)"  # … and nor is a part of a formula
)
_MINUS = re.compile(r".*(?:=|\b(?:is|are|equals))[ \t]{1,3}-[ \t]{1,3}")
"""A minus sign with a blank behind it, where no number stands before it; not the bullet of a list."""
_PRICE = re.compile(r"(-?)\\?\$\s?$")
_NEAR = 16
"""Characters before a number among which its sign may stand."""
_ARITHMETIC = re.compile(
    r"(?:[\d\s.,+\-*/^(){}\[\]!%]|\\(?:frac|times|cdot|div|sqrt|binom|pi|left|right)(?![a-zA-Z]))++"
)
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_WORD = re.compile(r"[a-zA-Z]{2}")
_LETTER = re.compile(r"[a-zA-Z]")
_UNIT_BEHIND = (
    re.compile(r"(?P<formula>.*\S)\s*\\text\s*\{(?P<unit>[^{}]+)\}"),
    re.compile(r"(?P<formula>.*[\d})])\s+(?P<unit>[a-zA-Z%][a-zA-Z\d%^/ .-]*)"),
)
_UNIT_WORDS = 4
"""Words behind a number in running text that may be its unit."""


@dataclass(frozen=True, slots=True)
class NumericKind:
    """The number in a prediction is the gold's, within a tolerance.

    The last box counts, without one the last number in the text. A unit on both sides is converted; one that is
    missing on a side is taken to be the other's. Right is |answer - gold| ≤ max(tolerance · |gold|, absolute).

    Args:
        tolerance: relative.
        absolute: in the gold's unit.

    Raises:
        InputError: a tolerance is negative or not finite.
    """

    tolerance: float = 1e-4
    absolute: float = 0.0

    name = "numeric"

    def __post_init__(self) -> None:
        for option in ("tolerance", "absolute"):
            value = getattr(self, option)
            if not 0 <= value < math.inf:
                raise InputError(f"verifier numeric: {option} {value} is no number from 0 on; set verifier.{option}")

    def quick(self, gold: object, prediction: str) -> Verdict | Request:
        """The verdict, or formulas for math-verify to evaluate."""
        expected = as_text(gold)
        expected = undelimited(last_boxed(expected) or expected)
        if not expected or not readable(expected) or not _unlabelled(tidy(expected)):
            return Verdict.of(None, reason=GOLD_UNREADABLE)
        prediction = tagged(prediction)
        box = last_boxed(prediction)
        answer = _in_text(undelimited(prediction[-MAX_TEXT:])) if box is None else undelimited(box)
        if answer is None or not readable(answer):
            known = quantity(_unlabelled(tidy(expected))) is not None or _has_digit(expected)
            return _verdict(NO_ANSWER if known else GOLD_UNREADABLE, None)
        answer_value = _unlabelled(tidy(in_dollars(answer, expected)))
        expected = _unlabelled(tidy(in_dollars(expected, answer)))
        wanted = quantity(expected)
        found = quantity(answer_value)
        if wanted is not None and found is not None:
            return _verdict(MATCH if wanted.matches(found, self._same) else MISMATCH, answer)
        values = None
        if wanted is not None:
            asked = _without_unit(answer_value, wanted)
            if isinstance(asked, str):
                return _verdict(asked, answer)
            answer_value, numbers = asked
            values = [str(number) for number in numbers]
        return {
            "kind": self.name,
            "gold": expected,
            "values": values,
            "answer": answer_value,
            "tolerance": self.tolerance,
            "absolute": self.absolute,
            "extracted": answer,
        }

    def _same(self, gold: Quantity, answer: Quantity) -> bool:
        return within(gold.number.value, answer.number.value, self.tolerance, self.absolute)

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """A right and a wrong pair."""
        pair = {"kind": self.name, "gold": r"\sqrt{2}", "values": None, "tolerance": 1e-4, "absolute": 0.0}
        return (
            ({**pair, "answer": "1.41421", "extracted": "1.41421"}, MATCH),
            ({**pair, "answer": r"\sqrt{3}", "extracted": r"\sqrt{3}"}, MISMATCH),
        )


def within(gold: Fraction, answer: Fraction, tolerance: float, absolute: float) -> bool:
    """|answer - gold| ≤ max(tolerance · |gold|, absolute), without rounding."""
    return abs(answer - gold) <= max(Fraction(repr(tolerance)) * abs(gold), Fraction(repr(absolute)))


def _without_unit(answer: str, wanted: Quantity) -> tuple[str, tuple[Fraction, ...]] | str:
    """An answer that is no plain quantity as a formula alone, and the numbers that it may be; or a verdict's reason.

    A unit behind the formula is converted; without one it is taken to be the gold's, or, of a percentage, to be none.
    """
    unit = None
    for pattern in _UNIT_BEHIND:
        if (match := pattern.fullmatch(answer)) and (unit := read_unit(match["unit"].strip())):
            answer = match["formula"]
            break
    if wanted.unit is None:
        return answer, (wanted.number.value,)
    if _LETTER.search(_COMMAND.sub(" ", answer)):  # math-verify would pass over a unit that we do not know
        return NO_ANSWER
    if unit is None:
        return answer, (wanted.number.value, wanted.pure().number.value)
    if unit.dimension != wanted.unit.dimension:
        return MISMATCH
    return answer, (wanted.number.value * wanted.unit.scale / unit.scale,)


def _in_text(text: str) -> str | None:
    """The answer in a text without a box: all of it, or what its last sentence says it is, or else its last number."""
    text = last_formula(text)
    if readable(text) and (line := tidy(text)) and (quantity(line) is not None or _is_formula(line)):
        return text
    said = undelimited(told(text) or "")
    line = "" if said.endswith("!") else tidy(said)
    if quantity(line) is not None or (_is_formula(line) and len(parts(line)) == 1):
        return said
    return _last_number(text)


def _last_number(text: str) -> str | None:
    """The last number of a text, with the unit behind it where there is one; None where it is part of a formula."""
    text = ascii_digits(text)
    matches = [match for match in _NUMBER.finditer(text) if match["number"] or match["part"]]
    if not matches or matches[-1]["part"] or matches[-1]["more"] is not None:
        return None
    begin, end = matches[-1].span()
    number = _signed(tidy(text[begin:end].rstrip(",")), text[max(0, begin - _NEAR) : begin])
    words = text[end : end + MAX_LINE].replace("$", " ").split()[:_UNIT_WORDS]
    for count in range(len(words), 0, -1):
        if words[count - 1] == "in" and count < len(words):
            continue  # a word, not inches
        unit = " ".join(words[:count]).rstrip(".,;:!?)")
        if unit and quantity(tidy(f"1 {unit}")) is not None:
            return f"{number} {unit}"
    price = _PRICE.search(text[max(0, begin - _NEAR) : begin])
    return number if price is None or "$" in text[end:].partition("\n")[0] else f"{price[1]}\\${number}"


def _signed(number: str, before: str) -> str:
    """A number with the minus sign that stands apart from it, as in "the answer is - 5"."""
    return f"-{number}" if _MINUS.fullmatch(before.rpartition("\n")[2]) and number[0] not in "-+" else number


def _is_formula(line: str) -> bool:
    """A line without words, which may hold a number as a formula."""
    return is_line(line) and _has_digit(line) and not _WORD.search(_COMMAND.sub(" ", line))


def _unlabelled(text: str) -> str:
    """The value of `x = 5 m`, and what an equation comes to: 72 of `48 + 24 = 72`, but nothing of `2x = 10`."""
    values = parts(text)
    if len(values) != 1:
        return text
    *before, last = values[0].value.split("=")
    computed = values[0].label is not None or all(_ARITHMETIC.fullmatch(side) for side in before)
    return last.strip() if last.strip() and computed else values[0].value


def _has_digit(text: str) -> bool:
    return any(c.isdigit() for c in text) or "\\" in text


def _verdict(reason: str, extracted: str | None) -> Verdict:
    return Verdict.of(CORRECT[reason], extracted=extracted, reason=reason)
