r"""What a problem's text says, apart from how it is written: spacing, case, LaTeX spelling, digits or number words.

Texts with equal tokens are the same text. Nearly equal ones are compared by shingles, runs of `SHINGLE` tokens. Numbers
are kept apart too, because a template filled with other numbers is another problem.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from selfhint.data.overlap.spelling import (
    CHARACTERS,
    COMMANDS,
    GLUED_FRACTION,
    GROUPING,
    LABEL,
    LOWERED,
    NO_MEANING,
    QUANTITIES,
    RAISED,
    TEXT,
    WORDS,
)

SHINGLE = 3
"""Tokens in a shingle. Published decontamination takes runs of 8 to 13 words of whole documents; problems have some 20
to 60 words, of which a renamed person or three typing errors leave few runs of eight whole."""

_TOKEN = re.compile(
    r"\\[a-zA-Z]+|\d+(?:\.\d+)?|\.\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[.?](?=\s|$)|(?<=\b[a-zA-Z])'+|(?<=[)}\]])'+"
    r"|_+|[^\w\s.?'\"\\]"
)
"""A command, a number, a word, the end of a sentence, a derivative's primes, or any sign but quotes."""
STOP = "."
"""The end of a sentence."""
_DIGITS = frozenset("0123456789.")
_COMMAS = frozenset(",:;")
_PAUSES = _COMMAS | frozenset("_'{}")
_NO_WORDS = _PAUSES | frozenset("()[]")
"""First characters of tokens that count where texts must be the same, and not among the words."""
_UNSEEN = re.compile(
    "[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff\\ufffd\\ud800-\\udfff]"
)
"""Format characters, variation selectors, and what stands for a lost character."""
_HYPHEN = re.compile(r"(?<=\w)-(?=[^\W\d_]{2})|(?<=[^\W\d_]{2})-(?=\w)")
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
"""Scripts without blanks between words: each character is a token."""
_MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$|\\\((?:(?!\\\().)+?\\\)|(?<!\\)\\\[(?:(?!\\\[).)+?\\\]", re.DOTALL)
"""Formulas. None holds what begins one, so that a text of openings alone is read once and not once for each."""
_WORDS_IN_MATHS = re.compile(
    r"(\\(?:text(?:bf|it|rm|sf|tt|normal)?|mbox|mathrm|operatorname\*?|hbox)\s*\{[^{}]*\}|\\[a-zA-Z]+)"
)
_VARIABLE = re.compile(r"([a-zA-Z])(?=[a-zA-Z])")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")
NAME = "<name>"
"""No token. What every name becomes among the words, so that renamed persons leave the shingles whole."""
MOST_NAMES = 0.3
"""Share of names among the words from which on capitals mean something else, as in German."""
_PROSE = re.compile(r"(?<![\\a-zA-Z])(?:[a-zA-Z]{4,}|and|but|for|her|his|its|per|she|the|was)(?![a-zA-Z])")
"""What stands between the dollar signs of two prices, and not in a formula."""


def _apart(maths: re.Match[str]) -> str:
    """A formula with its variables apart: jx and j x are the same product."""
    parts = _WORDS_IN_MATHS.split(maths[0])
    if any(map(_PROSE.search, parts[::2])):
        return maths[0]
    return "".join(part if i % 2 else _VARIABLE.sub(r"\1 ", part) for i, part in enumerate(parts))


def _tokens(text: str) -> list[str]:
    """The words, numbers, commands and signs of a text, each in one spelling, and `STOP`s."""
    if not text.isascii():
        text = LOWERED.sub(_in_braces("_"), RAISED.sub(_in_braces("^"), text.translate(CHARACTERS)))
        text = unicodedata.normalize("NFKC", text).translate(CHARACTERS)
        text = _CJK.sub(r" \1 ", text)
    label = LABEL.match(text)
    if label is not None:
        text = text[label.end() :]
    text = GROUPING.sub("", text)
    if "$" in text or "\\" in text:
        text = _MATHS.sub(_apart, text)
        text = NO_MEANING.sub(" ", GLUED_FRACTION.sub(r"\\frac{\1}{\2}", TEXT.sub(r" \1 ", text)))
    tokens = [token for spelling in _TOKEN.findall(_HYPHEN.sub(" ", text)) if (token := _one_spelling(spelling))]
    return _without_idle_braces(tokens) if "{" in tokens else tokens


def _in_braces(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda run: f"{sign}{{{unicodedata.normalize('NFKC', run[0]).translate(CHARACTERS)}}} "


def _without_idle_braces(tokens: Sequence[str]) -> list[str]:
    """Without braces around one token or none: x^{2} is x^2, and 2^{3+1} is not 2^3+1."""
    kept: list[str | None] = list(tokens)
    open_braces: list[tuple[int, int]] = []
    num_inside = 0
    for i, token in enumerate(tokens):
        if token == "{":
            open_braces.append((i, num_inside))
            num_inside = 0
        elif token == "}" and open_braces:
            start, num_before = open_braces.pop()
            if num_inside < 2:
                kept[start] = kept[i] = None
            num_inside += num_before
        else:
            num_inside += 1
    return [token for token in kept if token is not None]


def tokens_of(text: str) -> list[str]:
    """The words, numbers, commands, operators and brackets of a text, each in one spelling."""
    return [token for token in _tokens(text) if token != STOP and token[0] not in _PAUSES]


def _one_spelling(token: str) -> str:
    first = token[0]
    if first == "\\":
        command = token[1:]
        return COMMANDS.get(command, command).casefold()
    if first in _DIGITS:
        if "." not in token:
            return token
        return STOP if token == "." else token.rstrip("0").rstrip(".") or "0"
    if first == "_":
        return first
    if first == "'":
        return token
    if not first.isascii() and _UNSEEN.match(first):
        return ""
    word = token.replace("'", "").casefold() if len(token) > 1 else token.casefold()
    return WORDS.get(word, word)


def is_number(token: str) -> bool:
    """Whether a token is a number or a word that stands for one."""
    return (token[0] in _DIGITS and token != STOP) or token in QUANTITIES


def is_word(token: str) -> bool:
    """Whether a token is more than a variable, a number or a sign."""
    return token.isalpha() and (len(token) > 1 or _CJK.match(token) is not None)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared.

    Args:
        text: its tokens, letters joined; the text itself where that is a drawing. Two texts with the same one are the
            same text.
        words: its tokens without brackets and punctuation, `NAME` for each word that is a name.
        numbers: the numbers, and words that stand for one, of each sentence that has some, in order.
        shingles: hashes (32 bits) of the runs of `SHINGLE` words; of all words where there are fewer.
    """

    text: str
    words: tuple[str, ...]
    numbers: tuple[tuple[str, ...], ...]
    shingles: frozenset[int]

    @classmethod
    def of(cls, text: str) -> Reading:
        """Reads a problem's text."""
        with_stops = _tokens(text)
        names = _names(text, len(with_stops))
        tokens = [token for token in with_stops if token != STOP]
        words = tuple(NAME if token in names else token for token in tokens if token[0] not in _NO_WORDS)
        return cls(
            text=text if not tokens or _is_drawn(tokens) else _joined(tokens),
            words=words,
            numbers=tuple(filter(None, _by_sentence(with_stops))),
            shingles=frozenset(shingle(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))),
        )


MOST_SIGNS = 30
"""Signs that a formula may have, however few letters it has."""


def _is_drawn(tokens: Sequence[str]) -> bool:
    """Whether most of a text is signs, as in a board or a program: its blanks and dots count."""
    if len(tokens) <= MOST_SIGNS:
        return False
    num_signs = sum(not token[0].isalnum() for token in tokens)
    return num_signs > MOST_SIGNS and 2 * num_signs >= len(tokens)


def _joined(tokens: Sequence[str]) -> str:
    """Single letters meet, since $jx$ is $j x$ and ABC is $ABC$; nothing else does, since 1 23 is not 12 3.

    A comma, colon or semicolon counts between values and not beside a word.
    """
    joined = [""]
    was_letter = False
    for token in tokens:
        is_letter = len(token) == 1 and token.isalpha()
        if is_letter and was_letter:
            joined[-1] += token
        else:
            joined.append(token)
        was_letter = is_letter
    triples = zip(joined, joined[1:], (*joined[2:], ""), strict=False)
    return " ".join(
        token for before, token, after in triples if token not in _COMMAS or not (is_word(before) or is_word(after))
    )


def _names(text: str, num_tokens: int) -> frozenset[str]:
    found = _NAME.findall(text)
    return frozenset(map(str.casefold, found)) if len(found) <= MOST_NAMES * num_tokens else frozenset()


def _by_sentence(with_stops: Sequence[str]) -> Iterator[tuple[str, ...]]:
    numbers: list[str] = []
    for token in with_stops:
        if token == STOP:
            yield tuple(numbers)
            numbers = []
        elif is_number(token):
            numbers.append(token)
    yield tuple(numbers)


def shingle(words: Sequence[str]) -> int:
    """Hash (32 bits) of a run of words."""
    return zlib.crc32(" ".join(words).encode("utf-8", "surrogatepass"))


MAX_DIGITS = 40
MOST_UNITS = 8
"""Words that may stand beside a number; of a longer answer, such as an entry of a generated task, they are part."""
CURRENCY = "Sc"
"""Unicode's category."""
_FORMULA = frozenset({"frac", "sqrt", "pi", "sin", "cos", "tan", "log", "ln", "infty", "cup", "circ", "percent"})
"""What reads like a word and is part of a value."""
_LETTER = re.compile(r"(?:\( )?[a-j](?: \))?")


def answer_form(answer: str) -> str:
    r"""An answer in one spelling, to tell whether two problems ask the same: 18, $18 and 18 dollars are one.

    A few words beside a number are left out, and numbers and plain fractions become their value. It is no verdict: what
    no verifier would call equal may share a form (5x and 5y).
    """
    if answer.isascii() and answer.isdigit() and len(answer) <= MAX_DIGITS:
        return str(int(answer))
    tokens = [token for token in tokens_of(answer) if unicodedata.category(token[0]) != CURRENCY]
    formula = [token for token in tokens if not token.isalpha() or token in _FORMULA or is_number(token)]
    if not any(map(is_number, formula)) or len(tokens) - len(formula) > MOST_UNITS:
        return " ".join(tokens)
    value = _value([token for token in formula if token not in _NO_WORDS])
    return " ".join(formula) if value is None else str(value)


def is_option(form: str) -> bool:
    """Whether an answer is the letter of a choice."""
    return _LETTER.fullmatch(form) is not None


def _value(formula: Sequence[str]) -> Fraction | None:
    """The value of a number or a plain fraction."""
    sign = -1 if formula[0] == "-" else 1
    match formula[1:] if sign < 0 else formula:
        case [number] if _is_plain(number):
            return sign * Fraction(number)
        case [above, "/", below] | ["frac", above, below] if _is_plain(above) and _is_plain(below) and Fraction(below):
            return sign * Fraction(above) / Fraction(below)
    return None


def _is_plain(token: str) -> bool:
    """A number in digits that is short enough to calculate with."""
    return token[0] in _DIGITS and len(token) <= MAX_DIGITS
