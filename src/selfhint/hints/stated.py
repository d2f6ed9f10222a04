"""How a number or an expression stands in a hint: given as the answer, or merely there."""

from __future__ import annotations

import re

from selfhint.hints.answer_forms import AnswerForms
from selfhint.hints.asked import asked, asked_letters, content
from selfhint.hints.occurrences import Span

WINDOW = 100
"""Characters of the sentence on either side that are looked at."""

_FILLER = (
    r"(?:\s|[\"'`(:€£¥₹*-]|\\boxed\s?\{"
    r"|\b(?:just|exactly|only|about|approximately|therefore|thus|then|now|simply|indeed|precisely|to be|equal to"
    r"|option|choice|a total of|an?|the)\b)*"
)
_SENTENCE_BREAK = re.compile(r"[.!?](?=\s|$)|\n")

CONCLUSION = r"(?:so|thus|therefore|hence|finally|in total|altogether|in conclusion|consequently|in the end)"
_RESULT = r"(?:gets?|gives?|obtains?|leaves?|makes?|finds?)"
_STATES_BEFORE = re.compile(
    r"\\boxed\s?\{[^{}]*$"
    r"|####\s?$"
    rf"|\b(?:answer|result|solution)s?\b(?:[^\d]{{0,60}}(?:\b(?:is|are|be|equals|equal to|as|of)\b|[:=]))?{_FILLER}$"
    rf"|\bfinal(?: value| number)?(?: is)?:?{_FILLER}$"
    rf"|(?:^|,\s)\W*{CONCLUSION}\b.*"
    rf"(?:\b(?:is|are|be|equals|equal to|gets?|gives?|has|have|makes?|leaves?|totals?)\b|=|>>){_FILLER}$"
    rf"|\b(?:you|we|which|that|this|to|and get|one|I)\s(?:will\s|would\s|should\s|can\s)?{_RESULT}\b{_FILLER}$"
    rf"|\b(?:back|stays?|remains?|ends up|again) (?:at |to )?{_FILLER}$|\bnamely,?{_FILLER}$"
    r"|\b(?:all|every\w*) (?:but|except)(?: for)?\s$"
    rf"|\b(?:it|that|this)(?:'s|\sis|\swould be|\sshould be|\smust be|\sleaves|\sgives|\smakes){_FILLER}$"
    rf"|\b(?:leaving|leaves|left)\s(?:\w+\s)?with{_FILLER}$|\b(?:leaving|giving|yielding|making){_FILLER}$"
    rf"|\b(?:yields?|ends? up with|ends? with|comes? to|amounts? to|results? in|totals?|equals?|becomes?)\b{_FILLER}$"
    rf"|\d\s?%?\s?[-+*/]\s?[$€£¥₹(]?\s?\d[^=\n]{{0,40}}(?:=|>>|\b(?:is|makes|gives|equals|leaves)\b){_FILLER}$",
    re.IGNORECASE | re.DOTALL,
)
_STATES_AFTER = re.compile(
    r"[^.!?\n\d=]{0,30}\b(?:is|are|as|for)\s+(?:the|your|our)\s+(?:\w+\s+)?(?:answer|result|solution)\b"
    r"|\s(?:\w+\s){0,2}(?:are|is|were)\s(?:now\s)?(?:left|remaining)\b"
    r"|\s(?:\w+\s)?(?:in (?:all|total)|altogether)\b"
    r"|\s(?:\w+\s){0,2}remains?\b|\s(?:fits|survives)\b|\s(?:doesn't|does not) (?:belong|fit)\b",
    re.IGNORECASE,
)
_CLOSES_BEFORE = re.compile(
    rf"(?:=|>>|\b(?:equals|is equal to)\b|(?:[\d)]|\b(?:which|that|this|it))\s(?:gives|makes)\b){_FILLER}$",
    re.IGNORECASE,
)
_CONCLUDES_BEFORE = re.compile(rf"(?:^|[,;:]\s?){CONCLUSION}:?,?{_FILLER}$", re.IGNORECASE)
_COLON_BEFORE = re.compile(rf"\w:{_FILLER}$")
_STOPS_AFTER = re.compile(r"(?:\s?\w+)?(?:\.(?=\s|$)|!|\n|$)")
_ENDS_AFTER = re.compile(r"(?:\s\w+)?\W*$")
_CLOSES_AFTER = re.compile(r"[^=\d]{0,40}$", re.DOTALL)


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
    if _ONLY_BEFORE.search(before) and _ONLY_AFTER.match(text, span.end):
        return True
    closing = len(text) - span.end <= 41 and bool(_CLOSES_AFTER.match(text, span.end))
    return bool(
        _STATES_BEFORE.search(before)
        or _STATES_AFTER.match(text, span.end)
        or (closing and span.written != "0" and _CLOSES_BEFORE.search(before))
        or (_ENDS_AFTER.match(text, span.end) and _CONCLUDES_BEFORE.search(before))
        or (_STOPS_AFTER.match(text, span.end) and _COLON_BEFORE.search(before))
    )


