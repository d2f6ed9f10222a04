"""Whether a hint answers a question of yes or no: by the word, by "not" and what was asked, by existence."""

from __future__ import annotations

import re

from selfhint.hints.asked import asked, content
from selfhint.hints.occurrences import Span
from selfhint.hints.opposites import OPPOSITES
from selfhint.hints.stated import before_and_after
from selfhint.hints.stated_words import CONDITION, QUESTION_AFTER, speaks_of_others

_DENIES = re.compile(
    r"\b(?:(?:is|are|was|do|does|can|has|have)(?:\snot|n't|not)|can't|won't|(?<=it)'s not|never)\s(?:(?:ever|be"
    r"|an?|any)\s)*([\w-]{3,})",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    r"\b(?:(?:is|are|does|can|has)|(?<=it)'s)\s(?:(?:indeed|always|also|be|an?|actually)\s)*(\w{3,})", re.IGNORECASE
)
_SAYS = re.compile(
    r"(?:^|[.!?\n]\s?|\b(?:so|thus|therefore|hence|answer(?:\sis|'s)|answer:)\W{1,2})(yes|no)\b(?=\s?(?:[,.!;:\n]|$))",
    re.IGNORECASE,
)


_NEGATED = re.compile(r"\b(?:no|not|never|none|neither)\b|n't", re.IGNORECASE)
_EXISTENCE_ASKED = re.compile(r"\b(?:exists?|possible|can|could|there|ever|able|must|does|do)\b", re.IGNORECASE)
_EXISTENCE = {
    "no": re.compile(
        r"\b(?:no such|no \w+ (?:exists?|works)|there(?:'s| is| are) no (?:common|solutions?|way)"
        r"|impossible|not possible|none exists?|nothing works|(?:does|do)(?:n't| not) exist|cannot exist"
        r"|can't (?:exist|happen|work|be done)|cannot (?:happen|work|be done)|there (?:is|are|can be) none"
        r"|no solutions?"
        r"|answer is (?:in the )?negative)\b",
        re.IGNORECASE,
    ),
    "yes": re.compile(
        r"\b(?:(?:is|it's) (?:indeed |always |certainly )?possible|(?:does|do|indeed|always) exists?"
        r"|it (?:does|can be done|indeed works|works|always works)|can be done|exists"
        r"|answer is (?:in the )?(?:affirmative|positive))"
        r"\b(?! if)",
        re.IGNORECASE,
    ),
}


def answers_yes_or_no(text: str, answer: str, question: str) -> bool:
    """Whether a text says yes or no, repeats what was asked with or without "not", or tells of existence."""
    says = answer.casefold()
    if any(match[1].casefold() == says for match in _SAYS.finditer(text)):
        return True
    query = asked(question)
    if _EXISTENCE_ASKED.search(query):
        for match in _EXISTENCE[says].finditer(text):
            before, _ = before_and_after(text, Span(match.start(), match.end(), ""))
            if _is_told(text, match) and not (says == "yes" and _NEGATED.search(before)):
                return True
    contrary = {OPPOSITES[word.casefold()] for word in re.findall(r"\w+", query) if word.casefold() in OPPOSITES}
    denied = any(_repeats(m[1], query) for m in _DENIES.finditer(text) if _is_told(text, m))
    affirmed = [m for m in _AFFIRMS.finditer(text) if _is_told(text, m)]
    if says == "no":
        return denied or any(m[1].casefold() in contrary and _is_of_query(text, m, question) for m in affirmed)
    return any(_repeats(m[1], query) and _is_of_query(text, m, question) for m in affirmed)


def _repeats(word: str, query: str) -> bool:
    return bool(content(word) & content(query)) or ("-" in word and word.casefold() in query.casefold())


def _is_told(text: str, match: re.Match[str]) -> bool:
    """Not as a question and not on a condition."""
    before, after = before_and_after(text, Span(match.start(), match.end(), ""))
    conditional = CONDITION.search(before) or re.search(r"\b(?:if|whenever|iff)\b", after, re.IGNORECASE)
    return not QUESTION_AFTER.match(text, match.end()) and not conditional


def _is_of_query(text: str, match: re.Match[str], question: str) -> bool:
    """A question with numbers in it may be answered by what holds for another number."""
    before, _ = before_and_after(text, Span(match.start(1), match.end(), ""))
    return bool(re.search(r"\d", asked(question))) or not speaks_of_others(before, match[1], question)
