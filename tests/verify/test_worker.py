"""What the worker reads. It runs in this process here, so nothing below may hang."""

from __future__ import annotations

import pytest

from selfhint.verify.worker import verdict


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"\frac{1}{3}", "1/3"),
        ("0.333333", r"\frac{1}{3}"),
        ("-5", "\u22125"),
        ("3,000", "3000"),
        (r"\$15,\!000", "15000"),
        ("x^2+1", "1+x^{2}"),
        (r"\text{E}", "E"),
        ("$1$ and $2$", r"\{1, 2\}"),
        (r"(-\infty, 3)", "x<3"),
        (r"\begin{pmatrix} 0.5 \\ 1 \end{pmatrix}", "\\begin{pmatrix} 1/2 \\\\\n 1 \\end{pmatrix}"),
        (r"1, 2, \ldots, n", r"1, 2, \ldots, n"),
    ],
)
def test_equal_answers(gold: str, answer: str) -> None:
    assert verdict(gold, answer, whole=True) == ("match", answer)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("x^{2}+1", "1"),
        (r"\frac{1}{3}", r"\frac{1}{2}"),
        ("1331 and 1728", "1728"),
        ("10", "4 10/3"),
        ("2", r"1, 2, \ldots, n"),
        ("x^2/4 + y^2/3 = 1", "x^2/16 + y^2/12 = 1"),
    ],
)
def test_different_answers(gold: str, answer: str) -> None:
    assert verdict(gold, answer, whole=True) == ("mismatch", answer)


@pytest.mark.parametrize(
    ("gold", "text", "reason", "extracted"),
    [
        ("18", "So the answer is 18.", "match", "18"),
        ("18", "18 apples", "match", "18"),
        ("18", "First 18, then the total is 20.", "mismatch", "20"),
        (r"\frac{1}{2}", "Therefore $x = 0.5$", "match", "x = 0.5"),
        (r"\frac{1}{2}", r"\tfrac12", "match", r"\frac{1}{2}"),
        ("x^2+2x+1", "(x+1)^2", "match", "(x+1)^2"),
        ("1", "x^2+2x+1", "mismatch", "x^2+2x+1"),
        ("18", "I do not know", "no answer found", None),
    ],
)
def test_texts_without_a_box(gold: str, text: str, reason: str, extracted: str | None) -> None:
    assert verdict(gold, text, whole=False) == (reason, extracted)


@pytest.mark.parametrize("gold", ["Anya climbs one floor, so her path is longer.", r"\frac{", r"1, 2, \ldots, n", "]["])
@pytest.mark.parametrize("answer", ["12", "1", "", None])
def test_unreadable_gold_is_never_right_nor_wrong(gold: str, answer: str | None) -> None:
    assert verdict(gold, answer, whole=True)[0] == "gold unreadable"


def test_no_answer() -> None:
    assert verdict("3", None, whole=True) == ("no answer found", None)
    assert verdict("3", "", whole=False) == ("no answer found", None)
