"""Multiple choice: a letter, or the text of an option."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from selfhint.core.group import Verdict
from selfhint.verify.boxed import last_boxed
from selfhint.verify.kinds.base import MAX_TEXT, Request
from selfhint.verify.latex import tidy
from selfhint.verify.reasons import CORRECT, GOLD_UNREADABLE, MATCH, MISMATCH, NO_ANSWER
from selfhint.verify.text import as_text, tagged

LETTERS = "ABCDEFGHIJ"

_OBJECT = re.compile(r"\s*\{\s*\"")
_MARKUP = re.compile(r"\\(?:text\w*|mathrm|mathbf|operatorname)\s*(?=\{)|[{}$*]|\\[()\[\],;:! ]")
_ALONE = re.compile(r"[\[(]?\s*([A-Ja-j])\s*[\])]?\s*[.:,]?")
_LEADING = re.compile(
    r"(?:option|choice|answer)?\s*(?:\(\s*([A-J])\s*\)|\[\s*([A-J])\s*\]|([A-J])\s*(?:[.:),;。、，：]|\n|$|-\s))",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?i:answers?|choices?|options?)\b(?i:[\s:*=]|\b(?:is|must|be|would|should|thus|for sure|clearly|correct|final"
    r"|choice|option|letter|the|therefore|definitely|probably)\b){0,12}?"
    r"[\s:*(\[]([A-J])(?![\w'’])(?!\s+[a-z]{2,}\s+[a-z])"
)
_TOLD = re.compile(r"\banswers?\b[^.:\n]{0,60}?(?:\bis\b\s?:?|:)[ \t]*(?=\S)", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:^|(?<=[.!?。]))[ \t]*+(?:(?:option|choice|answer)[ \t]*+)?"
    r"(?:\(\s?([A-J])\s?\)|\[\s?([A-J])\s?\]|([A-J])[ \t]?(?:[.:),;。、，：]|-\s))(?=\s*+\S)",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL = re.compile(r"\s*\(?[A-J]\)?(?:\s*(?:[,;&/]|\band\b|\bor\b)\s*\(?[A-J]\)?)+\s*\.?\s*")
_STANDING = re.compile(r"(?<![\w'’])([A-J])(?![\w'’])")
_WORD_A = re.compile(r"A\s+[a-z]|I\s+[a-z']")
_END = re.compile(r"(?<=[.!?])(?=\s)")
_NOT = re.compile(r"(?:\bnot|n't|不是)\s*(?:be\s+)?(?:option\s+)?\(?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChoiceKind:
    r"""A prediction picks the gold's option, by its letter (A to J) or by its text.

    The gold is a letter, an option's text, or an object {"answer": …, "options": […]}, as JSON or as it stands, whose
    answer is a letter, a text, or an index from 0 on. Without options a letter answers only a letter. The last box
    counts; without one the letter or option that "answer is" announces last, a letter that the text begins with, or the
    last that stands alone. Letters that head lines or sentences one after another are a list of the options.
    """

    name = "choice"

    def quick(self, gold: object, prediction: str) -> Verdict:
        """The verdict."""
        prediction = tagged(prediction)
        answer, options = _gold(gold)
        if not answer or (options and _index(answer, options) is None):
            return _verdict(GOLD_UNREADABLE, None)
        box = last_boxed(prediction)
        text = prediction[-MAX_TEXT:].strip() if box is None else box[:MAX_TEXT]
        picked = _picked(text, options, whole=box is not None, letters=bool(options) or _letter(answer) is not None)
        if picked is None:
            return _verdict(NO_ANSWER, None)
        if options:
            same = _index(picked, options) == _index(answer, options)
        elif (letter := _letter(answer)) is not None:
            same = _letter(picked) == letter
        else:
            same = _comparable(picked) == _comparable(answer)
        return _verdict(MATCH if same else MISMATCH, picked)

    def canary(self) -> tuple[tuple[Request, str], ...]:
        """No worker is ever asked."""
        return ()


def with_options(answer: object, options: object) -> object:
    """A gold answer and its options, from two columns, as the one gold that `ChoiceKind` reads; the answer alone
    where the second column is empty.
    """
    return {"answer": answer, "options": options} if options else answer


def _gold(gold: object) -> tuple[str, tuple[str, ...]]:
    """The answer, and the options' texts in order, where the gold gives them."""
    if isinstance(gold, str) and _OBJECT.match(gold):
        try:
            gold = json.loads(gold)
        except (ValueError, RecursionError):
            return "", ()
    if not isinstance(gold, Mapping):
        return as_text(gold).strip(), ()
    options = gold.get("options", ())
    if isinstance(options, Mapping):
        options = [options[name] for name in sorted(options, key=str)]
    if not isinstance(options, list | tuple) or not 0 < len(options) <= len(LETTERS):
        return "", ()
    answer = gold.get("answer")
    is_text = any(type(option) is int and option == answer for option in options)
    if isinstance(answer, int) and not isinstance(answer, bool) and not is_text:
        answer = LETTERS[answer] if 0 <= answer < len(options) else ""
    return as_text(answer).strip(), tuple(as_text(option).strip() for option in options)


