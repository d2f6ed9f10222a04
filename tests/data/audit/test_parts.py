from __future__ import annotations

import pytest

from selfhint.data.audit.parts import several_parts


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("A box falls. (a) Find its speed. (b) What is its energy?", "(a) (b)"),
        ("a) Compute x.\nb) Compute y.", "a) b)"),
        ("Let n be odd. (i) Prove that n is 1. (ii) Find all m.", "(i) (ii)"),
        ("Subproblem 0: Find c.\n\nSolution: 1\n\nSubproblem 1: Find d.", "Subproblem 0, Subproblem 1"),
        ("Part A: the mass\nPart B: the charge", "Part A, Part B"),
    ],
)
def test_parts(text, marks):
    assert several_parts(text) == marks


@pytest.mark.parametrize(
    "text",
    [
        "Find x such that (a) x is odd, and (b) x is prime.",
        "Which is prime? (A) 4 (B) 5 (C) 6 (D) 8",
        "Find f(a) and the value of g(b) where (a) is given.",
        "Find the smallest n so that (i) n > 1 and (ii) n divides 6.",
        "(a) Find x. (g) What is gravity?",
        "Subproblem 1: What is 2 + 3?",
        pytest.param("What?" + "\n" * 60_000, id="newlines, each of which could begin a part"),
        "",
    ],
)
def test_one_part(text):
    assert several_parts(text) is None
