"""When two problems are nearly the same: the same words but for a few, the same numbers, the same answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain

from selfhint.data.overlap.reading import NAME, SHINGLE, Reading, answer_form, is_number, is_option, is_word, shingle

CONTAINMENT = 0.6
"""Least share of the shorter text's shingles that the longer one has too, where the answers agree. Between GSM8K, MATH
and eight benchmarks the pairs that a reader calls the same reach 0.76 or more, all others at most 0.58."""
CONTAINMENT_ALONE = 0.8
"""The same where the answers say nothing: one is missing, or the letter of a choice."""
NUMBER = "<number>"
"""No word: what every number becomes where only its surroundings count."""
MIN_SHINGLES = 8
MIN_SHINGLES_WHOLE = 4
"""Shorter texts are too alike by nature; from the lower number on one counts that is in the other as a whole."""
MIN_WORDS = 5
"""Two formulas may differ in one letter only: what is to be nearly the same must say something in words."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A problem as it is compared with others.

    Args:
        reading: its text.
        answer: `answer_form` of its answer; None where it has none.
    """

    reading: Reading
    answer: str | None

    @classmethod
    def of(cls, problem: str, answer: str | None) -> Compared:
        """Reads a problem's text and answer."""
        return cls(Reading.of(problem), None if answer is None else answer_form(answer))


def containment(a: Reading, b: Reading) -> float:
    """Share of the shorter text's shingles that the other one has too, from 0 to 1."""
    return len(a.shingles & b.shingles) / min(len(a.shingles), len(b.shingles))


def same_answer(a: Compared, b: Compared) -> bool | None:
    """Whether the answers agree; None where that says nothing: one is missing or only one a choice's letter, or both
    are the same letter, as one in ten is by chance.
    """
    if a.answer is None or b.answer is None or is_option(a.answer) != is_option(b.answer):
        return None
    return (None if is_option(a.answer) else True) if a.answer == b.answer else False


def nearly_same_text(a: Reading, b: Reading) -> float | None:
    """The containment, or None: the texts are too short to tell, or neither has all numbers and signs of the other."""
    share = containment(a, b)
    shortest = min(len(a.shingles), len(b.shingles))
    if shortest < (MIN_SHINGLES if share < 1 else MIN_SHINGLES_WHOLE):
        return None
    if share < 1 and min(sum(map(is_word, text.words)) for text in (a, b)) < MIN_WORDS:
        return None
    return share if _signs_agree(a, b) and _numbers_agree(a, b) else None


def _signs_agree(a: Reading, b: Reading) -> bool:
    """Whether one text has each operator of the other, as often."""
    one, other = (Counter(word for word in text.words if not word[-1].isalnum() and word != NAME) for text in (a, b))
    return one <= other or other <= one


def _numbers_agree(a: Reading, b: Reading) -> bool:
    """Whether one text has the numbers of the other in order, or else sentence by sentence and in the same places.

    The latter is how sentences in another order look; two numbers that changed places look otherwise.
    """
    fewer, more = sorted((a, b), key=lambda reading: sum(map(len, reading.numbers)))
    numbers = chain(*more.numbers)
    if all(number in numbers for number in chain(*fewer.numbers)):
        return True
    return not Counter(fewer.numbers) - Counter(more.numbers) and not _is_displaced(fewer, more)


def _is_displaced(text: Reading, other: Reading) -> bool:
    """Whether a number's surroundings are found in the other text, but only around other numbers."""
    places = {_masked(run) for run in _runs(other)}
    all_runs = _runs(text)
    for i, word in enumerate(text.words):
        if is_number(word):
            runs = all_runs[max(0, i - SHINGLE + 1) : i + 1]
            if not any(shingle(run) in other.shingles for run in runs) and any(_masked(run) in places for run in runs):
                return True
    return False


def _runs(reading: Reading) -> list[tuple[str, ...]]:
    return [reading.words[i : i + SHINGLE] for i in range(len(reading.words) - SHINGLE + 1)]


def _masked(run: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(NUMBER if is_number(word) else word for word in run)


def is_near(a: Compared, b: Compared) -> bool:
    """Whether two problems are near-duplicates. Symmetric."""
    share = nearly_same_text(a.reading, b.reading)
    agree = same_answer(a, b)
    return share is not None and agree is not False and share >= (CONTAINMENT if agree else CONTAINMENT_ALONE)
