"""How a word that the question names, too, stands in a hint: given as the answer, or merely there."""

from __future__ import annotations

import re

from selfhint.hints.asked import asked, content
from selfhint.hints.occurrences import Span
from selfhint.hints.stated import CONCLUSION, before_and_after, is_stated

QUESTION_AFTER = re.compile(r"[^.!?\n]{0,80}\?")
_PREDICATE_BEFORE = re.compile(
    r"\b(?:is|are|was|be|being|equals|called|named|becomes?|becoming|gives?|say|namely|choose|pick|select|belongs to"
    r"|won by|on|(?:must|has to|have to|can only|could only) (?:have|own|be|wear|get|take)"
    r"|(?:typical|characteristic|true|the name) (?:for|of)|makes (?:it|this|that|them)|known as|describes"
    r"|points to|remains|leav(?:es|ing)(?: us with)?(?: only)?|left with|must have been|has to be|have to be"
    r"|turns? out(?: to be)?|goes to|lands? on|falls? on|arrives? at|(?:add|adds|sum|sums|total) (?:up )?to|totals?"
    r"|stays?|looks? like|counts as|qualifies as|identif(?:y|ies) it as|guilty (?:one |person )?is|it's|that's"
    r"|he's|she's)"
    r"\s(?:(?:always|thus|therefore|indeed|again|then|just|simply|definitely|an?|the|also|only|exactly)\s)*[\"'*]*$"
    r"|\b(?:nobody|no one|none|nothing)\b[^.!?\n]{0,30}\bthan\s$"
    r"|\b(?:is|be|it's|lies|hidden|found) (?:in|under|behind|at|on|inside) (?:the )?$|\bopen (?:the )?$"
    r"|\b(?:it|this|that|which) [a-z]+s $|\b(?:\w+(?:ed|wn) by|belongs? to)\s(?:the\s)?$"
    r"|(?:[:=]\s?|\s[—-]\s)(?:the\s)?[\"'*]*$",
    re.IGNORECASE,
)
CONDITION = re.compile(r"\b(?:if|when|whether|suppose|assume|unless|is it|would|could)\b[^,]*$", re.IGNORECASE)
_CONDITION_AFTER = re.compile(r"\s(?:\w+\s)?(?:if|when|whenever|iff|exactly when|unless)\b", re.IGNORECASE)
_WEIGHS = r"[^.!?\n]*\b(?:look|compare|check|test|try|consider|use)\b"
_CONCLUDES = re.compile(
    rf"\b{CONCLUSION}\b(?!{_WEIGHS})[^.!?\n]{{0,40}}$|\b(?:must be|can only be)\s(?:an?\s|the\s)?$", re.IGNORECASE
)
_SUBJECT_BEFORE = re.compile(
    r"^\W*(?:(?:then|now|here|therefore|thus|so|and|the|an?)\W+)*$|[,;:]\s(?:and\s|so\s|then\s)*(?:the\s|an?\s)?$",
    re.IGNORECASE,
)
_ONLY_BEFORE = re.compile(r"\b(?:only|nobody but|no one but|none but|everyone except)\s(?:the\s)?$", re.IGNORECASE)
_ONLY_AFTER = re.compile(r"\s(?:is|was|can|could|must|has|did|does|remains?|fits?|works?|[a-z]+s)\b", re.IGNORECASE)
_SINGLED_OUT_AFTER = re.compile(
    r"\s(?:is|was|must be|has to be|must have been)\s(?:indeed\s)?(?:the|our|your)\s(?:only|one|answer|right"
    r"|correct|winner"
    r"|culprit|solution|person|last|remaining|thief|liar)\b|\s(?:it is|is left|remains|is what|is at the top"
    r"|beats (?:them all|all|every\w*))\b",
    re.IGNORECASE,
)
_REASON_AFTER = re.compile(r"[,;:]?\s(?:since|because|as|due)\b", re.IGNORECASE)
_NECESSARY_AFTER = re.compile(r"\s(?:must|has to|can only)\b", re.IGNORECASE)
_VERB_SUBJECT_BEFORE = re.compile(
    r"\b(?:it|this|that|series|sequence|integral|sum|which)\s(?:(?:thus|therefore|always|indeed|absolutely"
    r"|also)\s)*$",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"(?:\d\W+(?:which\s)?|\b(?:sin|cos|tan|log|exp)(?:\(\w\))?\s|\w\^\w+\s)(?:is|are)\s(?:again\s|also\s)?(?:an?\s)?$|\bare\s(?:all\s|both\s|also\s)?$",
    re.IGNORECASE,
)
"""A single number or several things that are odd, where the question asks for something else."""
_VERB_AFTER = re.compile(r"\s(?:[a-z]+ed|[a-z]+s|won|ran|came|did|must|will|can)\b")
PLURAL_AFTER = re.compile(r"\s(?:numbers|integers|terms|sides|angles|factors|values|exponents|powers|functions|ones)\b")


def is_stated_word(text: str, span: Span, question: str) -> bool:
    """Whether a word that the question names, too, is given as the answer.

    As predicate or conclusion, or as subject of what was asked ("Max won the race").
    """
    before, after = before_and_after(text, span)
    if QUESTION_AFTER.match(text, span.end) or CONDITION.search(before) or _CONDITION_AFTER.match(after):
        return False
    if before.endswith(" or ") or after.startswith((" or ", ", or ", "'s is ")):
        return False
    if speaks_of_others(before, text[span.start : span.end], question):
        return False
    if is_stated(text, span) or _SINGLED_OUT_AFTER.match(after):
        return True
    opens = not before.strip(" \"'*")
    if opens and (_REASON_AFTER.match(after) or not after or after[0] in ",;:"):
        return True
    if opens and _asked_of(question) and after.casefold().startswith(_asked_of(question)):
        return True
    word = text[span.start : span.end]
    if word.endswith("s") and _VERB_SUBJECT_BEFORE.search(before) and word.islower() and not after.startswith(" of"):
        return True
    if _NECESSARY_AFTER.match(after) and content(after) & content(asked(question)):
        return True
    if _ONLY_BEFORE.search(before) and _ONLY_AFTER.match(after):
        return True
    if (_PREDICATE_BEFORE.search(before) or _CONCLUDES.search(before)) and not PLURAL_AFTER.match(after):
        return True
    if not after and text[span.start : span.end].endswith("es"):
        return True  # "the series converges"
    if _SUBJECT_BEFORE.search(before) and _VERB_AFTER.match(after):
        query, _, _ = asked(question).partition(":")  # alternatives follow the colon
        return bool(content(after) & (content(query) - content(question.replace(asked(question), " "))))
    return False


def _asked_of(question: str) -> str:
    """The " owns the dog" of "Who owns the dog?"."""
    found = _WHO.search(asked(question))
    return found[1].casefold().rstrip("? ") if found else ""


_WHO = re.compile(r"\bwho((?: \w+){1,4})", re.IGNORECASE)


def speaks_of_others(before: str, word: str, question: str) -> bool:
    """Whether a property word is said of a number that the question does not name, or of several things."""
    other = _OTHER_SUBJECT.search(before)
    if not other or not word.islower():
        return False
    query = asked(question)
    if other[0].lower().startswith("are"):
        return not re.search(r"\bare\b", query, re.IGNORECASE)
    number = re.search(r"[\d.,]*\d$", before[: other.start() + 1])
    return not number or not re.search(rf"(?<!\d){re.escape(number[0])}(?!\d)", query)
