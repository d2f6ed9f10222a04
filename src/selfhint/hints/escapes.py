r"""JSON escapes against LaTeX: in a model's string `\n` may begin a new line or `\nabla`."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([A-Za-z]+)|(.))", re.DOTALL)
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufeff]")

_COMMANDS = """
nabla natural ncong ne nearrow neg negthinspace neq newcommand newline nexists ngeq ngtr nicefrac nleq nless nmid
nolimits nonumber norm normalsize not notag notin nparallel nprec nsim nsubseteq nsucc nsupseteq ntriangleleft
ntriangleright nu nvdash nwarrow
raisebox rangle rank rbrace rbrack rceil ref restriction rfloor rhd rho right rightarrow rightharpoondown
rightharpoonup rightleftarrows rightleftharpoons rightrightarrows rightsquigarrow rm root rtimes rule rvert rVert
tag tan tanh tau tbinom text textbf textcolor textit textnormal textrm textsc textsf textstyle texttt textup tfrac
therefore theta thickapprox thicksim thickspace thinspace tilde times tiny to top tr triangle triangledown triangleleft
triangleq triangleright tt twoheadrightarrow
"""
_LATEX_COMMANDS = frozenset(_COMMANDS.split())
"""LaTeX commands that begin with n, r or t: after a backslash JSON would read newline, return or tab."""

_JSON_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

_AS_A_LINE = {
    "nu": re.compile("-sub"),
    "ne": re.compile("[)^_.,:;]| ?="),
    **dict.fromkeys(("nless", "nmid", "nexists", "nparallel"), re.compile("-[a-z]| [a-z]{2}")),
}
r"""Commands that may be a line end and a letter or a word ("u = x", "e.g.", "less obvious", "mid-point"), and what no
command but the rest of such a line has behind it."""

_LINE_IS_OVER = re.compile(r"(?<!\\)[.:;?]$|\\[nr]$")
_FORMULA_IS_OVER = re.compile(r"[)}\]$]")
_DOUBLED = re.compile(r"(?<!\\)\\\\[A-Za-z]{2}")
r"""`\\frac`: whoever writes it escapes LaTeX, so that a single backslash is rather JSON's."""


def unescape(text: str) -> str:
    r"""The content of a quoted string in which the model may have left LaTeX backslashes single.

    `\\` and an escaped quote are escapes. `\uXXXX` is a character. `\b` and `\f` are always LaTeX (\beta, \frac). `\n`,
    `\r` and `\t` are white space unless the letters there spell a LaTeX command (\nabla, \rho, \theta) that does not
    read better as a line end. Any other backslash is kept. Control characters and byte order marks go; half a surrogate
    pair becomes U+FFFD.
    """
    doubles = bool(_DOUBLED.search(text))
    text = _ESCAPE.sub(lambda match: _unescape_one(match, doubles), text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _UNWANTED.sub("", text.replace("\r\n", "\n")).strip()


def _unescape_one(match: re.Match[str], doubles: bool) -> str:
    code, letters, sign = match.groups()
    if code:
        return chr(int(code, 16))
    if letters:
        is_command = letters in _LATEX_COMMANDS and not _is_line_end(match, doubles)
        if is_command or letters[0] not in _JSON_ESCAPES:
            return match.group()
        return _JSON_ESCAPES[letters[0]] + letters[1:]
    return sign if sign in "\"'\\/\n" else match.group()


def _is_line_end(match: re.Match[str], doubles: bool) -> bool:
    """Whether the letters of a command are rather a line end and the beginning of that line."""
    letters, text, start, end = match[2], match.string, match.start(), match.end()
    if letters not in _AS_A_LINE:
        return False
    if doubles:
        return True
    if start == 0 or (letters == "nu" and _FORMULA_IS_OVER.match(text, end)):
        return False
    before = text[max(0, start - 2) : start]
    is_prose = not before.endswith(" ") and _AS_A_LINE[letters].match(text, end)
    return bool(is_prose or _LINE_IS_OVER.search(before))