def _picked(text: str, options: tuple[str, ...], whole: bool, letters: bool) -> str | None:
    """The letter, or else the text, that a box or a running text picks."""
    plain = _MARKUP.sub(" ", text).strip()
    if not letters or _index_of_text(plain, options) is not None or _SEVERAL.fullmatch(plain):
        return plain or None
    if (match := _ALONE.fullmatch(plain)) is not None:
        return match[1].upper()
    if not whole and (said := _told(plain, options)) is not None:
        return said
    listed = _listed(plain)
    leading = _leading(plain, listed)
    if leading is not None and (whole or not _ANNOUNCED.search(plain)):
        return leading
    if whole:
        letter = re.match(r"([A-J])\s+\S", plain)
        return letter[1] if letter and not options else plain or None
    announced = list(_ANNOUNCED.finditer(plain))
    if announced:
        return announced[-1][1]
    lines = [line for line in plain.splitlines() if line.strip()]
    if lines and _index_of_text(lines[-1], options) is not None:
        return lines[-1].strip()
    standing = [
        m
        for m in _STANDING.finditer(plain)
        if m.start() not in listed and not _WORD_A.match(plain, m.start()) and not _NOT.search(plain, 0, m.start())
    ]
    return standing[-1][1] if standing else None


def _listed(text: str) -> set[int]:
    """Where letters stand that head lines or sentences in one form, as A. and B. do: options gone through in order.

    None of them is what the text picks. A letter that alone heads anything is no list.
    """
    headings: dict[str, list[re.Match[str]]] = {}
    for match in _HEADING.finditer(text):
        headings.setdefault(text[match.end(match.lastindex or 0) : match.end()].strip(), []).append(match)
    lists = [matches for matches in headings.values() if len(set(map(_letter_of, matches))) > 1]
    return {match.start(match.lastindex or 0) for matches in lists for match in matches}


def _leading(text: str, listed: set[int]) -> str | None:
    """The letter that a text begins with, unless it is the first of a list."""
    match = _LEADING.match(text)
    return None if match is None or match.start(match.lastindex or 0) in listed else _letter_of(match)


def _letter_of(match: re.Match[str]) -> str:
    """The one letter that a pattern's groups hold, whichever of them it is."""
    return match[match.lastindex or 0].upper()


def _told(text: str, options: tuple[str, ...]) -> str | None:
    """The option's text, or the letter alone, that the last "answer is" or "answer:" announces; None where a letter is
    announced behind it.
    """
    matches = list(_TOLD.finditer(text))
    if not matches or _ANNOUNCED.search(text, matches[-1].end()):
        return None
    said = text[matches[-1].end() :].partition("\n")[0].strip()
    sentence = _END.split(said)[0]
    picked = next((each for each in (said, sentence) if _index_of_text(each, options) is not None), None)
    if picked is not None:
        return picked
    letter = _ALONE.fullmatch(sentence)
    cut_off = sentence.lower() in ("a", "i") and text.endswith(said)  # "the answer is a", and no more of it
    return None if letter is None or cut_off else letter[1].upper()


def _index(answer: str, options: tuple[str, ...]) -> int | None:
    """Which option an answer is; its text goes before its letter, as with the options C, A, B."""
    by_text = _index_of_text(answer, options)
    if by_text is not None:
        return by_text
    letter = _letter(answer)
    if letter is None or LETTERS.index(letter) >= len(options):
        return None
    return LETTERS.index(letter)


def _index_of_text(answer: str, options: tuple[str, ...]) -> int | None:
    wanted = _comparable(answer)
    return next((i for i, option in enumerate(options) if wanted and _comparable(option) == wanted), None)


def _letter(answer: str) -> str | None:
    r"""The letter of "C", "(C)", "C. text" and "\text{C}"."""
    plain = _MARKUP.sub(" ", answer).strip()
    if _SEVERAL.fullmatch(plain):
        return None
    match = _ALONE.fullmatch(plain) or _LEADING.match(plain) or re.match(r"(?:.*\n)?\s*([A-J])\s+\S", plain)
    return _letter_of(match) if match and match.start(match.lastindex or 0) not in _listed(plain) else None


def _comparable(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", tidy(text[:MAX_TEXT])).casefold().split()).rstrip(".")


def _verdict(reason: str, extracted: str | None) -> Verdict:
    return Verdict.of(CORRECT[reason], extracted=extracted, reason=reason)
