"""Words of an answer that texts use for something else: "you may", "march on", "square both sides"."""

from __future__ import annotations

import re

from selfhint.hints.occurrences import Span

_NAME_WORDS = "may march august will mark bill rose grace hope frank jack art sue rob drew faith joy"
_NAMES = frozenset(_NAME_WORDS.split())
"""Names that are ordinary words when they are not written with a capital letter."""

_SENTENCE_START = re.compile(r"(?:^|[.!?:\n]\s?|[\"'(*]\s?)[\"'(*]?$")
_NAME_AFTER = re.compile(
    r"\W*$|\s?[,.;:!)]|\s(?:is|was|comes|has|had|must|follows|fits|works|remains|wins|won|did|does|owns|can|gets|got|and)\b"
)
_NO_NOUN = r"(?<!\ba )(?<!\bthe )(?<!\bis )(?<!\bbe )"
_POWER = re.compile(
    r"(?:(?<=perfect )|(?<=complete the )|(?<=completing the )|(?<=of two )|(?<=difference of )|(?<=sum of ))\w+"
    rf"|{_NO_NOUN}\w+ (?:both|each|all|every|it|this|that|these|those|them|the|and (?:then|add|sum))\b"
    r"|\w+ (?:roots?|of)\b"
    r"|\w+ (?:(?:kilo|centi|milli)?met(?:er|re)|foot|feet|inch(?:es)?|mile|yard|unit|k?m|cm|mm|ft)s?\b",
    re.IGNORECASE,
)
_USED_OTHERWISE: dict[str, re.Pattern[str]] = {
    "square": _POWER,
    "cube": _POWER,
    "none": re.compile(r"\w+ of [^.!?\n]{0,40}\b(?:needs?|has to|have to|matters?|helps?)\b", re.IGNORECASE),
    "even": re.compile(r"\w+ (?:if|though|more|less|better)\b", re.IGNORECASE),
    "prime": re.compile(r"\w+ (?:factor\w*|divisors?|decomposition)\b", re.IGNORECASE),
}
"""Word → what it is where it means something else, with what stands beside it."""


def in_other_sense(text: str, span: Span) -> bool:
    """Whether the word at `span` has another sense than that of the answer."""
    word = text[span.start : span.end]
    name = word.casefold().removesuffix("s")
    if name in _NAMES:
        starts = _SENTENCE_START.search(text, max(0, span.start - 4), span.start)
        return word[0].islower() or bool(starts and not _NAME_AFTER.match(text, span.end))
    other = _USED_OTHERWISE.get(name)
    return other is not None and other.match(text, span.start) is not None
