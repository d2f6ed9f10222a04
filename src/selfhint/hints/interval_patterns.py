"""How an interval is described in plain writing: patterns for bounds, brackets, complements, extremes and roots."""

from __future__ import annotations

import re

_INT = r"\d{1,12}"
"""Longer numbers are no ends: a bound keeps the search linear."""
_ONE = rf"(?:{_INT}(?:\.{_INT})?|\.{_INT}|\d{{0,12}}sqrt\(\w{{1,12}}\)|\d{{0,12}}pi|e|ln\s?\(?{_INT}\)?)"
_END = (
    rf"([-+]?\s?(?:inf\b|\d{{0,12}}\(?{_ONE}(?:\s?/\s?{_INT})?\)?(?:sqrt\(\w{{1,12}}\)|pi)?(?:/{_INT})?"
    rf"(?:\s?[-+]\s?\d{{0,12}}sqrt\(\w{{1,12}}\))?))"
)
BRACKETED = re.compile(rf"([(\[\]])\s?{_END}\s?[,;|]\s?{_END}\s?([)\[\]])")
_OVER_WORDS = r"greater|larger|bigger|more|higher"
_UNDER_WORDS = r"less|smaller|lower|fewer"
_STRICTLY = r"(?:strictly )?"
_NOT = r"(?:not|no|never|n't|cannot be|can't be)\s(?:be |get |become )?"
LOWER = (
    (re.compile(rf"(?<!not )(?<!no )(?<!or )\b(?:{_OVER_WORDS}) than (?!or equal){_END}", re.IGNORECASE), False),
    (re.compile(rf"\b(?:above|over|exceed(?:s|ing)?|beyond|to the right of) {_END}", re.IGNORECASE), False),
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
    rf"|{_END} or (?:{_OVER_WORDS}|above)\b)|(?<![\w.]){_END} or any\w{{1,5}} (?:{_OVER_WORDS}|above)\b"
    rf"|(?:^|[.!?;:] ?){_END} or (?:{_OVER_WORDS}|above)\b"
    rf"|(?:^|[.!?;:,] ?)never (?:below|under|(?:{_UNDER_WORDS}) than) {_END}",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    rf"{_SUBJECT} (?:(?:at most|up to(?: and including)?|{_NEVER} (?:(?:{_OVER_WORDS}) than|exceed(?:ing)?)"
    rf"|(?:{_UNDER_WORDS}) than or equal to) {_END}{_WHOLE}|{_END} or (?:{_UNDER_WORDS}|below)\b)"
    rf"|(?:^|[.!?;:,] ?)never (?:above|over|(?:{_OVER_WORDS}) than) {_END}",
    re.IGNORECASE,
)
_NO_END = (
    r"(?:no upper (?:bound|limit|end)|unbounded|without (?:bound|limit|end)"
    r"|(?:all|any\w*) (?:larger|greater|bigger|more))"
)
TO_INFINITY = re.compile(
    rf"\b(?:min(?:imum|imal)?|smallest|least|lowest)\b[^.!?\n\d-]{{0,20}}{_END}\b[^.!?\n]{{0,40}}{_NO_END}"
    rf"|\b(?:from|starts? (?:at|from)) {_END}\b[^.!?\n]{{0,40}}\binf\b"
    rf"|\bfrom {_END} (?:on|up|onwards?|upwards?)\b(?! to)",
    re.IGNORECASE,
)
BELOW_AND_ABOVE = re.compile(
    rf"\b(?:to the left of|below|under|up to|(?:{_UNDER_WORDS}) than) {_END},? (?:and|or)(?: to|(?: \w+)?) ?"
    rf"(?:the right of|above|over|from|(?:{_OVER_WORDS}) than) {_END}",
    re.IGNORECASE,
)
_BOUND = rf"(?:the |[a-z] ?= ?)?{_END}"
FROM_TO = re.compile(
    rf"\b(?:from|runs over|goes from|starts? (?:at|from)) {_BOUND}(?: \([^()]{{0,60}}\)| (?:in|ex)clusive)?,? ?"
    r"(?:and|,|(?:all the way )?(?:up )?to|through|ends? at|until|and stops (?:short of|before|at))"
    rf"(?:,? (?:and|but not) including)? {_BOUND}",
    re.IGNORECASE,
)
ABSOLUTE = re.compile(rf"(?<![\w)*])\|\s?[a-z]\s?\| ?([<>]=?) ?{_END}(?! ?[*^+(x])", re.IGNORECASE)
ABSOLUTE_WORDS = re.compile(
    rf"(?:(?<![\w)*])\|\s?[a-z]\s?\||\b(?:absolute value|magnitude|modulus)(?: of [a-z])?)"
    rf" (?:(?:is|be|must|can|has|to|of) ){{0,3}}(?:(at most)|(?:{_UNDER_WORDS}) than|below|under) {_END}",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"\b(?:everything|everywhere|all|any|every|anything|reals?|numbers?|values?|line|R\})\b[^.!?\n]{0,40}"
    r"(?:\b(?:except(?:ing)?|but|outside|other than|without|apart from|excluding|not in|minus)\b|\\setminus"
    r"|\\backslash)"
    r"[^.!?\n\d\[\](){}-]{0,40}\{?",
    re.IGNORECASE,
)
OUTSIDE_INTERVAL = re.compile(r"\boutside (?:of )?(?:the )?(?:open |closed )?(?:interval )?", re.IGNORECASE)
SIGN_OF_ALL = re.compile(
    r"\b(?:(?:all|every|any)|(?<![\w)*/^+-])[a-z] (?:is|must be|has to be|can only be)) (?:real )?"
    r"(non-?negative|non-?positive|positive|negative)\b(?! (?:integer|whole|and|or))",
    re.IGNORECASE,
)
SIGN_WORD = re.compile(r"\b(non-?negative|non-?positive|positive|negative)\b", re.IGNORECASE)
LEFT_OUT = re.compile(
    r"\b(?:except\w*|but|without|other than|apart from|exclud\w*|forbidden|not|leave out|remove\w*|taken out)\b|n't"
    r"|≠|\\neq?\b|!=|\\setminus",
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
_THEM = (
    r"(?:them|these|those|the(?:se|m)? (?:two )?(?:roots|zeros|zeroes|points|values|numbers|ends|endpoints"
    r"|critical \w+))"
)
INSIDE = re.compile(r"\b(?:between|inside|within|interval)\b(?! \w+ or\b)", re.IGNORECASE)
OUTSIDE = re.compile(
    rf"\boutside (?:of )?{_THEM}\b(?! or)|\bto the left of (?:\w+ ){{0,3}}(?:smaller|first"
    rf"|left)\b",
    re.IGNORECASE,
)
WEIGHS = re.compile(r"[?]$|\b(?:test|try|check|look|pick|choose|consider|whether|point|sample)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?:[^.!?\n]|[.!](?!\s|$))+[?]?")
