"""The mathematical verdict: where the answer stands in a prediction, and whether it is the gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from selfhint.verify.judges.equality import same, same_structure
from selfhint.verify.judges.formulas import same_expression
from selfhint.verify.judges.reading import expression_of, read_answer, read_text
from selfhint.verify.judges.single import same_value, same_word, squeezed
from selfhint.verify.kinds.base import Request
from selfhint.verify.latex import MAX_LINE, ascii_digits, is_line, tidy
from selfhint.verify.parts import parts
from selfhint.verify.reasons import GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import undelimited
from selfhint.verify.told import told
from selfhint.verify.units import in_dollars, is_money, quantity

_ASIDE = re.compile(r"(?<![a-zA-Z\\])(?:an|as|at|by|if|in|it|no|of|on|so|to|up|we)(?![a-zA-Z])", re.IGNORECASE)
"""A word too short for `is_line`, by which a sentence goes on behind its answer; as a formula it would be a product."""
_SO = re.compile(r"\s*so\b", re.IGNORECASE)
"""Such a word at the beginning, which the same goes for."""
_DUNDER = re.compile(r"__[a-zA-Z]+__")


def judge(request: Request) -> dict[str, Any]:
    """The reply to a request of `MathKind`."""
    reason, extracted = verdict(request["gold"], request["answer"], request["whole"])
    return {"reason": reason, "extracted": extracted}


def verdict(gold: str, answer: str | None, whole: bool) -> tuple[str, str | None]:
    """The reason of a verdict, and the answer as the prediction spells it.

    A gold that cannot be turned into an expression can be matched as text, but nothing else is known of it.

    Args:
        gold: the bare gold answer.
        answer: what the prediction says, None where it is too long to be read.
        whole: the answer stands by itself; otherwise it is a text that may hold one.
    """
    expected = tidy(gold)
    spelt = answer if whole else None
    if answer is not None and not whole and (alone := _alone(gold, answer)) is not None:
        whole, answer, spelt = True, alone, alone
    if answer is not None and whole:
        found: Sequence[Any] = read_answer(tidy(answer))
        right = _same_whole(gold, answer)
    else:
        found = [] if answer is None or _is_code(answer) else read_text(ascii_digits(answer))
        spelt = next((item for item in found if isinstance(item, str)), None)
        price = None if answer is None or spelt is None or not is_money(gold) else _price(spelt, answer)
        right = bool(found) and (_same_whole(gold, price) if price else _same_found(expected, found, spelt))
    if right:
        return MATCH, spelt
    if expression_of(read_answer(expected)) is None:
        return GOLD_UNREADABLE, spelt
    return (MISMATCH if found else NO_ANSWER), spelt


def _same_whole(gold: str, answer: str) -> bool:
    """Whether an answer that stands by itself is the gold, both as they are spelt."""
    return same(tidy(in_dollars(gold, answer)), tidy(in_dollars(answer, gold)))


def _same_found(gold: str, found: Sequence[Any], spelt: str | None) -> bool:
    """Whether what math-verify found in a text is the gold; it knows more of it than its spelling."""
    if same_expression(read_answer(gold), found):
        return True
    return spelt is not None and same_structure(gold, tidy(spelt))


def _price(spelt: str, text: str) -> str | None:
    """A number found in a text, with the dollar sign or the unit of money that stands at it there."""
    number = re.escape(spelt)
    match = re.search(rf"\\?\$\s?{number}(?![\d$])|(?<![\d.]){number}\s(?:dollar|cent)s?\b", text)
    return None if match is None else match[0]


def _alone(gold: str, text: str) -> str | None:
    """An answer by itself in a text without a box: the whole text, or what its last sentence says the answer is.

    Without the second, half an answer would do: of "The roots are 3 and 5" math-verify finds the 5.
    """
    expected = tidy(gold)
    if not _SO.match(text) and _stands_alone(expected, text):
        return text.strip()
    said = told(ascii_digits(text))
    if said is None or said.endswith("!") or (_ASIDE.search(said) and not same_word(expected, said)):
        return None
    said = undelimited(said)
    if not _stands_alone(expected, said):
        return None
    values = parts(tidy(said))
    again = len(values) > 1 and all(same_value(expected, part.value) for part in values)  # 3/4, or 75%
    return values[-1].value if again else said


def _stands_alone(gold: str, text: str) -> bool:
    """Whether a text without a box is an answer by itself: a line of maths, of labelled values, or the gold's word."""
    if len(text) > 2 * MAX_LINE or not (line := tidy(text)) or _is_code(text):
        return False
    if _is_list(line) or squeezed(gold) == squeezed(line) or same_word(gold, line) or quantity(line) is not None:
        return True
    return is_line(line) and expression_of(read_answer(line)) is not None


def _is_code(text: str) -> bool:
    """A line of Python with names no answer has; what it would give if it were run is no answer."""
    return len(text) <= MAX_LINE and "\n" not in text and _DUNDER.search(text) is not None


def _is_list(text: str) -> bool:
    """A short text of several values, with labels or without, such as "Minimum: 1, Maximum: 3"."""
    if len(text) > MAX_LINE or "\n" in text:
        return False
    values = parts(text)
    return len(values) > 1 and all(is_line(part.value) for part in values)
