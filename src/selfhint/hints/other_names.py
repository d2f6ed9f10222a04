r"""Answers in signs that texts write in other signs or in words: 3:2 as "3 to 2", x ≠ 2, \mathbb{R}, \emptyset."""

from __future__ import annotations

import re

from selfhint.hints.number_words import written_out

_NUMBER = r"-?\d{1,9}(?:\.\d{1,6})?"
_RATIO = re.compile(rf"{_NUMBER}(?:\s?:\s?{_NUMBER}){{1,4}}")
_EXCLUDED = re.compile(rf"([A-Za-z])\s?≠\s?({_NUMBER}|[a-z])")
_REALS = re.compile(r"\\mathbb\s?\{?\s?R\s?\}?|(?:all )?real numbers|all reals", re.IGNORECASE)
_NOTHING = re.compile(r"\\(?:emptyset|varnothing)|∅|\{\s?\}|(?:the )?empty set|no (?:real )?solutions?", re.IGNORECASE)

_REALS_IN_TEXT = re.compile(
    r"\\mathbb\s?(?:\{\s?R\s?\}|R)(?!\s?[\\^_-])|(?:∈|\\in)\s?R\b|\(\s?-inf\s?,\s?inf\s?\)"
    r"|\b(?:(?:all|any|every) (?:the )?real (?:numbers?|values?(?: of [a-z])?|[a-z])|all (?:the )?reals)"
    r"(?=\W*$|\s?[.,;!)]| (?:works?|fits?|are|is|satisf\w+|solves?|do|does)\b)",
    re.IGNORECASE,
)
_NOTHING_IN_TEXT = re.compile(
    r"\\(?:emptyset|varnothing)(?![A-Za-z])|∅|\bempty set\b"
    r"|(?<!if there is )(?<!if there are )(?<!whether there is )(?<!when there is )(?<!if it has )(?<!would have )"
    r"\bno (?:(?:real|such|common|valid) )?(?:solutions?|roots?|[a-z] (?:works|exists|fits|satisfies))\b",
    re.IGNORECASE,
)


def named_otherwise(answer: str) -> re.Pattern[str] | None:
    """Where a text has an answer in plain writing that is a ratio, an excluded value, all reals or nothing."""
    if _RATIO.fullmatch(answer):
        return _ratio([part.strip() for part in answer.split(":")])
    if excluded := _EXCLUDED.fullmatch(answer):
        return _exclusion(excluded[1], excluded[2])
    if _REALS.fullmatch(answer):
        return _REALS_IN_TEXT
    return _NOTHING_IN_TEXT if _NOTHING.fullmatch(answer) else None


def _ratio(parts: list[str]) -> re.Pattern[str]:
    link = r"\s?(?::|to|/)\s?" if len(parts) == 2 else r"\s?(?::|to)\s?"
    return re.compile(rf"(?<![\w.:/])(?<!from ){link.join(map(written_out, parts))}(?![\w:/]|\.\d)", re.IGNORECASE)


def _exclusion(letter: str, value: str) -> re.Pattern[str]:
    """As x ≠ 2, "x cannot be 2", "everything except 2"."""
    denial = r"\s(?:is|does|must|can|may|should|will)(?: not|not|n't)(?: be| equal)?(?: to)?|\snot equal to"
    but = (
        r"\b(?:everything|every|all|any|anything|each)\b[^.!?\n]{0,30}"
        r"\b(?:except|but|other than|besides|apart from)(?: for)?"
    )
    excluded = rf"(?:{letter}\s?=\s?)?{re.escape(value)}(?!\w|\.\d|\s?[-+*/^])"
    return re.compile(rf"(?:(?<![A-Za-z]){letter}(?:\s?≠|{denial})|{but})\s?{excluded}", re.IGNORECASE)
