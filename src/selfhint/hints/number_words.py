"""English number words in running text: whole numbers and fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: value for value, word in enumerate(_SMALL_WORDS.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), start=2)}
_SCALES = {"thousand": 1_000, "million": 1_000_000}
_WORD = "|".join(sorted([*_SMALL, *_TENS, *_SCALES, "hundred"], key=len, reverse=True))
_RUN = re.compile(rf"\b(?:{_WORD})\b(?:[\s-]{{1,3}}(?:and[\s-]{{1,3}})?(?:{_WORD})\b)*", re.IGNORECASE)
_PART = re.compile(r"[a-z]+")

_PART_WORDS = {
    word: value
    for value, words in {
        2: "half",
        3: "third",
        4: "quarter fourth",
        5: "fifth",
        6: "sixth",
        7: "seventh",
        8: "eighth",
        9: "ninth",
        10: "tenth",
        11: "eleventh",
        12: "twelfth",
        13: "thirteenth",
        14: "fourteenth",
        15: "fifteenth",
        16: "sixteenth",
        17: "seventeenth",
        18: "eighteenth",
        19: "nineteenth",
        20: "twentieth",
        100: "hundredth",
    }.items()
    for word in words.split()
}
_FRACTION = re.compile(
    rf"\b({'|'.join(sorted([*_SMALL, 'a', 'an'], key=len, reverse=True))})[\s-]"
    rf"({'|'.join(sorted(_PART_WORDS, key=len, reverse=True))})(s?)\b",
    re.IGNORECASE,
)

_BARE_HALF = re.compile(r"(?<!one[\s-])(?<!\ba[\s-])\bhalf\b", re.IGNORECASE)


def number_words(text: str) -> Iterator[tuple[int, int, int]]:
    """The numbers written in words: value, start, end. "five and six" are two numbers, "one hundred and six" is one.

    Whole numbers below a thousand million; a bare "hundred" is 100.
    """
    for run in _RUN.finditer(text):
        yield from _split(run)


def fraction_words(text: str) -> Iterator[tuple[tuple[int, int], int, int]]:
    """The fractions written in words: (numerator, denominator), start, end. "two sevenths", "a half", "one third".

    "a third" counts, "a third time" cannot be told from it; "half" counts with or without an article.
    """
    for match in _FRACTION.finditer(text):
        count = _SMALL.get(match[1].lower(), 1)
        if (count == 1) != bool(match[3]):
            yield (count, _PART_WORDS[match[2].lower()]), match.start(), match.end()
    for match in _BARE_HALF.finditer(text):
        yield (1, 2), match.start(), match.end()


def _split(run: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    total, current, before, joined = 0, 0, "", False
    start = end = run.start()
    for part in _PART.finditer(run.group().lower()):
        word = part.group()
        if word == "and":
            joined = True
            continue
        if before and not _follows(before, word, joined, total):
            yield total + current, start, end
            total, current, before = 0, 0, ""
        if not before:
            start = run.start() + part.start()
        if word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0
        elif word == "hundred":
            current = (current or 1) * 100
        else:
            current += _SMALL[word] if word in _SMALL else _TENS[word]
        before, joined, end = word, False, run.start() + part.end()
    yield total + current, start, end


def _follows(before: str, word: str, joined: bool, total: int) -> bool:
    """Whether `word` goes on with the number whose last word is `before`; `joined`: by "and"."""
    if word in _SCALES:
        return before not in _SCALES and not joined and (total == 0 or total > _SCALES[word])
    if word == "hundred":
        return _SMALL.get(before, 0) > 0 and not joined
    if before in _TENS:
        return 0 < _SMALL.get(word, 0) < 10 and not joined
    return before == "hundred" or before in _SCALES
