from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.cut import cut_middle, solution_prefix

THREE = "First count the rows of the shelf. Then count jars in a row. Multiply both and you have it."


@pytest.mark.parametrize(
    ("solution", "share", "prefix"),
    [
        (THREE, 0.7, "First count the rows of the shelf. Then count jars in a row."),
        (THREE, 0.4, "First count the rows of the shelf."),
        (THREE, 0.25, "First count the rows"),
        (THREE, 1.0, THREE),
        ("She pays 3 * 4 = $12.\nShe has 20 - 12 = 8 left.", 0.5, "She pays 3 * 4 = $12."),
        ("So he paid $<<2500+250=2750>>2750 for it", 0.75, "So he paid $<<2500+250=2750>>2"),
        ("So in the end he paid $<<2500+250=2750>>2750 for it", 0.75, "So in the end he paid"),
        ("35172", 0.25, "3"),
        ("35172", 0.5, "35"),
        ("35172", 0.75, "351"),
        ("35172", 0.8, "3517"),
        ("Because $a + b = c + d$ holds everywhere", 0.45, "Because $a + b = c"),
        ("abcdefgh\\frac{1}{2}", 0.6, "abcdefgh"),
        ("先数行数。再数每行的罐子，相乘即得结果。", 0.3, "先数行数。"),
        ("", 0.5, ""),
        ("ab", 0.25, ""),
        ("\\\n11", 0.5, "\\\n"),
    ],
)
def test_cut(solution: str, share: float, prefix: str) -> None:
    assert solution_prefix(solution, share) == prefix


def test_a_formula_is_not_torn_where_a_space_before_it_is_near() -> None:
    solution = r"Take the square of both sides to obtain \[ x^2 + y^2 = z^2 \] and solve."
    cut = solution_prefix(solution, 0.75)
    assert cut == "Take the square of both sides to obtain"


def test_dollar_amounts_do_not_hide_the_ends_of_lines() -> None:
    solution = "He earns $12 an hour.\nHe works 3 days.\nSo he earns more than she does in a week."
    assert solution_prefix(solution, 0.5) == "He earns $12 an hour.\nHe works 3 days."


@settings(deadline=None)
@given(st.text(alphabet="ab .$\\n\n{}()[]12。", max_size=200), st.floats(0, 1))
def test_prefix_never_exceeds_its_share(solution: str, share: float) -> None:
    cut = solution_prefix(solution, share)
    assert solution.strip().startswith(cut)
    assert len(cut) <= len(solution.strip()) * share


@pytest.mark.parametrize("num_kept", [0, 1, 2, 7, 25])
def test_the_middle_is_left_out_with_a_mark(num_kept: int) -> None:
    solution = "abcdefghijklmnopqrstuvwxyz"
    head, _, tail = cut_middle(solution, num_kept).split("\n")
    assert (len(head) + len(tail), len(head) - len(tail)) == (num_kept, num_kept % 2)
    assert solution.startswith(head)
    assert solution.endswith(tail)
    assert f"{26 - num_kept} characters" in cut_middle(solution, num_kept)


def test_a_solution_that_is_kept_whole_has_no_mark() -> None:
    assert cut_middle("abc", 3) == cut_middle("abc", 9) == "abc"
