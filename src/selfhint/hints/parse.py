"""Reads the JSON answer to a hint request as models really write it. No evaluation, one pass over the text.

The reader looks for the keys `"level_N"` themselves, so that fences, prose around the object, further keys, nesting and
a cut-off end need no rule of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selfhint.hints.reasons import Refused

_THINK, _END_THINK = "<think>", "</think>"
_KEY = re.compile(r'["“]\s*level_([0-9]{1,3})\s*["”]\s*[:：]\s*')
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"|“([^”]*+)”', re.DOTALL)
_AFTER_VALUE = re.compile(r"(?:\s|\\n)*+(?:[,，}]|$)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([A-Za-z]+)|(.))", re.DOTALL)
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

_COMMANDS = """
nabla natural ncong ne nearrow neg neq newline nexists ngeq ngtr nleq nless nmid nolimits nonumber normalsize not notag
notin nparallel nprec nsim nsubseteq nsucc nsupseteq nu nwarrow
rangle rbrace rbrack rceil rfloor rho right rightarrow rightharpoonup rightleftharpoons rm root rvert rVert
tag tan tanh tau tbinom text textbf textit textrm textsf texttt textstyle tfrac therefore theta thickapprox thicksim
thinspace tilde times tiny to top triangle triangledown triangleleft triangleright tt twoheadrightarrow
"""
_LATEX_COMMANDS = frozenset(_COMMANDS.split())
"""LaTeX commands that begin with n, r or t: after a backslash JSON would read newline, return or tab."""

_JSON_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def after_thinking(text: str) -> str | None:
    """What stands behind a reasoning model's thoughts; None where the thoughts never end."""
    text = text.rpartition(_END_THINK)[2]
    return None if _THINK in text else text


def parse_levels(text: str, levels: Iterable[int]) -> dict[int, str | Refused]:
    """The hint of each level in the best object of `text`: the one with most texts, the last of equals.

    Args:
        text: what the policy wrote.
        levels: the levels wanted.

    Returns:
        A text, stripped, for each level, or why there is none: unparsable, missing_level, not_a_string.
    """
    answer = after_thinking(text) or ""
    if not _KEY.search(answer):
        answer = re.sub(r'\\(["\\])', r"\1", answer)  # the object came as the content of a JSON string
    best: dict[int, str | Refused] = {}
    for candidate in _objects(answer):
        if _rank(candidate) >= _rank(best):
            best = candidate
    return {level: best.get(level, Refused("missing_level" if best else "unparsable")) for level in levels}


def _rank(candidate: dict[int, str | Refused]) -> tuple[int, int]:
    return sum(isinstance(value, str) for value in candidate.values()), len(candidate)


def _objects(text: str) -> Iterator[dict[int, str | Refused]]:
    """Runs of level keys; a key straight behind a brace begins a new one. A key given twice keeps its last value."""
    values: dict[int, str | Refused] = {}
    position = 0
    while key := _KEY.search(text, position):
        if text[position : key.start()].rstrip().endswith("{") and values:
            yield values
            values = {}
        value = _STRING.match(text, key.end())
        position = value.end() if value else key.end()
        values[int(key[1])] = _value(text, key.end(), value)
        if value is None and text[position : position + 1] in ('"', "“"):
            break  # the answer was cut off inside this value
    if values:
        yield values


def _value(text: str, start: int, value: re.Match[str] | None) -> str | Refused:
    if value is None:
        cut_off = text[start : start + 1] in ('"', "“", "")
        return Refused("unparsable" if cut_off else "not_a_string")
    if not _AFTER_VALUE.match(text, value.end()):
        return Refused("unparsable")
    return unescape(value[1] if value[1] is not None else value[2])


def unescape(text: str) -> str:
    r"""The content of a JSON string in which the model may have left LaTeX backslashes single.

    `\\` and `\"` are escapes. `\uXXXX` is a character. `\b` and `\f` are always LaTeX (\beta, \frac). `\n`, `\r` and
    `\t` are white space unless the letters there spell a LaTeX command (\nabla, \rho, \theta). Any other backslash is
    kept. Control characters go; half a surrogate pair becomes U+FFFD.
    """
    text = _ESCAPE.sub(_unescape_one, text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _UNWANTED.sub("", text.replace("\r\n", "\n")).strip()


def _unescape_one(match: re.Match[str]) -> str:
    code, letters, sign = match.groups()
    if code:
        return chr(int(code, 16))
    if letters:
        if letters in _LATEX_COMMANDS or letters[0] not in _JSON_ESCAPES:
            return match.group()
        return _JSON_ESCAPES[letters[0]] + letters[1:]
    return sign if sign in '"\\/' else match.group()
