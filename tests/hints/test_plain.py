from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.plain import plain


@pytest.mark.parametrize(
    ("written", "as_plain"),
    [
        (r"\dfrac{1}{2}", " 1/2"),
        (r"\tfrac34", " 3/4"),
        (r"\frac{x+1}{2}", " (x+1)/2"),
        (r"1{,}520", "1520"),
        (r"1,\!520,000", "1520000"),
        ("17,44", "17,44"),
        ("[0,100]", "[0, 100]"),
        (r"\left(1, 2\right)", "(1, 2)"),
        (r"30^{\circ}", "30°"),
        ("−4", "-4"),
        (r"x^{2} + y²", "x^2 + y^2"),
        (r"x^{12} + e^{2x} + n^{k} + a_{10}", "x^12 + e^(2x) + n^k + a_10"),
        (r"(A)\ 3 \qquad (B)\hspace{.05in}4", "(A) 3 (B) 4"),
        ("x**2", "x^2"),
        ("**24**", " 24 "),
        ("so <answer>24</answer> or <b>24</b> of a <b> c", "so answer: 24 or 24 of a <b> c"),
        ("It is _24_, __not__ ___7___.", "It is 24, not 7."),
        ("x_1 + x_2, M _ P _ E, ___, _a", "x_1 + x_2, M _ P _ E, ___, _a"),
        ("plus or minus 3, \\pm 3", "± 3, ± 3"),
        (r"(3, \frac{\pi}{2})", "(3, pi/2)"),
        (r"\frac{2\pi}{3}, \frac{1}{\pi}", " 2pi/3, 1/pi"),
        (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", r"\begin{matrix} 1 ; 2 \end{matrix}"),
        (r"\left[\begin{array}{c} 1 \\ 2 \end{array}\right]", r"\begin{matrix} 1 ; 2 \end{matrix}"),
        (r"\begin{vmatrix} 1 \end{vmatrix}", r"\begin{vmatrix} 1 \end{vmatrix}"),
        (r"\leftarrow", r"\leftarrow"),
        (r"x \leq 3 \cup \infty", "x <= 3 ∪ inf"),
        (r"6\sqrt{5}, 6√5, 6 sqrt 5", "6sqrt(5), 6sqrt(5), 6 sqrt(5)"),
        (r"3 \cdot 4 \div 2", "3 * 4 / 2"),
        (r"1.5 \times 10^{-3}", "1.5e-3"),
        (r"x \neq 2, x \ne 2, x \not= 2, x != 2, 5!=120, \neg", "x ≠ 2, x ≠ 2, x ≠ 2, x ≠ 2, 5!=120, \\neg"),
        ("½", " 1/2"),
        ("44 percent", "44%"),
        ("2 \t 3", "2 3"),
    ],
)
def test_plain(written: str, as_plain: str) -> None:
    assert plain(written) == as_plain


@settings(deadline=None)
@given(st.text())
def test_never_raises(text: str) -> None:
    assert isinstance(plain(text), str)
