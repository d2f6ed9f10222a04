"""Spellings that mean the same: Unicode and LaTeX for one sign, number words, labels before a problem."""

from __future__ import annotations

import re
import unicodedata

CHARACTERS = str.maketrans(
    dict.fromkeys("−–—‐‑‒", "-")
    | dict.fromkeys("‘’ʼ′`´", "'")
    | dict.fromkeys("“”„«»″", '"')
    | dict.fromkeys("×·⋅∙∗", "*")
    | dict.fromkeys("÷⁄∕", "/")
    | {"≤": r"\leq ", "≥": r"\geq ", "≠": r"\neq ", "π": r"\pi ", "°": r"\circ ", "√": r"\sqrt ", "∞": r"\infty "}
    | {"∠": r"\angle ", "△": r"\triangle ", "∪": r"\cup ", "∩": r"\cap ", "…": " ", "。": ". ", "、": ","}
    | {fraction: f" {unicodedata.normalize('NFKC', fraction)} " for fraction in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
)
RAISED = re.compile("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ]+")
LOWERED = re.compile("[₊₋₀₁₂₃₄₅₆₇₈₉ₙ]+")
"""Digits in Unicode's small letters: x² and x^{2}, x₁ and x_{1}."""

GROUPING = re.compile(r"(?<=\d)(?:,|\{,\}|\\[,!]\s?|\\ |,\\!\s?)(?=\d{3}(?!\d))")
r"""What parts thousands: 1,234, 1{,}234, 1\,234."""
GLUED_FRACTION = re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)")
TEXT = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|mbox|hbox|mathrm|mathbf|mathit|mathsf|mathbb|boldsymbol|emph|operatorname\*?)"
    r"\s*\{([^{}]*)\}"
)
"""Words in a formula, or letters in another face: their braces hold nothing together."""
NO_MEANING = re.compile(
    r"\\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|limits|nolimits|quad|qquad|hspace|vspace|newline|par|noindent|"
    r"text(?:bf|it|rm|sf|tt|normal)?|mbox|mathrm|mathbf|mathit|mathsf|mathbb|boldsymbol|emph|operatorname|hbox|"
    r"[lcd]?dots[bcmoi]?)(?![a-zA-Z])\*?|\\[,;:! >()\[\]$]|\\\\|\^(?=[\s{]*\\circ)|(?<!\\)&|[$~]"
)
"""LaTeX that changes how a text looks and not what it says."""

COMMANDS = (
    dict.fromkeys(("dfrac", "tfrac", "cfrac"), "frac")
    | dict.fromkeys(("dbinom", "tbinom", "choose"), "binom")
    | dict.fromkeys(("cdot", "times", "ast"), "*")
    | dict.fromkeys(("mid", "vert", "lvert", "rvert"), "|")
    | {"lbrace": "{", "rbrace": "}"}
    | {"le": "leq", "leqslant": "leq", "ge": "geq", "geqslant": "geq", "ne": "neq", "lt": "<", "gt": ">", "div": "/"}
    | {"rightarrow": "to", "degree": "circ", "varphi": "phi", "varepsilon": "epsilon", "vartheta": "theta"}
)
"""LaTeX command → the token that all of its kind become."""

WORDS = (
    dict.fromkeys(("degree", "degrees"), "circ")
    | {"pct": "percent", "%": "percent", "?": "."}
    | dict.fromkeys(("fourth", "fourths", "quarters"), "quarter")
    | {"halves": "half", "thirds": "third", "dozens": "dozen"}
    | {"doubled": "double", "doubles": "double", "tripled": "triple", "triples": "triple"}
    | {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}
    | {"ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15"}
    | {"sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30"}
    | {"forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
)
"""Word or sign → the token it becomes. Not "one", which is mostly a pronoun."""
QUANTITIES = frozenset(
    {"half", "third", "quarter", "twice", "double", "thrice", "triple", "quadruple", "dozen", "hundred", "thousand"}
    | {"million", "billion"}
)
"""Words that stand for a number: with another one in its place the problem is another."""

LABEL = re.compile(
    r"\s*(?:"
    r"(?i:problem|question|exercise|example|task)\s?[.#]?\s?\d+(?:\s?[.:)\]-]+\s+|\s+(?=[A-Z\\$]))"
    r"|(?i:q|ex)\s?[.#]?\s?\d+\s?[.:)\]]+\s+"
    r"|\d+\s?[.)]\s+(?=[A-Za-z])"
    r"|[\[(](?=[^\])+*/=^<>|\\$]{3,120}[\])])(?![^\])]{0,120}\s-\s)"
    r"(?:[^\])]{0,60}\b(?i:problem|question)\s?\d|[^\])]{0,60}\b\d+\s?(?i:points?|pts|marks?)\b"
    r"|(?=[^\])]{0,60}\b[A-Z][A-Za-z]{2})[^\])]{0,60}\b\d{4}\b)[^\])]{0,60}[\])]\s*"
    r")+"
)
"""What numbers a problem in its source: Problem 12., Q3:, (AIME 2024), [5 points]; never a term such as (2024 + 1)."""
