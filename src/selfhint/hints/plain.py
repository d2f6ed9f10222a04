r"""One writing for what means the same, in hints, answers and questions: \dfrac12 as 1/2, 1{,}520 as 1520, ≤ as <=."""

from __future__ import annotations

import re
import unicodedata

_SUPERSCRIPTS = str.maketrans({c: f"^{d}" for c, d in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)})
_VULGAR = re.compile("[¼½¾⅐-⅞]")

_FUNCTIONS = "arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|log|ln|exp|gcd|lcm|max|min|pi|sqrt"

_REWRITES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"[−–‐‑]", "-"),
        (r"(?i)<(?:final_)?answer>", " answer: "),
        (r"(?i)</(?:final_)?answer>", " "),
        (r"(?i)<(b|i|u|em|strong)>([^<>\n]{0,80})</\1>", r" \2 "),
        (r"\bi\.e\.,?", "namely"),
        (r"\\\\", " ; "),
        (r"\\pm(?![A-Za-z])|\+/-|\+-|(?i:\bplus or minus\b)", "±"),
        (r"(?<=[\w)])\*\*(?=\w)", "^"),
        (r"\\[,!](?=\d{3}(?!\d))|\{,\}(?=\d{3}(?!\d))", ","),
        (r"(?<=\[)(\s?-?\d{1,3}),(?=\d{3}\s?[)\]])|(?<=\()(\s?-?\d{1,3}),(?=\d{3}\s?\])", r"\1\2, "),
        (r"(?<=\d),{1,2}(?=\d{3}(?!\d))", ""),  # thousands separators
        (r"\\(?:left|right|[bB]igg?[lrm]?)(?![A-Za-z])", ""),
        (r"(?:[(\[] ?)?\\begin ?\{(?:[pbB]?matrix\}|array\} ?\{[^{}]{0,20}\})", r"\\begin{matrix}"),
        (r"\\end ?\{(?:[pbB]?matrix|array)\}(?: ?[)\]])?", r"\\end{matrix}"),
        (r"(?<![\w)\]}\\])_{1,3}(?=[^\s_])([^_\n]{1,80})(?<!\s)_{1,3}(?!\w)", r"\1"),  # _emphasis_
        (r"\\[,;:!\s()\[\]$]|\\q?quad(?![A-Za-z])|\\[hv]space\s?\{[^{}]{0,12}\}|[$~]|\*\*", " "),
        (r"\\[dtc]frac(?![A-Za-z])", r"\\frac"),
        (r"\\frac\s?([\da-z])\s?([\da-z])(?![\da-z])", r" \1/\2"),
        (r"\\frac\s?(\d)\s?(\d)", r" \1/\2"),
        (r"\\frac\s?([\da-z])\s?\{([^{}]*)\}", r" \1/(\2)"),
        (r"\\frac\s?\{([^{}]*)\}\s?([\da-z])", r" (\1)/\2"),
        (r"\\frac\s?\{\s?(-?)\s?(\d+)\s?\}\s?\{\s?(\d+)\s?\}", r" \1\2/\3"),
        (r"\\frac\s?\{([^{}]*)\}\s?\{([^{}]*)\}", r" (\1)/(\2)"),
        (r"/\(\s?(\d+|[A-Za-z]|\\pi)\s?\)", r"/\1"),
        (r"(?<![\w)])\(\s?(\d{0,4}\\pi|\w+)\s?\)/", r"\1/"),
        (r"(?<=\d) (?:over|out of) (?=\d)", "/"),
        (r"\\(?:text|mathrm|mathbf|textbf|textit|textrm|mbox|operatorname)\s?\{([^{}]*)\}", r" \1 "),
        (r"\^\s?(?:\{\s?\\circ\s?\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])", "°"),
        (r"\\(?:infty|infin)(?![A-Za-z])|∞|(?<![A-Za-z])(?i:infinity|infinite|inf|oo)(?![A-Za-z])", "inf"),
        (r"\+\s?inf(?![A-Za-z])", "inf"),
        (r"\\(?:leqslant|leq|le)(?![A-Za-z])|≤|⩽", "<="),
        (r"\\(?:geqslant|geq|ge)(?![A-Za-z])|≥|⩾", ">="),
        (r"\\neq?(?![A-Za-z])|\\not\s?=|(?<=\s)!=(?=\s)", "≠"),
        (r"\\lt(?![A-Za-z])", "<"),
        (r"\\gt(?![A-Za-z])", ">"),
        (r"\\cup(?![A-Za-z])|(?<=[)\]])\s?U\s?(?=[(\[])", "∪"),
        (r"\\(?:times|cdot|ast)(?![A-Za-z])|[×·∙⋅]", "*"),
        (r"(?<=\d) ?\* ?10\^\{?(-?\d{1,4})\}?", r"e\1"),
        (r"\\div(?![A-Za-z])|÷", "/"),
        (rf"\\({_FUNCTIONS})(?![A-Za-z])", r"\1"),
        (r"π", "pi"),
        (r"√", "sqrt"),
        (r"(?i)\b(?:the )?square root of (\d+|[a-z])\b", r"sqrt(\1)"),
        (r"sqrt\s?\{([^{}]*)\}", r"sqrt(\1)"),
        (r"sqrt\s?(\d+|[a-z](?![A-Za-z]))", r"sqrt(\1)"),
        (r"(?i)(?<=\b[a-z]) squared\b", "^2"),
        (r"(?i)(?<=\b[a-z]) cubed\b", "^3"),
        (r"_\{\s?(\w+)\s?\}", r"_\1"),
        (r"\^\{\s?(\d+|[^\W\d])\s?\}", r"^\1"),
        (r"\^\{\s?(\w+)\s?\}", r"^(\1)"),
        (r"\\%", "%"),
        (r"(?i)(?<=\d)[\s-]?per\s?cent\b", "%"),
        (r"\\([{}])", r"\1"),
        (r"[^\S\n]+", " "),
        (r" ?\n[ \n]*", "\n"),
    )
)


def plain(text: str) -> str:
    r"""`text` without LaTeX that only formats, with one sign for each meaning, without runs of white space."""
    text = _VULGAR.sub(r" \g<0>", text).translate(_SUPERSCRIPTS)
    text = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("’", "'")
    text = re.sub(r"[^\S\n]+", " ", text)
    for pattern, to in _REWRITES:
        text = pattern.sub(to, text)
    return text
