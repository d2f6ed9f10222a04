r"""An answer's structure as text: several values, each perhaps with a label, as in `p = 3, q = 4` or `Minimum: 1`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

MAX_PARTS = 64
"""More values than this are not taken apart."""
_OPENERS = "([{"
_CLOSERS = ")]}"
_CONNECTOR = re.compile(
    r"\\text\s*\{\s*,?\s*(?:and|or|as well as)\s*\}|(?<![a-zA-Z\\])(?:and|or)(?![a-zA-Z])"
    r"|\\(?:lor|vee|land|wedge)(?![a-zA-Z])"
)
_SEPARATOR = re.compile(r"[,;]|\n")
_GROUPING = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TIGHT = re.compile(r"(?<=\d),(?=\d)")
_FOR_ALL = re.compile(
    r"(?:,\s*)?(?:\\text\s*\{\s*,?\s*)?(?<![a-zA-Z\\])(?:for|where) (?:all|every|each|any)(?![a-zA-Z]).*$|"
    r"(?:,\s*)?\(?\s*\\forall(?![a-zA-Z]).*$"
)
_TEXT = re.compile(r"\\text\s*\{([^{}]*)\}")
_NAME = r"(?:[a-zA-Z]|\\[a-zA-Z]+)(?:_(?:\{[^{}]{1,20}\}|\w))?'*"
_LABEL = re.compile(
    rf"\s*(?:(?P<name>(?:\\angle\s*[A-Z]{{1,3}}|\|[A-Z]{{2}}\||[A-Z]{{2,3}}|\\frac\{{d\w?\}}\{{d\w\}}|{_NAME})(?:\s*\((?P<of>[^()]{{1,30}})\))?)\s*"
    r"(?:=(?!=)|\\approx(?![a-zA-Z]))"
    r"|(?P<word>(?:[a-zA-Z][a-zA-Z]+|A(?=:))(?: [a-zA-Z0-9]+){0,4})\s*[:=](?!=))\s*"
)
_SIGN = re.compile(r"\\(pm|mp)(?![a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Part:
    """One value.

    Args:
        label: what stands before it, blanks removed; None without one.
        of: a function's argument in the label, as in f(x) = …
        value: the rest.
    """

    label: str | None
    of: str | None
    value: str


def split(text: str) -> list[str]:
    """The text cut at its commas, semicolons and at "and" and "or", outside brackets; [text] where there are none."""
    text = _CONNECTOR.sub(";", text)
    tight = _TIGHT.findall(text)
    if tight and len(tight) == len(_GROUPING.findall(text)):
        text = _GROUPING.sub("", text)
    pieces, depth, begin = [], 0, 0
    for i, character in enumerate(text):
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth = max(0, depth - 1)
        elif depth == 0 and _SEPARATOR.match(character):
            pieces.append(text[begin:i])
            begin = i + 1
    pieces.append(text[begin:])
    return [piece.strip() for piece in pieces if piece.strip()]


def parts(text: str) -> tuple[Part, ...]:
    r"""The values of an answer: those of a set `\{…\}`, of a list, or the one value it is; ± stands for two."""
    text = _unbraced(_unqualified(text) if len(split(text)) == 1 else text.strip())
    found = [part for piece in split(text) for part in _signed(_part(piece))]
    if len(found) > 1 and found[0].label is not None and all(part.label is None for part in found[1:]):
        found[0] = Part(None, None, found[0].value)  # x = 1, 2, 3
    return tuple(found) if len(found) <= MAX_PARTS else ()


def spread(text: str) -> tuple[Part, ...]:
    """The parts of `(a, b) = (1, 2)` as those of `a = 1, b = 2`; empty where the text is not of that form."""
    sides = _unqualified(text).split("=")
    if len(sides) != 2 or not all(side.strip().startswith("(") and side.strip().endswith(")") for side in sides):
        return ()
    names, values = (split(side.strip()[1:-1]) for side in sides)
    if len(names) != len(values) or len(names) < 2:
        return ()
    return tuple(_part(f"{name} = {value}") for name, value in zip(names, values, strict=True))


def _unqualified(text: str) -> str:
    """Without "for all …" at its end, which says nothing that the answer's formula does not."""
    match = _FOR_ALL.search(text)
    return text.strip() if match is None or not text[: match.start()].strip() else text[: match.start()].strip()


def _part(piece: str) -> Part:
    piece = _unqualified(piece)
    match = _LABEL.match(_TEXT.sub(r"\1", piece) if piece.startswith("\\text") else piece)
    if match is None or not (value := match.string[match.end() :].strip()):
        flipped = re.fullmatch(rf"([-+]?[\d./]+)\s*=\s*({_NAME})", piece)
        return Part(flipped[2], None, flipped[1]) if flipped else Part(None, None, piece)
    label = match["name"] or match["word"]
    return Part("".join(label.split()), match["of"], value)


def _signed(part: Part) -> list[Part]:
    r"""Both values of ±; several signs are independent unless one is ∓."""
    signs = _SIGN.findall(part.value)
    if not 0 < len(signs) <= 3:
        return [part]
    if "mp" in signs:
        choices = [tuple(sign if kind == "pm" else "+-"["+-".index(sign) - 1] for kind in signs) for sign in "+-"]
    else:
        choices = list(product("+-", repeat=len(signs)))
    values = []
    for choice in choices:
        value = part.value
        for sign in choice:
            value = _SIGN.sub(sign, value, count=1)
        values.append(Part(part.label, part.of, value))
    return values


def _unbraced(text: str) -> str:
    for begin, end in ((r"\{", r"\}"), ("{", "}")):
        if text.startswith(begin) and text.endswith(end) and len(text) > len(begin) + len(end):
            inner = text[len(begin) : -len(end)]
            if _balanced(inner) and not re.search(r"[|:]|\\mid(?![a-zA-Z])", inner):
                return inner.strip()
    return text


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if depth < 0:
            return False
    return depth == 0
