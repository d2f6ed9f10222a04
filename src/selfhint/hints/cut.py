"""Parts of a reference solution: the first, cut where a reader would stop, or all but the middle."""

from __future__ import annotations

import re
from collections.abc import Iterator

NEAR = 0.7
"""A cut is near when it keeps at least this share of the wanted length."""

_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？]|(?=\n)")
_WORD_END = re.compile(r"(?=\s)")
_COMMAND_AT_END = re.compile(r"\\[A-Za-z]*\Z")
_FORMULA_TOKEN = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\.|\$\$?|\n", re.DOTALL)


def solution_prefix(solution: str, share: float) -> str:
    """The first `share` of a solution's characters, or somewhat fewer; never more.

    Cut at the end of a sentence or line where one is near, else between words, both outside formulas; else between any
    words. Where the second half has no space, the cut is anywhere but inside a LaTeX command.

    Args:
        solution: τ*.
        share: 0 … 1.
    """
    solution = solution.strip()
    limit = int(len(solution) * share)
    if limit == len(solution):
        return solution
    formulas = list(_formulas(solution))
    near = int(limit * NEAR)
    sentences = _cuts(solution, _SENTENCE_END, near, limit)
    words = _cuts(solution, _WORD_END, near, limit)
    farther_words = _cuts(solution, _WORD_END, limit // 2, limit)
    for cuts in (_outside(formulas, sentences), _outside(formulas, words), farther_words):
        if cuts:
            return solution[: cuts[-1]].rstrip()
    return _COMMAND_AT_END.sub("", solution[:limit])


CUT_MARK = "\n[… {num} characters of the solution are left out here …]\n"
"""Stands where `cut_middle` cut; `{num}` is replaced."""


def cut_middle(solution: str, num_kept: int) -> str:
    """The first and the last characters of a solution, `num_kept` in all, with a visible mark between them."""
    if num_kept >= len(solution):
        return solution
    tail = num_kept // 2
    mark = CUT_MARK.replace("{num}", str(len(solution) - num_kept))
    return f"{solution[: num_kept - tail].rstrip()}{mark}{solution[len(solution) - tail :].lstrip()}"


def _cuts(text: str, pattern: re.Pattern[str], start: int, limit: int) -> list[int]:
    """Where `pattern` ends, between `start` and `limit`; it may look one character past the limit."""
    return [m.end() for m in pattern.finditer(text, start, limit + 1) if start < m.end() <= limit]


def _outside(formulas: list[tuple[int, int]], cuts: list[int]) -> list[int]:
    return [cut for cut in cuts if not any(start < cut < end for start, end in formulas)]


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Spans of `$…$` (within a line: else `$` is money), `$$…$$`, LaTeX parentheses, brackets and environments."""
    start, closer = 0, ""
    for match in _FORMULA_TOKEN.finditer(text):
        token = match.group()
        if not closer:
            start, closer = match.start(), _closer(token)
        elif token == closer:
            yield start, match.end()
            closer = ""
        elif token == "\n" and closer == "$":
            closer = ""


def _closer(token: str) -> str:
    if token.startswith("\\begin"):
        return token.replace("\\begin", "\\end", 1)
    return {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}.get(token, "")
