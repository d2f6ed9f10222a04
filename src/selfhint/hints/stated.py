"""How a number, an expression or a word stands in a hint: given as the answer, or merely there."""

from __future__ import annotations

import re

from selfhint.hints.answer_forms import AnswerForms, Span

WINDOW = 100
"""Characters of the sentence on either side that are looked at."""

_FILLER = (
    r"(?:\s|[\"'`(:€£*-]|\\boxed\s?\{"
    r"|\b(?:just|exactly|only|about|approximately|therefore|thus|then|now|simply|indeed|precisely|to be|equal to"
    r"|option|choice|a total of|an?|the)\b)*"
)
_SENTENCE_BREAK = re.compile(r"[.!?](?=\s|$)|\n")

_CONCLUSION = r"(?:so|thus|therefore|hence|finally|in total|altogether|in conclusion|consequently|in the end)"
_RESULT = r"(?:gets?|gives?|obtains?|leaves?|makes?|finds?)"
_STATES_BEFORE = re.compile(
    r"\\boxed\s?\{[^{}]*$"
    r"|####\s?$"
    rf"|\b(?:answer|result|solution)\b(?:[^\d]{{0,60}}(?:\b(?:is|are|be|equals|equal to|as|of)\b|[:=]))?{_FILLER}$"
    rf"|\bfinal(?: value| number)?(?: is)?:?{_FILLER}$"
    rf"|(?:^|,\s)\W*{_CONCLUSION}\b.*"
    rf"(?:\b(?:is|are|be|equals|equal to|gets?|gives?|has|have|makes?|leaves?|totals?)\b|=|>>){_FILLER}$"
    rf"|\b(?:you|we|which|that|this|to|and get|one|I)\s(?:will\s|would\s|should\s|can\s)?{_RESULT}\b{_FILLER}$"
    rf"|\b(?:it|that|this)(?:'s|\sis|\swould be|\sshould be|\smust be|\sleaves|\sgives|\smakes){_FILLER}$"
    rf"|\b(?:leaving|leaves|left)\s(?:\w+\s)?with{_FILLER}$|\b(?:leaving|giving|yielding|making){_FILLER}$"
    rf"|\b(?:yields?|ends? up with|ends? with|comes? to|amounts? to|results? in|totals?|equals?|becomes?)\b{_FILLER}$"
    rf"|\d\s?%?\s?[-+*/]\s?[$€£(]?\s?\d[^=\n]{{0,40}}(?:=|>>|\b(?:is|makes|gives|equals|leaves)\b){_FILLER}$",
    re.IGNORECASE | re.DOTALL,
)
_STATES_AFTER = re.compile(
    r"[^.!?\n\d=]{0,30}\b(?:is|are|as|for)\s+(?:the|your|our)\s+(?:\w+\s+)?(?:answer|result|solution)\b"
    r"|\s(?:\w+\s){0,2}(?:are|is|were)\s(?:now\s)?(?:left|remaining)\b"
    r"|\s(?:\w+\s){0,2}remains?\b",
    re.IGNORECASE,
)
_CLOSES_BEFORE = re.compile(
    rf"(?:=|>>|\b(?:equals|is equal to)\b|(?:[\d)]|\b(?:which|that|this|it))\s(?:gives|makes)\b){_FILLER}$",
    re.IGNORECASE,
)
_CLOSES_AFTER = re.compile(r"[^=\d]{0,40}$", re.DOTALL)
_QUESTION_AFTER = re.compile(r"[^.!?\n]{0,80}\?")


def before_and_after(text: str, span: Span) -> tuple[str, str]:
    """The parts of the sentence on either side, cut to the window."""
    before = _SENTENCE_BREAK.split(text[max(0, span.start - WINDOW) : span.start])[-1]
    after = _SENTENCE_BREAK.split(text[span.end : span.end + WINDOW], maxsplit=1)[0]
    return before, after


def is_stated(text: str, span: Span) -> bool:
    """Whether the answer at `span` is given as the answer: by its context, in a box, or as a closing result."""
    if not re.search(r"\w", text[: span.start] + text[span.end :]):
        return True
    before, _ = before_and_after(text, span)
    closing = len(text) - span.end <= 41 and bool(_CLOSES_AFTER.match(text, span.end))
    return bool(
        _STATES_BEFORE.search(before)
        or _STATES_AFTER.match(text, span.end)
        or (closing and span.written != "0" and _CLOSES_BEFORE.search(before))
    )


_COUNTED = r"(?:steps?|parts?|stages?|hints?|sentences?|things|cases|ways|levels)"
_COUNT_AFTER = re.compile(rf"\s(?:[A-Za-z]+\s)?{_COUNTED}\b", re.IGNORECASE)
_NUMBERING_BEFORE = re.compile(
    r"\b(?:step|part|case|level|hint|stage|equation|figure|section|line|solution|method)\s?#?\s?$", re.IGNORECASE
)
_LINE_START = re.compile(r"(?:^|\n)[\s*(-]*$")
_MARKER = re.compile(r"[.):](?:\s|$)")
_OPERATOR_BEFORE = re.compile(r"(?:[-+*/^]|\b(?i:by|times|plus|minus|add|adding|subtract|subtracting))\s?\(?$")
_OPERATOR_AFTER = re.compile(r"\s?\)?\s?(?:[-+*/^]|(?:times|plus|minus)\b)")


