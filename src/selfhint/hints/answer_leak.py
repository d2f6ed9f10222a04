"""Does a hint give the answer away? In digits, in LaTeX or in English number words.

An answer that does not stand in the question may not stand in a hint. One that does (the 24 of "each of the 24 boxes")
is a leak only where the text states it as the answer ("The answer is 24", a closing "= 24", a box).
"""

from __future__ import annotations

import re

from selfhint.hints.answer_forms import AnswerForms, Span, answer_forms, occurrences, plain
from selfhint.hints.number_words import number_words

_WINDOW = 100
_FILLER = r"(?:\s|[\"'`(:€£-]|\\boxed\s*\{|\b(?:just|exactly|only|about|approximately|therefore|thus|a total of)\b)*"
_STATES_BEFORE = re.compile(
    r"\\boxed\s*\{[^{}]*$"
    r"|####\s*$"
    rf"|\b(?:answer|result)\b(?:[^\d]{{0,60}}(?:\b(?:is|are|be|equals|equal to|as)\b|[:=]))?{_FILLER}$"
    r"|^\W*(?:so|thus|therefore|hence|finally|in total|altogether|in conclusion)\b.*"
    rf"(?:\b(?:is|are|be|equals|equal to|gets?|gives?|has|have|makes?|leaves?|totals?)\b|=|>>){_FILLER}$",
    re.IGNORECASE | re.DOTALL,
)
_STATES_AFTER = re.compile(
    r"[^.!?\n\d=]{0,30}\b(?:is|are|as|for)\s+(?:the|your|our)\s+(?:\w+\s+)?(?:answer|result)\b", re.IGNORECASE
)
_CLOSES_BEFORE = re.compile(rf"(?:=|>>|\b(?:equals|is equal to|gives|makes)\b){_FILLER}$", re.IGNORECASE)
_CLOSES_AFTER = re.compile(r"[^=\d]{0,40}$", re.DOTALL)
_SENTENCE_BREAK = re.compile(r"[.!?](?=\s)|\n")


def is_stated(text: str, span: Span) -> bool:
    """Whether the answer at `span` is given as the answer: by its context, in a box, or as a closing result."""
    start, end = span
    window = text[max(0, start - _WINDOW) : start]
    before = _SENTENCE_BREAK.split(window)[-1]
    return bool(
        _STATES_BEFORE.search(before)
        or _STATES_AFTER.match(text, end)
        or (_CLOSES_BEFORE.search(before) and len(text) - end <= 41 and _CLOSES_AFTER.match(text, end))
    )


_COUNTED = r"(?:steps?|parts?|stages?|hints?|sentences?|things)"
_COUNT_AFTER = re.compile(rf"\s+(?:[A-Za-z]+\s+)?{_COUNTED}\b", re.IGNORECASE)
_NUMBERING_BEFORE = re.compile(
    r"\b(?:step|part|case|level|hint|stage|equation|figure|section|line|solution|method)\s*#?\s*$", re.IGNORECASE
)
_LINE_START = re.compile(r"(?:^|\n)[\s*(-]*$")
_MARKER = re.compile(r"[.):]\s")
_OPERATOR_BEFORE = re.compile(r"(?:[-+*/×·÷^]|\\(?:times|cdot|div)|\b(?:by|times|plus|minus))\s*$")
_OPERATOR_AFTER = re.compile(r"\s*\)?\s*(?:[-+*/×·÷^]|\\(?:times|cdot|div)\b|(?:times|plus|minus)\b)")


def is_incidental(text: str, span: Span, forms: AnswerForms) -> bool:
    """Whether the answer at `span` is only what any text may contain: "Step 3", "2. Add", "three steps".

    Of answers of one digit also an operand ("divide by 2"); of answers of up to three letters every mention (the
    choice A, the article).
    """
    start, end = span
    if forms.expression:
        return len(forms.text) <= 3 and forms.text.isalpha()
    before = text[max(0, start - 20) : start]
    if _NUMBERING_BEFORE.search(before) or _COUNT_AFTER.match(text, end):
        return True
    if _LINE_START.search(before) and _MARKER.match(text, end):
        return True
    one_digit = len(text[start:end].lstrip("-")) == 1
    return one_digit and bool(_OPERATOR_BEFORE.search(before) or _OPERATOR_AFTER.match(text, end))


def answer_leak(text: str, answer: str, question: str) -> str | None:
    """`answer` or `answer_in_words` where `text` gives the answer away, else None."""
    forms = answer_forms(answer)
    text, question = plain(text), plain(question)
    words = [(start, end) for value, start, end in number_words(text) if value == forms.integer]
    in_question = any(True for _ in occurrences(question, forms)) or any(
        value == forms.integer for value, _, _ in number_words(question)
    )

    def leaks(span: Span) -> bool:
        return is_stated(text, span) or not (in_question or is_incidental(text, span, forms))

    if any(leaks(span) for span in occurrences(text, forms)):
        return "answer"
    if forms.integer == 1:  # "one of the", "each one"
        words = [span for span in words if is_stated(text, span)]
    return "answer_in_words" if any(leaks(span) for span in words) else None
