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
        100: "hundredth",
    }.items()
    for word in words.split()
}
_TENS_PARTS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}
_PARTS = "|".join(sorted([*_PART_WORDS, "halve", *_TENS_PARTS], key=len, reverse=True))
_TENS_NAMES = "|".join(_TENS)
_ONES = "|".join(sorted([*_SMALL, "a", "an"], key=len, reverse=True))
_FRACTION = re.compile(
    rf"\b((?:(?:{_TENS_NAMES})-)?(?:{_ONES})|{_TENS_NAMES}|\d{{1,3}})[\s-]"
    rf"(?:({_TENS_NAMES})-)?({_PARTS})(s?)\b",
    re.IGNORECASE,
)
_DOZENS = re.compile(rf"(?<![\d.,])\b(?:({'|'.join(_SMALL)}|an?|\d{{1,4}})\s)?dozen\b", re.IGNORECASE)

_POINT = re.compile(r"(?<![\d.])(\d{1,9}) point (\d(?: \d){0,9}|\d{2,9})(?!\d)", re.IGNORECASE)
_SIGN_WORD = re.compile(r"(?<![\d)] )\b(?:minus|negative) (?:the )?(?=(?:\d|inf\b|sqrt|pi\b))", re.IGNORECASE)
_MIXED = re.compile(r"([a-z]+(?:-[a-z]+)?) and $", re.IGNORECASE)
_BARE_HALF = re.compile(r"(?<!one[\s-])(?<!\ba[\s-])\bhalf\b", re.IGNORECASE)


def number_words(text: str) -> Iterator[tuple[int, int, int]]:
    """The numbers written in words: value, start, end. "five and six" are two numbers, "one hundred and six" is one.

    Whole numbers below a thousand million; a bare "hundred" is 100, dozens come after the others.
    """
    for run in _RUN.finditer(text):
        yield from _split(run)
    for dozens in _DOZENS.finditer(text):
        num = (dozens[1] or "").lower()
        yield 12 * (int(num) if num.isdecimal() else _SMALL.get(num, 1)), dozens.start(), dozens.end()


def with_digits(text: str) -> str:
    """`text` with its number words as digits; "minus two" as -2 where nothing stands in front to subtract from."""
    parts, position = [], 0
    found = [(start, -end, f"{top}/{bottom}") for (top, bottom), start, end in fraction_words(text)]
    found += [(start, -end, str(value)) for value, start, end in number_words(text)]
    for start, end, digits in sorted(found):
        if start >= position:
            parts += [text[position:start], digits]
            position = -end
    return _SIGN_WORD.sub("-", _POINT.sub(_joined_digits, "".join([*parts, text[position:]])))


def _joined_digits(point: re.Match[str]) -> str:
    """3 point 1 4 as 3.14."""
    return f"{point[1]}.{point[2].replace(' ', '')}"


def fraction_words(text: str) -> Iterator[tuple[tuple[int, int], int, int]]:
    """The fractions written in words: (numerator, denominator), start, end. "two sevenths", "a half", "one third".

    "a third" counts, "a third time" cannot be told from it; "half" counts with or without an article. Mixed numbers
    ("four and a half") are one fraction.
    """
    for match in _FRACTION.finditer(text):
        count = _count(match[1].lower())
        bottom = _TENS.get((match[2] or "").lower(), 0) + _part(match[3].lower())
        if (count == 1) != bool(match[4]):
            yield _with_whole(text, count, bottom, match.start(), match.end())
    for match in _BARE_HALF.finditer(text):
        yield _with_whole(text, 1, 2, match.start(), match.end())


def ordinal_words(number: int) -> list[str]:
    """The ordinals of a small number: first, eighth; none where there is no single word."""
    named = {1: ["first"], 2: ["second"]}
    return named.get(number) or [word for word, value in _PART_WORDS.items() if value == number and word != "quarter"]


def written_out(number: str) -> str:
    """A pattern for a number in digits or, up to nineteen, as a word."""
    word = next((word for word, value in _SMALL.items() if number == str(value)), "")
    return rf"(?:{re.escape(number)}|{word})" if word else re.escape(number)


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    tens, _, ones = word.rpartition("-")
    return _TENS.get(tens, 0) + (_TENS.get(ones) or _SMALL.get(ones, 1))


def _part(word: str) -> int:
    return 2 if word == "halve" else _PART_WORDS.get(word) or _TENS_PARTS[word]


def _with_whole(text: str, top: int, bottom: int, start: int, end: int) -> tuple[tuple[int, int], int, int]:
    """The fraction, with the whole number in front of it where there is one: "four and a half" is 9/2."""
    window = max(0, start - 30)
    joined = _MIXED.search(text, window, start)
    wholes = list(number_words(joined[1])) if joined else []
    if not joined or len(wholes) != 1 or wholes[0][2] != len(joined[1]):
        return (top, bottom), start, end
    whole, first, _ = wholes[0]
    return (whole * bottom + top, bottom), joined.start(1) + first, end


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
