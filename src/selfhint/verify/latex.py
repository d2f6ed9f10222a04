r"""One spelling for answers that mean the same: Unicode, LaTeX variants, plain-text functions, damaged escapes.

Nothing here changes what a text says: two texts with one spelling are the same answer. Linear in the text's length.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from selfhint.verify.scale import scaled

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]++")
_SUBSCRIPT = re.compile(r"[₀₁₂₃₄₅₆₇₈₉₊₋ₙ]++")
_GREEK = {
    chr(code): rf"\{unicodedata.name(chr(code)).rsplit(' ', 1)[1].lower()} "
    for code in (*range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA), 0x393, 0x394, 0x3A3, 0x3A9)
} | {"λ": r"\lambda ", "Γ": r"\Gamma ", "Δ": r"\Delta ", "Σ": r"\Sigma ", "Ω": r"\Omega "}
_CHARACTERS = {
    **_GREEK,
    **dict.fromkeys("−–—‐‑‒﹣－", "-"),
    **dict.fromkeys("×✕✖", r"\times "),
    **dict.fromkeys("·⋅∙•", r"\cdot "),
    **dict.fromkeys("÷⁄∕", "/"),
    **dict.fromkeys("≤⩽≦", r"\le "),
    **dict.fromkeys("≥⩾≧", r"\ge "),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
    **dict.fromkeys("°˚º", r"^\circ "),
    **dict.fromkeys("∣｜", "|"),
    **dict.fromkeys("′’‘", "'"),
    "≠": r"\ne ", "≈": r"\approx ", "∞": r"\infty ", "√": r"\sqrt ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ",
    "∅": r"\emptyset ", "±": r"\pm ", "∓": r"\mp ", "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℕ": r"\mathbb{N}",
    "∀": r"\forall ", "∃": r"\exists ", "…": r"\ldots ", "、": ",", "。": ".", "٫": ".", "٬": ",", "∠": r"\angle ",
}  # fmt: skip

_DAMAGE = (  # what JSON or Python reads where somebody forgot to double a backslash
    (re.compile(r"\x0c(?=[a-z])"), r"\\f"),
    (re.compile(r"\x08(?=[a-z])"), r"\\b"),
    (re.compile(r"\x0b(?=[a-z])"), r"\\v"),
    (re.compile(r"\x07(?=[a-z])"), r"\\a"),
    (re.compile(r"\t(?=(?:ext|imes|heta|an|frac|o|riangle)(?![a-z])|extcirc)"), r"\\t"),
    (re.compile(r"\r(?=(?:ight|ho|angle|ceil|floor)(?![a-z]))"), r"\\r"),
)
_CONTROL = re.compile(r"[\x07\x08\t\x0b\x0c\r]")
_DOUBLED = re.compile(r"\\\\(?=[a-zA-Z])")
_HTML = (
    (re.compile(r"<sup>([^<>]{1,40})</sup>"), r"^{\1}"),
    (re.compile(r"<sub>([^<>]{1,40})</sub>"), r"_{\1}"),
    (re.compile(r"&lt;"), "<"),
    (re.compile(r"&gt;"), ">"),
)
_RESPELT = (
    # thousands: 1,\!234  1\,234  1{,}234
    (re.compile(r"(?<=\d)(?:,\s?\\!|\{,\}|\\[,!;: ]|~|\\thinspace)\s?(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)(?![a-zA-Z])\s*+(?:\.|(?=[()\[\]{}|\\/<>]))"), ""),
    (re.compile(r"\\(?:displaystyle|textstyle|limits|boldsymbol|bm|mathstrut|nolimits)(?![a-zA-Z])"), ""),
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\[dt]binom(?![a-zA-Z])"), r"\\binom"),
    (re.compile(r"\\(?:quad|qquad|thinspace|enspace|medspace|nobreakspace)(?![a-zA-Z])|\\[hv]space\*?\{[^{}]*\}"), " "),
    (re.compile(r"(?<!\\)((?:\\\\)*)\\!"), r"\1"),
    (re.compile(r"(?<!\\)((?:\\\\)*)\\[,;:> ]"), r"\1 "),
    (re.compile(r"(?<!\\)~"), " "),
    (re.compile(r"\\le(?:q|qslant|qq)(?![a-zA-Z])|<=|=<"), r"\\le "),
    (re.compile(r"\\ge(?:q|qslant|qq)(?![a-zA-Z])|>="), r"\\ge "),
    (re.compile(r"\\neq(?![a-zA-Z])|\\not\s*=|!="), r"\\ne "),
    (re.compile(r"\\lt(?![a-zA-Z])"), "<"),
    (re.compile(r"\\gt(?![a-zA-Z])"), ">"),
    (re.compile(r"\\lbrace(?![a-zA-Z])"), r"\\{"),
    (re.compile(r"\\rbrace(?![a-zA-Z])"), r"\\}"),
    (re.compile(r"\\(?:text(?:bf|rm|it|sf|tt|normal)|math(?:rm|it)|[mh]box|operatorname\*?)\s*(?=\{)"), r"\\text"),
    # a text around the whole: 72 \text{ apples}, or bare where there are no words
    (re.compile(
        r"^\\text\s*\{\s*(-?\d[\d.,/]*)\s+(?!(?:[a-z]+ ){0,2}(?:and|not|nor|less|fewer|more|than|times|over|plus|minus"
        r"|squared|cubed|factorial|hal(?:f|ves)|(?:third|quarter|(?:four|fif|six|seven|eigh|nin|ten|hundred|thousand"
        r"|million)th)s?)\b)([a-z]{3,}(?: [a-z]{3,}){0,2})\s*\.?\}$", re.IGNORECASE), r"\1\\text{ \2}"),
    (re.compile(
        r"^\\text\s*\{\s*([^{}\da-zA-Z]{0,3}\d(?:[^{}a-zA-Z]|(?<![a-zA-Z])(?!(?:or|of|if|to|so|by|as|at)\b)[a-zA-Z]{1,2}"
        r"(?![a-zA-Z]))*+)\}$", re.IGNORECASE), r"\1"),
    (re.compile(r"\^\s*\{?\s*\\(?:circ|degree)(?![a-zA-Z])\s*\}?"), r"^\\circ "),
    (re.compile(r"\\(?:degree|textdegree|textcirc)(?![a-zA-Z])"), r"^\\circ "),
    (re.compile(r"\^\s*\^\\circ"), r"^\\circ"),
    (re.compile(r"\\frac\s*(\d)\s+(\d)(?!\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"(?<=\d)\s*(?:\\text\s*\{)?\s*(?:USD|EUR|GBP|CNY|RMB|JPY|INR)\s*\}?$"), ""),
    (re.compile(r"^\*\*?\s*(.*?)\s*\*\*?$"), r"\1"),
    (re.compile(r"\\[cl]?dots[cbmoi]?(?![a-zA-Z])|\.\.\."), r"\\ldots "),
    (re.compile(r"\\langle(?![a-zA-Z])"), "("),
    (re.compile(r"\\rangle(?![a-zA-Z])"), ")"),
    (re.compile(r"\(?\s*(?:\\pmod|\\bmod|\\mod|\\text\s*\{\s*mod\s*\})\s*\{?\s*(\w+)\s*\}?\s*\)?"), r"\\pmod{\1}"),
    (re.compile(r"^(?:approximately|about|roughly|\\approx|\\sim)\s*(?=[-\d.])", re.IGNORECASE), ""),
    # cos t \cdot x is cos(t) x, which math-verify reads as cos(t x)
    (re.compile(r"(\\(?:sin|cos|tan|cot|sec|csc|ln|log)(?:\^(?:\{-?\d\}|\d))?)\s*([a-zA-Z]|\\[a-z]{2,7})\s*(?=\\cdot)"),
     r"\1(\2) "),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"(?:\\\$|[€£¥₹₩₽])\s?(?=[-\d.])"), ""),
    (re.compile(r"^\$(?=[-\d.][\d.,]*$)"), ""),
    (re.compile(r"\\sqrt\s+(?=\d)(\d++)"), r"\\sqrt{\1}"),
)  # fmt: skip
_SCIENTIFIC = re.compile(r"(?<![\w.\\}])(\d++(?:\.\d++)?)[eE](-?)\+?0*+(\d{1,4})(?![\w.])")
_MIXED = re.compile(r"([-+]?\d++)\s(\d{1,9})/(\d{1,9})")
_TEXT = re.compile(r"(\\(?:text|begin|end|mathbb|mathcal)\s*+\{[^{}]*\})")
_FUNCTION = re.compile(
    r"(?<![\\a-zA-Z])(?:(?P<name>sin|cos|tan|cot|sec|csc|ln|log|arcsin|arccos|arctan|sinh|cosh|tanh|pi|theta)"
    r"|(?P<infinity>infinity|infty|inf|oo)|(?P<root>sqrt))(?![a-zA-Z])"
)
_ROOT = re.compile(r"\\sqrt\s*\(")
_VULGAR = re.compile(r"[\u00bc-\u00be\u2150-\u215e]")
_BLANKS = re.compile(r"\s+")
_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|operatorname|begin|end)\s*\{[^{}]*\}|\\[a-zA-Z]+")
_WORD = re.compile(r"[a-zA-Z]{3}")
MAX_LINE = 200
"""Characters of a line that may be read as an answer by itself."""
_PLUS = re.compile(r"((?:\bis|[:=])\s*)\+(?=[\d.])")


@lru_cache(maxsize=1024)
def tidy(text: str) -> str:
    """The text in one spelling."""
    text = unicodedata.normalize("NFC", repaired(text)).strip()
    if not text.isascii():
        text = _ascii(text)
    if "\\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    for pattern, new in _HTML:
        text = pattern.sub(new, text)
    for pattern, new in _RESPELT:
        text = pattern.sub(new, text)
    text = scaled(text)
    text = _SCIENTIFIC.sub(r"\1 \\times 10^{\2\3}", text)
    text = "".join(part if i % 2 else _FUNCTION.sub(_command, part) for i, part in enumerate(_TEXT.split(text)))
    text = _unpunctuated(_BLANKS.sub(" ", _rooted(text)).strip())
    mixed = _MIXED.fullmatch(text)
    return text if mixed is None else _mixed(mixed)


def _unpunctuated(text: str) -> str:
    """Without the blanks and marks at its end; three dots stay."""
    end = len(text)
    while end and (text[end - 1].isspace() or (text[end - 1] in ".,;:" and not text.endswith("...", 0, end))):
        end -= 1
    return text[:end]


def repaired(text: str) -> str:
    r"""The text with its LaTeX commands, where \f, \b, \t and the like were read as control characters."""
    if _CONTROL.search(text) is None:
        return text
    for pattern, new in _DAMAGE:
        text = pattern.sub(new, text)
    return text


def is_line(text: str) -> bool:
    """A short text without words, which is an answer although nothing marks it as one."""
    return len(text) <= MAX_LINE and "\n" not in text and not _WORD.search(_COMMAND.sub("", text))


def ascii_digits(text: str) -> str:
    """Running text with ASCII digits and minus signs, "2 million" written out, no plus where a number is announced."""
    if not text.isascii():
        text = "".join("-" if c == "−" else _character(c) if c.isdecimal() else c for c in text)
    return scaled(_PLUS.sub(r"\1", text))


def _ascii(text: str) -> str:
    text = _SUPERSCRIPT.sub(lambda m: f"^{{{m[0].translate(_SUPERSCRIPTS)}}}", text)
    text = _SUBSCRIPT.sub(lambda m: f"_{{{m[0].translate(_SUBSCRIPTS)}}}", text)
    text = _VULGAR.sub(lambda m: r"\frac{{{}}}{{{}}}".format(*unicodedata.normalize("NFKC", m[0]).split("⁄")), text)
    return "".join(_character(c) for c in text)


def _character(character: str) -> str:
    if character.isascii():
        return character
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if "\uff01" <= character <= "\uff5e":  # full width
        return chr(ord(character) - 0xFEE0)
    return character


def _command(match: re.Match[str]) -> str:
    if match["infinity"]:
        return r"\infty "
    return rf"\{match[0]} "


def _mixed(match: re.Match[str]) -> str:
    whole, numerator, denominator = match.groups()
    if not 0 < int(numerator) < int(denominator):
        return match[0]
    return rf"{whole}\frac{{{numerator}}}{{{denominator}}}"


def _rooted(text: str) -> str:
    r"""`\sqrt(x)` as `\sqrt{x}`, parentheses balanced."""
    while (match := _ROOT.search(text)) is not None:
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if depth:
            return text
        text = rf"{text[: match.start()]}\sqrt{{{text[match.end() : end - 1]}}}{text[end:]}"
    return text
