"""How an interval is described in plain writing: patterns for bounds, brackets, complements, extremes and roots."""

from __future__ import annotations

import re

_ONE = r"(?:\d+(?:\.\d+)?|\.\d+|\d*sqrt\(\w+\)|\d*pi|e|ln\s?\(?\d+\)?)"
_END = rf"([-+]?\s?(?:inf\b|\d*\(?{_ONE}(?:\s?/\s?\d+)?\)?(?:sqrt\(\w+\)|pi)?(?:/\d+)?(?:\s?[-+]\s?\d*sqrt\(\w+\))?))"
BRACKETED = re.compile(rf"([(\[\]])\s?{_END}\s?[,;|]\s?{_END}\s?([)\[\]])")
_OVER_WORDS = r"greater|larger|bigger|more|higher"
_UNDER_WORDS = r"less|smaller|lower|fewer"
_STRICTLY = r"(?:strictly )?"
_NOT = r"(?:not|no|never|n't|cannot be|can't be)\s(?:be |get |become )?"
LOWER = (
    (re.compile(rf"(?<!not )(?<!no )(?<!or )\b(?:{_OVER_WORDS}) than (?!or equal){_END}", re.IGNORECASE), False),
    (re.compile(rf"\b(?:above|exceed(?:s|ing)?|beyond|to the right of) {_END}", re.IGNORECASE), False),
    (re.compile(rf"\b(?:at least|(?:{_OVER_WORDS}) than or equal to|from) {_END}", re.IGNORECASE), True),
    (re.compile(rf"\b{_NOT}(?:{_UNDER_WORDS}) than {_END}", re.IGNORECASE), True),
    (re.compile(rf"(?<![<>=/^*+|-])(?<![*+/^|-] )\b[a-z] ?>(?!=) ?{_END}(?! ?[*^+(x])", re.IGNORECASE), False),
    (re.compile(rf"(?<![<>=/^*+|-])(?<![*+/^|-] )\b[a-z] ?>= ?{_END}(?! ?[*^+(x])", re.IGNORECASE), True),
)
UPPER = (
    (re.compile(rf"(?<!not )(?<!no )(?<!or )\b(?:{_UNDER_WORDS}) than (?!or equal){_END}", re.IGNORECASE), False),
    (re.compile(rf"\b(?:below|under|to the left of) {_END}", re.IGNORECASE), False),
    (
        re.compile(
            rf"\b(?:at most|(?:{_UNDER_WORDS}) than or equal to"
            rf"|up to(?: and including)?) {_END}",
            re.IGNORECASE,
        ),
        True,
    ),
    (re.compile(rf"\b{_NOT}(?:(?:{_OVER_WORDS}) than|exceed(?:ing)?) {_END}", re.IGNORECASE), True),
    (re.compile(rf"(?<![<>=/^*+|-])(?<![*+/^|-] )\b[a-z] ?<(?!=) ?{_END}(?! ?[*^+(x])", re.IGNORECASE), False),
    (re.compile(rf"(?<![<>=/^*+|-])(?<![*+/^|-] )\b[a-z] ?<= ?{_END}(?! ?[*^+(x])", re.IGNORECASE), True),
)
_SUBJECT = (
    r"(?:(?<![\w)*/^+-])(?<![*/^+-] )[a-z](?:\([a-z]\))?|\b(?:numbers?|values?|reals?|everything|anything|domain"
    r"|range|solutions?|set))"
    r"(?: [^.!?\n<>=+*/^\d]{0,30})?"
)
_WHOLE = r"(?!\w|[*^+/.]\w| [*^+-] )"
_NEVER = r"(?:not|never|cannot be|can't be|no|isn't|aren't)"
AT_LEAST = re.compile(
    rf"{_SUBJECT} (?:(?:at least|{_NEVER} (?:{_UNDER_WORDS}) than|(?:{_OVER_WORDS}) than or equal to) {_END}{_WHOLE}"
    rf"|{_END} or (?:{_OVER_WORDS}|above)\b)",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    rf"{_SUBJECT} (?:(?:at most|up to(?: and including)?|{_NEVER} (?:(?:{_OVER_WORDS}) than|exceed(?:ing)?)"
    rf"|(?:{_UNDER_WORDS}) than or equal to) {_END}{_WHOLE}|{_END} or (?:{_UNDER_WORDS}|below)\b)",
    re.IGNORECASE,
)
TO_INFINITY = re.compile(rf"\b(?:from|starts? (?:at|from)) {_END}\b[^.!?\n]{{0,40}}\binf\b", re.IGNORECASE)
FROM_TO = re.compile(
    rf"\b(?:between|from|runs over|goes from|starts? (?:at|from)) (?:the )?{_END}(?: \((?:not |in|ex)[a-z ]*\)"
    rf"| (?:in|ex)clusive)?,? ?"
    rf"(?:and|,|(?:all the way )?(?:up )?to|through|ends? at|until)(?: and including)? (?:the )?{_END}",
    re.IGNORECASE,
)
ENDS = re.compile(
    rf"\b(?:ends|endpoints|limits|bounds|borders)\b[^.!?\n\d-]{{0,20}}{_END}(?: and |, ?){_END}[^.!?\n]{{0,20}}"
    r"\b(?:included?|inclusive|excluded?|exclusive|belong)\b",
    re.IGNORECASE,
)
ABSOLUTE = re.compile(rf"(?<![\w)*])\|\s?[a-z]\s?\| ?([<>]=?) ?{_END}(?! ?[*^+(x])", re.IGNORECASE)
ABSOLUTE_WORDS = re.compile(
    rf"(?<![\w)*])\|\s?[a-z]\s?\| (?:is |must be |can be )?(?:(at most)"
    rf"|(?:{_UNDER_WORDS}) than) {_END}",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"\b(?:everything|everywhere|all|any|every|anything|reals?|numbers?|values?|line|R\})\b[^.!?\n]{0,40}"
    r"(?:\b(?:except(?:ing)?|but|outside|other than|without|apart from|excluding|not in|minus)\b|\\setminus"
    r"|\\backslash)"
    r"[^.!?\n\d\[\](){}-]{0,40}\{?",
    re.IGNORECASE,
)
UNEQUAL = re.compile(
    rf"\b[a-z] ?(?:≠|\\neq?|!=|(?:is not|isn't|cannot be|can't be"
    rf"|must not be) (?:equal to )?) ?{_END}",
    re.IGNORECASE,
)
SINGLE = re.compile(rf"(?:for )?(?:[a-z] ?= ?)?{_END}", re.IGNORECASE)
LEAST = re.compile(
    r"\b(?:(?:lower|left) (?:end|bound|limit|endpoint)|min(?:imum|imal)?|smallest|least|lowest)\b(?! common)",
    re.IGNORECASE,
)
MOST = re.compile(
    r"\b(?:(?:upper|right) (?:end|bound|limit|endpoint)|max(?:imum|imal)?|largest|greatest|highest|biggest)\b"
    r"(?! common)",
    re.IGNORECASE,
)
NUMBER = re.compile(rf"(?<![\w.]){_END}(?!\w)")
ROOTS = re.compile(
    r"\b(?:roots?|zeros?|zeroes|solutions?|critical (?:points?|values?|numbers?)|boundar(?:y|ies)|endpoints?"
    r"|ends?|intercepts?)\b",
    re.IGNORECASE,
)
_THEM = (
    r"(?:them|these|those|the(?:se|m)? (?:two )?(?:roots|zeros|zeroes|points|values|numbers|ends|endpoints"
    r"|critical \w+))"
)
INSIDE = re.compile(rf"\b(?:between|inside|in between) {_THEM}\b(?! or)", re.IGNORECASE)
OUTSIDE = re.compile(
    rf"\boutside (?:of )?{_THEM}\b(?! or)|\bto the left of (?:\w+ ){{0,3}}(?:smaller|first"
    rf"|left)\b",
    re.IGNORECASE,
)
WEIGHS = re.compile(r"[?]$|\b(?:test|try|check|look|pick|choose|consider|whether|point|sample)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?:[^.!?\n]|[.!](?!\s|$))+[?]?")
