"""Oddities of a text: characters lost, decoded wrongly, unseen, or of another script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable

SHOWN = 20
"""Characters shown around what was seen."""
OTHER_SCRIPT_SHARE = 0.3
"""Share of a text's letters from which it is written in another script; quoted words stay below."""


def _as_decoded(first: int, last: int) -> str:
    """Bytes as Windows-1252 reads them, or Latin-1 where that has no character; for a character class."""
    read = set()
    for byte in range(first, last + 1):
        raw = bytes([byte])
        read |= {raw.decode("latin-1"), raw.decode("cp1252", "ignore") or raw.decode("latin-1")}
    return re.escape("".join(sorted(read)))


_CONTINUES = _as_decoded(0x80, 0xBF)
_MOJIBAKE = re.compile(
    rf"[{_as_decoded(0xC2, 0xDF)}][{_CONTINUES}]|[{_as_decoded(0xE0, 0xEF)}][{_CONTINUES}]{{2}}"
    rf"|[{_as_decoded(0xF0, 0xF4)}][{_CONTINUES}]{{3}}"
)
"""A whole character of UTF-8 as it looks when its bytes are read as characters."""
_BROKEN_LATEX = re.compile(
    r"\x0c(?=rac|orall|rown|loor)|\x08(?=eta|egin|inom|oxed|ar\b|ig|mod)|\t(?=heta|imes|ext|frac|riangle|an\b|au\b)"
    r"|\r(?=ho\b|ight|angle|ceil|floor)|\x0b(?=ec|ert|arphi|dots)|\x07(?=lpha|ngle|pprox|st)|\n(?=abla|eq\b)"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_OUR_SCRIPTS = (
    "LATIN GREEK MATHEMATICAL DOUBLE-STRUCK SCRIPT BLACK-LETTER FULLWIDTH MICRO OHM KELVIN ANGSTROM FEMININE MASCULINE "
    "MODIFIER SUPERSCRIPT SUBSCRIPT TURNED INCREMENT PLANCK INFORMATION"
)
"""First words of the Unicode names of letters that stand in English text and in formulas."""


def replacement_character(text: str) -> str | None:
    """Where U+FFFD stands."""
    place = text.find("\ufffd")
    return None if place < 0 else _around(text, place, place + 1)


def mojibake(text: str) -> str | None:
    """Where UTF-8 was read as Windows-1252 or Latin-1."""
    return _first(_MOJIBAKE, text) if not text.isascii() else None


def broken_latex(text: str) -> str | None:
    """Where a backslash and a letter became a control character, and the rest of a command follows."""
    return _first(_BROKEN_LATEX, text)


def control_characters(text: str) -> str | None:
    """Where a character stands that nobody sees and that is no space."""
    return _first(_CONTROL, _BROKEN_LATEX.sub("", text))


def other_script(text: str) -> str | None:
    """The script of a text of which much is in another than Latin."""
    if text.isascii():
        return None
    scripts = scripts_of(text)
    num_letters = sum(map(str.isalpha, text))
    script, num = scripts.most_common(1)[0] if scripts else ("", 0)
    if not num or scripts.total() < OTHER_SCRIPT_SHARE * num_letters:
        return None
    return f"{script.capitalize()}, {100 * num / num_letters:.0f} % of its letters"


def scripts_of(text: str) -> Counter[str]:
    """How many letters are of which other script than Latin and Greek; mathematical letters do not count."""
    ours = _OUR_SCRIPTS.split()
    letters = (character for character in text if not character.isascii() and character.isalpha())
    scripts = (unicodedata.name(letter, "UNNAMED").split()[0] for letter in letters)
    return Counter(script for script in scripts if script not in ours)


TEXT_CHECKS: dict[str, Callable[[str], str | None]] = {
    "replacement_character": replacement_character,
    "mojibake": mojibake,
    "broken_latex": broken_latex,
    "control_characters": control_characters,
    "other_script": other_script,
}
"""Kind of finding → what sees it in one text: what it saw, or None."""


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return None if match is None else _around(text, match.start(), match.end())


def _around(text: str, begin: int, end: int) -> str:
    return ascii(text[max(0, begin - SHOWN) : end + SHOWN])