def is_asked(text: str, span: Span, question: str) -> bool:
    """Whether a number that the question names, too, stands beside a word that only the asking sentence has.

    "12 apples left" where the question ends in "How many are left?".
    """
    novel = _content(asked(question)) - _content(question.replace(asked(question), " "))
    before, after = before_and_after(text, span)
    behind = _content(" ".join(after.split()[:3]))
    copula = _COPULA_BEFORE.search(before)
    ahead = _content(" ".join(before[: copula.start()].split()[-2:])) if copula else set()
    return bool(novel & (behind | ahead))


_COPULA_BEFORE = re.compile(rf"(?:\b(?:is|are|equals)\b|[:=]){_FILLER}$", re.IGNORECASE)


def is_incidental(text: str, span: Span, forms: AnswerForms) -> bool:
    """Whether the answer at `span` is only what any text may contain: "Step 3", "2. Add", "three steps".

    Of answers of one digit also an operand ("divide by 2"); of formulas of up to three letters every mention (the
    variable x).
    """
    start, end = span.start, span.end
    if forms.expression:
        return not forms.is_word and len(forms.text) <= 3 and forms.text.isalpha()
    before = text[max(0, start - 20) : start]
    if _NUMBERING_BEFORE.search(before):
        return True
    small = len(span.written) <= 2
    if small and _LINE_START.search(before) and _MARKER.match(text, end) and text.strip(" .):(*\n") != text[start:end]:
        return True
    if span.in_words and span.written == "1":
        return True  # "one of the", "each one"
    if text[start:end].casefold() == "half":
        return not _HALF_AS_RESULT.match(text, end)
    if span.written == "0":
        return bool(_RELATION_BEFORE.search(before))  # "set f(x) = 0"
    if _MULTIPLIER_AFTER.match(text, end):
        return True
    if len(span.written.lstrip("-")) > 1:
        return False
    return bool(_COUNT_AFTER.match(text, end) or _OPERATOR_BEFORE.search(before) or _OPERATOR_AFTER.match(text, end))


_MULTIPLIER_AFTER = re.compile(r"\stimes\s(?:the|a|\d)", re.IGNORECASE)
_RELATION_BEFORE = re.compile(r"(?:[<>=]|\b(?:than|at least|at most|to|by))\s?$")
_HALF_AS_RESULT = re.compile(r" of (?:\w+ ){1,3}(?:is|are|was|were|remains?|stays?)\b", re.IGNORECASE)

_CONTENT_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_FREQUENT_WORDS = (
    "the and are was were who what which when where how does did has have had with from that this for its not her his "
    "one two many much number function answer yes find whether"
)
_EMPTY_WORDS = frozenset(_FREQUENT_WORDS.split())
_PREDICATE_BEFORE = re.compile(
    r"\b(?:is|are|was|be|being|equals|called|named|becomes?|becoming|gives?|say|namely|choose|pick|select|belongs to"
    r"|won by|on)\s(?:(?:always|thus|therefore|indeed|again|then|just|simply|definitely|an?|the|also)\s)*[\"'*]*$"
    r"|[:=]\s?[\"'*]*$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|whether|suppose|assume|unless|is it|would|could)\b", re.IGNORECASE)
_CONCLUDES = re.compile(rf"\b{_CONCLUSION}\b[^.!?\n]*$|\b(?:must be|can only be)\s(?:an?\s|the\s)?$", re.IGNORECASE)
_SUBJECT_BEFORE = re.compile(
    r"^\W*(?:(?:then|now|here|therefore|thus|so|and|the|an?)\W+)*$|[,;:]\s(?:and\s|so\s|then\s)*(?:the\s|an?\s)?$",
    re.IGNORECASE,
)
_VERB_AFTER = re.compile(r"\s(?:[a-z]+ed|[a-z]+s|won|ran|came|did|must|will|can)\b")
_NOUN_AFTER = re.compile(
    r"\s(?:numbers?|integers?|terms?|sides?|angles?|beads?|balls?|ones?|factors?|values?|exponents?|powers?)\b"
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
    if (_PREDICATE_BEFORE.search(before) or _CONCLUDES.search(before)) and not _NOUN_AFTER.match(after):
        return True
    if not after and text[span.start : span.end].endswith("es"):
        return True  # "the series converges"
    if _SUBJECT_BEFORE.search(before) and _VERB_AFTER.match(after):
        novel = _content(asked(question)) - _content(question.replace(asked(question), " "))
        return bool(_content(after) & novel)
    return False


def asked(question: str) -> str:
    """The sentence that asks; the whole question where none ends in a question mark."""
    sentences = [s for s in re.split(r"(?<=[.!?])\s+|\n+", question) if s.rstrip().endswith("?")]
    return sentences[-1] if sentences else question


def _content(text: str) -> set[str]:
    return {word.casefold().removesuffix("s")[:6] for word in _CONTENT_WORD.findall(text)} - _EMPTY_WORDS


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
    query = _content(asked(question))
    pattern = _DENIES if says == "no" else _AFFIRMS
    return any(
        _content(match[1]) & query
        for match in pattern.finditer(text)
        if not _QUESTION_AFTER.match(text, match.end())
        and not _CONDITION.search(before_and_after(text, Span(match.start(), match.end(), ""))[0])
    )