_ONLY_BEFORE = re.compile(r"\bonly $", re.IGNORECASE)
_ONLY_AFTER = re.compile(r" (?:is|was|works|satisf\w+|has|does|can)\b", re.IGNORECASE)

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

    "12 apples left" where the question ends in "How many are left?". Also as the value of a letter that is asked for.
    """
    if _RELATIVE_AFTER.match(text, span.end):
        return False
    told = question.replace(asked(question), " ")
    novel = content(asked(question)) - content(told) if told.strip() else content(_asked_thing(question))
    before, after = before_and_after(text, span)
    behind = content(" ".join(after.split()[:3]))
    copula = _COPULA_BEFORE.search(before)
    if copula and _gives_letter(before[: copula.start()], text[span.end :], question):
        return True
    ahead = content(" ".join(before[: copula.start()].split()[-2:])) if copula else set()
    return bool(novel & (behind | ahead))


_RELATIVE_AFTER = re.compile(
    r"\s(?:[a-z]+\s)?(?:(?:less|more|fewer|greater|smaller|larger|higher|lower|older|younger|longer|shorter) than"
    r"|less|times (?:the|as|that|its|his|her))\b",
    re.IGNORECASE,
)
"""What is compared with something else is not told: "the smaller one is 10 less than"."""


def _asked_thing(question: str) -> str:
    """The median of "What is the median of 3, 9, 4?"."""
    found = _ASKED_THING.search(question)
    return found[1] if found else ""


_ASKED_THING = re.compile(
    r"\b(?:what(?:'s| is| are)|find|determine|compute|calculate) (?:the )?((?:[a-z]+ ){0,2}?[a-z]+) (?:of|for|in)\b",
    re.IGNORECASE,
)
_COPULA_BEFORE = re.compile(
    rf"(?:\b(?:(?:(?:must|would|will|should|can only|could only|has to|have to) )?(?:be|equal)|is|are|equals)\b|[:=])"
    rf"{_FILLER}$",
    re.IGNORECASE,
)


def _gives_letter(ahead: str, behind: str, question: str) -> bool:
    """Whether what stands in front of a copula is a letter that is asked for, and the value ends with the number."""
    letter = _LETTER_LAST.search(ahead)
    if not letter or letter[1] not in asked_letters(question) or _TRIED.search(ahead):
        return False
    return not _OPERATOR_OR_FACTOR_AFTER.match(behind)


_LETTER_LAST = re.compile(r"(?<![\w*/^+.)'-])(?<![*/^+\d)-] )([A-Za-z]) ?$")
_TRIED = re.compile(
    r"\b(?:if|try|let|suppose|put|plug|test|checks?|whether|when|assume|for|case|guess|say|at)\b", re.IGNORECASE
)
_OPERATOR_OR_FACTOR_AFTER = re.compile(r" ?[-+*/^(]|\w| [a-zA-Z](?!\w)")


def is_incidental(text: str, span: Span, forms: AnswerForms) -> bool:
    """Whether the answer at `span` is only what any text may contain: "Step 3", "2. Add", "three steps".

    Of answers of one digit also an operand ("divide by 2"); of formulas of up to three letters every mention (the
    variable x).
    """
    start, end = span.start, span.end
    if forms.expression:
        if forms.is_word:
            return False
        operand = _MULTIPLIED_BEFORE.search(text, max(0, start - 70), start)
        argument = ARGUMENT_BEFORE.search(text, max(0, start - 40), start)
        return bool(operand or argument) or (len(forms.text) <= 3 and forms.text.isalpha() and forms.text.islower())
    before = text[max(0, start - 20) : start]
    if _NUMBERING_BEFORE.search(before):
        return True
    small = len(span.written) <= 2
    if small and _LINE_START.search(before) and _MARKER.match(text, end) and text.strip(" .):(*\n") != text[start:end]:
        return True
    if span.in_words and span.written == "1":  # "one of the", "each one"
        return not (_EQUALS_BEFORE.search(before) and _CLAUSE_END.match(text, end))
    if text[start:end].casefold() == "half":
        return not _HALF_AS_RESULT.match(text, end)
    if _BOUND_BEFORE.search(before) or (_BOUND_AFTER.match(text, end) and not before.rstrip().endswith("=")):
        return True
    if span.written == "0":
        return bool(_RELATION_BEFORE.search(before))  # "set f(x) = 0"
    if small and _AMONG_OTHERS_BEFORE.search(before) and _AMONG_OTHERS_AFTER.match(text, end):
        return True
    if _SUPPOSED_BEFORE.search(text, max(0, start - WINDOW), start):
        return True
    if _REJECTED.search("".join(before_and_after(text, span))):
        return True
    if _MULTIPLIER_AFTER.match(text, end) or _GIVEN_BEFORE.search(text, max(0, start - 40), start):
        return True
    if CHECKS_BEFORE.search(text, max(0, start - WINDOW), start):
        return False
    if _FACTOR_BEFORE.search(before) or _FACTOR_AFTER.match(text, end):
        return True
    if len(span.written.lstrip("-")) > 1:
        return False
    return bool(_COUNT_AFTER.match(text, end) or _OPERATOR_BEFORE.search(before) or _OPERATOR_AFTER.match(text, end))


_EQUALS_BEFORE = re.compile(
    r"(?<!here )(?<!there )\b(?:is|equals|be|becomes|=)(?: (?:just|exactly|simply))? $", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"\s?(?:[.!](?:\s|$)|[,;\n]|$)")
_BOUND_BEFORE = re.compile(r"(?<![-=<>])[<>]\s?$")
_BOUND_AFTER = re.compile(r"\s?[<>](?![=<>])")
"""What a strict inequality excludes is not the answer."""
_SUPPOSED_BEFORE = re.compile(r"\bif\b[^,.!?\n]*\b(?:were|had been)\b[^,.!?\n]*$", re.IGNORECASE)
"""What is not so."""
CHECKS_BEFORE = re.compile(r"\b(?:check|verify|verification)(?: \w+){0,2} ?:[^.!?\n]*$", re.IGNORECASE)
"""Behind it stands the answer put into the question."""
_REJECTED = re.compile(r"\btoo (?:few|many|much|little|small|large|big|low|high|short|long)\b", re.IGNORECASE)
"""The answer is never too small or too large: a number in such a sentence is something else."""
_AMONG_OTHERS_BEFORE = re.compile(r"\d, ?$")
_AMONG_OTHERS_AFTER = re.compile(r", ?(?:-?\d|…|\.\.)")
"""In the middle of a list of numbers."""
_MULTIPLIER_AFTER = re.compile(r"\stimes\s(?:the|a|\d)", re.IGNORECASE)
_GIVEN_BEFORE = re.compile(
    r"(?:\be\.g\.,?|\bfor (?:example|instance),?|\bsuch as|\blike|(?:\b|\\[pb])mod(?:ulo|ulus)?"
    r"|\bexponents?(?: of| is)?|\bbase"
    r"|\bdegree"
    r"|\b(?:strictly |slightly |clearly )?(?:less|more|greater|smaller|larger|bigger) than|\b(?:below|above)"
    r"|\bto the(?: power(?: of)?)?|\\[a-z]+\s?\([^()=]{0,12}\)\s?="
    r"|\b(?:as|when|lim(?:it)?) [a-z]\s?(?:->|→|\\to\b|approaches|tends to|goes to))\s?[{(]?$",
    re.IGNORECASE,
)
"""An example, a modulus, a bound, where a limit is taken, or the value of some other function: phi(50) = 20."""
_MULTIPLIED_BEFORE = re.compile(
    r"\b(?:multipl|divid)(?:y|ied|ying|e|ed"
    r"|ing)\b[^.!?\n]{0,40}\bby\s?\(?$",
    re.IGNORECASE,
)
ARGUMENT_BEFORE = re.compile(
    r"\b(?:(?:derivative|antiderivative|integral|graph|square|root|reciprocal|inverse) of|differentiat\w+|integrat\w+)"
    r"(?: the)? ?$",
    re.IGNORECASE,
)
_FACTOR_BEFORE = re.compile(r"\d\s?\*\s?$")
_FACTOR_AFTER = re.compile(r"\s?\)?\s?\*\s?[\dA-Za-z(\\]|\s(?:the )?[a-z]+ times (?:the )?[a-z]")
_RELATION_BEFORE = re.compile(r"(?:[<>=]|\b(?:than|at least|at most|to|by))\s?$")
_HALF_AS_RESULT = re.compile(r" of (?:\w+ ){1,3}(?:is|are|was|were|remains?|stays?)\b", re.IGNORECASE)
