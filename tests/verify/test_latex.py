from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.latex import ascii_digits, is_line, repaired, tidy


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        (r" 5. ", "5"),
        (r"\left( \dfrac{1}{2}, 3 \right]", r"( \frac{1}{2}, 3 ]"),
        (r"1\,234{,}567", "1234567"),
        (r"15,\!000", "15000"),
        (r"11,\! 111,\! 100", "11111100"),
        ("32, 349", "32, 349"),
        ("1,234", "1,234"),
        (r"\$15", "15"),
        ("€10.50", "10.50"),
        ("3.54e-07", r"3.54 \times 10^{-7}"),
        ("2e", "2e"),
        ("-1 + sqrt(3)", r"-1 + \sqrt{3}"),
        ("sqrt(1+sqrt(2))", r"\sqrt{1+\sqrt{2}}"),
        ("sqrt(3", r"\sqrt (3"),
        ("2pi", r"2\pi"),
        (r"\text{pi} \pi spin", r"\text{pi} \pi spin"),
        ("2 1/2", r"2\frac{1}{2}"),
        ("4 10/3", "4 10/3"),
        ("a <= 2", r"a \le 2"),
        (r"a \geqslant 2", r"a \ge 2"),
        ("30°", r"30^\circ"),
        (r"30^{\circ}", r"30^\circ"),
        (r"30\degree", r"30^\circ"),
        (r"\mathrm{E}", r"\text{E}"),
        ("x^2 − ½", r"x^2 - \frac{1}{2}"),
        ("x² ≤ √3", r"x^{2} \le \sqrt{3}"),
        ("٣٤", "34"),
        ("３４", "34"),
        ("3<sup>x</sup>", "3^{x}"),
        ("\\\\frac{1}{2}", r"\frac{1}{2}"),
        ("\\begin{matrix} 1 \\\\ x \\end{matrix}", r"\begin{matrix} 1 \\ x \end{matrix}"),
        ("\x0crac{1}{2} \times 3", r"\frac{1}{2} \times 3"),
        ("1, 2, ...", r"1, 2, \ldots"),
    ],
)
def test_one_spelling(text: str, spelling: str) -> None:
    assert tidy(text) == spelling


@given(st.text(alphabet="ab1 ,.{}()\\$^_√²½sqrtpi\n\t", max_size=60))
def test_any_text_keeps_its_spelling(text: str) -> None:
    once = tidy(text)
    assert once == once.strip()
    assert "\\dfrac" not in once
    assert len(once) <= 20 * len(text) + 20


@pytest.mark.parametrize(
    "text",
    ["sqrt(" * 200, "\\sqrt(" * 200 + ")" * 200, "1,234" * 200, "e1" * 500, "\\, " * 300, "." * 1000, "((((" * 250],
)
def test_long_texts_end(text: str) -> None:
    assert isinstance(tidy(text), str)


def test_repair_leaves_blanks() -> None:
    assert repaired("a\tb\r\nc") == "a\tb\r\nc"
    assert repaired("\x08oxed{\theta}") == r"\boxed{\theta}"


def test_running_text() -> None:
    assert ascii_digits("the answer is +٧, not −3") == "the answer is 7, not -3"
    assert ascii_digits("2 +7 = +9") == "2 +7 = 9"


@pytest.mark.parametrize(
    ("text", "alone"), [(r"\frac{1}{2}x", True), ("the sum", False), ("x\ny", False), ("1" * 201, False)]
)
def test_line(text: str, alone: bool) -> None:
    assert is_line(text) is alone
