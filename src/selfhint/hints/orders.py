"""A full order told for a question about one place in it: "Lena - Pia - Ravi - Tom - Oskar" for "Who came third?"."""

from __future__ import annotations

import re

from selfhint.hints.occurrences import Span
from selfhint.hints.opposites import OPPOSITES
from selfhint.hints.stated import before_and_after
from selfhint.hints.stated_words import CONDITION, QUESTION_AFTER

MIN_ITEMS = 3
_ITEM = r"[^\W\d_]{2,}"
_CHAIN = re.compile(rf"\b{_ITEM}(?:\s?(?:->|=>|[-→>/|])\s?{_ITEM}){{2,}}|\b{_ITEM}(?:\s?<\s?{_ITEM}){{2,}}")
_NUMBERED = re.compile(rf"(?:(?:^|\n|\s)\(?\d[.):] ?{_ITEM}[.,;]?(?=\s|$)){{3,}}")
_LIST = re.compile(rf"\b{_ITEM}'?(?:(?:, (?:and |then |finally )?|,? and |,? then )'?{_ITEM}'?){{2,}}")
_ORDER_BEFORE = re.compile(
    r"\b(?:order|chain|first|rank\w*|sort\w*|sequence|podium|reads|row|finish\w*|arrang\w*|from \w+ to \w+)\b"
    r"[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_GIVEN_BEFORE = re.compile(r"(?:\b(?:is|are|was|order|reads)|[:=])\s?$", re.IGNORECASE)


def tells_order(text: str, answer: str, question: str) -> bool:
    """Whether a text puts the answer and everything that the question lists with it into an order.

    Chains (`A - B - C`, `A < B < C`) are orders; lists with commas are where a word says so. No condition, no question.
    """
    listed = candidates(answer, question)
    for pattern in (_CHAIN, _NUMBERED, _LIST):
        for found in pattern.finditer(text):
            items = [item.casefold() for item in re.findall(_ITEM, found.group()) if item not in ("and", "then")]
            before = re.split(r"[.!?\n]", text[max(0, found.start() - 80) : found.start()])[-1]
            if pattern is _LIST and not _is_order(before, found.group()):
                continue
            if CONDITION.search(before) or QUESTION_AFTER.match(text, found.end()):
                continue
            if answer.casefold() in items and listed <= set(items) and _all_in(items, question):
                return True
    return False


def _is_order(before: str, listed: str) -> bool:
    """Whether a list with commas is an order: "the order is A, B, C", "first A, then B, then C", not "sort A, B, C"."""
    return bool(_ORDER_BEFORE.search(before) and (" then " in listed or _GIVEN_BEFORE.search(before)))


def rules_out_rivals(text: str, answer: str, question: str) -> bool:
    """Whether a text denies each of the answer's rivals, which the question lists: "Not the middle, not the right"."""
    rivals = candidates(answer, question) - {answer.casefold()}
    if len(rivals) < 2 or re.search(rf"\b{re.escape(answer)}\b", text, re.IGNORECASE) or "?" in text:
        return False
    return all(
        re.search(rf"{_NO}[^.!?\n]{{0,25}}\b{rival}\b|\b{rival}\b[^.!?\n,;]{{0,20}}{_OUT}", text, re.IGNORECASE)
        for rival in map(re.escape, rivals)
    )


_SUPERLATIVE = re.compile(
    r"\b(?:fewest|least|most|\w{2,}est|only|just|nobody|no one|none"
    r"|(?:fewer|less|more|\w{2,}er) than (?:the|any|all|every))\b",
    re.IGNORECASE,
)
_PLACE_AFTER = re.compile(r"\b(?:first|last|wins?|won)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][a-z]{2,}\b")


def is_singled_out(text: str, span: Span, answer: str, question: str) -> bool:
    """Whether a sentence that names none of the answer's rivals sets it apart: "There are fewest blue ones"."""
    before, after = before_and_after(text, span)
    if answer.casefold() in OPPOSITES or QUESTION_AFTER.match(text, span.end) or CONDITION.search(before):
        return False
    if not (_SUPERLATIVE.search(before) or _SUPERLATIVE.search(after) or _PLACE_AFTER.search(after)):
        return False
    rivals = candidates(answer, question) | {name.casefold() for name in _NAME.findall(question)}
    if len(rivals - {answer.casefold()}) == 0:
        return False
    words = {word.casefold() for word in re.findall(_ITEM, f"{before} {after}")}
    return not words & rivals - {answer.casefold()} and not _NEGATES.search(before)


_NEGATES = re.compile(r"\b(?:not|never|isn't|nor|neither|cannot|can't)\b", re.IGNORECASE)
_NO = r"\b(?:not|neither|nor|no|never)\b"
_OUT = r"(?:n't\b|\b(?:cannot|is not|is out|are out|drops? out|innocent|ruled out|excluded|impossible)\b)"


def candidates(answer: str, question: str) -> set[str]:
    """What the question lists with the answer; the answer alone where it lists nothing."""
    for found in _LIST.finditer(question):
        items = {item.casefold() for item in re.findall(_ITEM, found.group())} - {"and", "then"}
        if answer.casefold() in items:
            return items
    return {answer.casefold()}


def _all_in(items: list[str], question: str) -> bool:
    """All are names or things of the question."""
    return len(set(items)) >= MIN_ITEMS and all(item in question.casefold() for item in items)
