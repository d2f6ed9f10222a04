"""How a word that the question names, too, stands in a hint: given as the answer, or merely there."""

from __future__ import annotations

import re

from selfhint.hints.asked import asked, content
from selfhint.hints.occurrences import Span
from selfhint.hints.stated import CONCLUSION, before_and_after, is_stated

_QUESTION_AFTER = re.compile(r"[^.!?\n]{0,80}\?")
_PREDICATE_BEFORE = re.compile(
    r"\b(?:is|are|was|be|being|equals|called|named|becomes?|becoming|gives?|say|namely|choose|pick|select|belongs to"
    r"|won by|on)\s(?:(?:always|thus|therefore|indeed|again|then|just|simply|definitely|an?|the|also)\s)*[\"'*]*$"
    r"|[:=]\s?[\"'*]*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|whether|suppose|assume|unless|is it|would|could)\b[^,]*$", re.IGNORECASE)
_WEIGHS = r"[^.!?\n]*\b(?:look|compare|check|test|try|consider|use)\b"
_CONCLUDES = re.compile(
    rf"\b{CONCLUSION}\b(?!{_WEIGHS})[^.!?\n]{{0,40}}$|\b(?:must be|can only be)\s(?:an?\s|the\s)?$", re.IGNORECASE
)
_SUBJECT_BEFORE = re.compile(
    r"^\W*(?:(?:then|now|here|therefore|thus|so|and|the|an?)\W+)*$|[,;:]\s(?:and\s|so\s|then\s)*(?:the\s|an?\s)?$",
    re.IGNORECASE,
)
_VERB_AFTER = re.compile(r"\s(?:[a-z]+ed|[a-z]+s|won|ran|came|did|must|will|can)\b")
_PLURAL_AFTER = re.compile(
    r"\s(?:numbers|integers|terms|sides|angles|factors|values|exponents|powers|functions|ones)\b"
)


def is_stated_word(text: str, span: Span, question: str) -> bool:
    """Whether a word that the question names, too, is given as the answer.

    As predicate or conclusion, or as subject of what was asked ("Max won the race").
    """
    before, after = before_and_after(text, span)
    if _QUESTION_AFTER.match(text, span.end) or _CONDITION.search(before):
        return False
    if before.endswith(" or ") or after.startswith((" or ", ", or ")):
        return False
    if is_stated(text, span):
        return True
    if (_PREDICATE_BEFORE.search(before) or _CONCLUDES.search(before)) and not _PLURAL_AFTER.match(after):
        return True
    if not after and text[span.start : span.end].endswith("es"):
        return True  # "the series converges"
    if _SUBJECT_BEFORE.search(before) and _VERB_AFTER.match(after):
        query, _, _ = asked(question).partition(":")  # alternatives follow the colon
        return bool(content(after) & (content(query) - content(question.replace(asked(question), " "))))
    return False


_DENIES = re.compile(
    r"\b(?:is|are|was|do|does|can|has|have)(?:\snot|n't|not)\s(?:an?\s|be\s|any\s)?(\w{3,})", re.IGNORECASE
)
_AFFIRMS = re.compile(r"\b(?:is|are|does|can|has)\s(?:indeed\s|always\s|also\s)?(?:an?\s)?(\w{3,})", re.IGNORECASE)
_SAYS = re.compile(
    r"(?:^|[.!?\n]\s?|\b(?:so|thus|therefore|hence|answer is|answer:)\W{1,2})(yes|no)\b(?=\s?(?:[,.!;:\n]|$))",
    re.IGNORECASE,
)


def answers_yes_or_no(text: str, answer: str, question: str) -> bool:
    """Whether a text says yes or no, or repeats what was asked with or without "not"."""
    says = answer.casefold()
    if any(match[1].casefold() == says for match in _SAYS.finditer(text)):
        return True
    query = content(asked(question))
    pattern = _DENIES if says == "no" else _AFFIRMS
    return any(
        content(match[1]) & query
        for match in pattern.finditer(text)
        if not _QUESTION_AFTER.match(text, match.end())
        and not _CONDITION.search(before_and_after(text, Span(match.start(), match.end(), ""))[0])
    )
