from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selfhint.verify.boxed import last_boxed


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"so \boxed{5}.", "5"),
        (r"\boxed{ \frac{1}{2} } done", r"\frac{1}{2}"),
        (r"first \boxed{5}, no: \boxed{7}", "7"),
        (r"$\fbox{42}$", "42"),
        ("\\boxed\n {5}", "5"),
        (r"\\boxed{5}", "5"),
        (r"\beginboxed{5}", "5"),
        (r"} \boxed{5} { {", "5"),
        (r"{ \boxed{5}", "5"),
    ],
)
def test_takes_the_last_box_whole(text: str, content: str) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"\boxed{\{1,2\}}", r"\{1,2\}"),
        (r"\boxed{\left\{ 1 \right.}", r"\left\{ 1 \right."),
        (r"\boxed{1 \\}", r"1 \\"),
    ],
)
def test_escaped_braces_do_not_count(text: str, content: str) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"$\boxed 42$", "42"),
        (r"it is \boxed -5. Done", "-5"),
        (r"\boxed \frac{1}{2} done", r"\frac{1}{2}"),
        (r"{\boxed 5} and 6", "5"),
        (r"\boxed C", "C"),
    ],
)
def test_box_without_braces(text: str, content: str) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"\boxed{\boxed{5}}", "5"),
        (r"\boxed{ \fbox{ \boxed{5}} }", "5"),
        (r"\boxed{x = \boxed{5}}", r"x = \boxed{5}"),
        (r"\boxed{\boxed{1}, \boxed{2}}", r"\boxed{1}, \boxed{2}"),
    ],
)
def test_nested_boxes(text: str, content: str) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"\boxed{1}, \boxed{2}", "1, 2"),
        (r"$\boxed{1}$ and $\boxed{2}$ or \(\boxed{3}\)", "1, 2, 3"),
        (r"\boxed{k = 4} \quad \text{and} \quad \boxed{n = 2}", "k = 4, n = 2"),
        (r"\boxed{(3, 3)} \text{ for part (a) and } \boxed{(1, 1)}", "(3, 3), (1, 1)"),
        (r"\boxed{1}\boxed{2}", "1, 2"),
        (r"\boxed{5} and \boxed{5}", "5"),
        (r"\boxed{1}, \boxed{\boxed{2}} and then \boxed{3}", "3"),
        (r"\boxed{1} and then \boxed{2}", "2"),
        (r"\boxed{1}; so \boxed{2}", "2"),
        ("\\boxed{1}\n\n\\boxed{2}", "2"),
        (r"\boxed{0}. No: \boxed{1} and \boxed{2}", "1, 2"),
    ],
)
def test_boxes_side_by_side_are_one_answer(text: str, content: str) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize(
    "text", ["", "5", r"\boxed", r"\boxed{}", r"\boxed{ }", r"\boxed{5", r"\boxedx{5}", r"write \boxed around it"]
)
def test_no_answer(text: str) -> None:
    assert last_boxed(text) is None


@pytest.mark.parametrize("tail", [r" \boxed{}", r" \boxed{6", r" in \boxed", r" in a \boxed."])
def test_an_empty_or_unclosed_box_leaves_the_one_before(tail: str) -> None:
    assert last_boxed(r"\boxed{5}" + tail) == "5"


def test_unclosed_box_around_a_closed_one() -> None:
    assert last_boxed(r"\boxed{\frac{1}{2 so \boxed{3}") == "3"


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 100_000 + "1" + "}" * 100_000,
        "\\boxed{  " * 100_000,
        "\\boxed " * 100_000,
        "\\boxed\\boxed5" * 100_000,
        "\\" * 1_000_000,
        "\\boxed{" + "\\boxed{1}" * 100_000 + "}" * 100_000,
    ],
)
def test_long_texts_end(text: str) -> None:
    """Each of these would take minutes in quadratic time."""
    answer = last_boxed(text)
    assert answer is None or answer in text


@given(st.text(alphabet="ab1 {}\\$"), st.text(alphabet="ab1 \\.", max_size=20))
def test_a_closed_box_behind_any_text_is_found(before: str, after: str) -> None:
    text = before.rstrip("\\") + r"\boxed{q}" + after
    assert last_boxed(text) is not None
    if "boxed" not in before and "}" not in before and "{" not in before:
        assert last_boxed(text) == "q"


@given(st.text(alphabet=r"\{}boxedf 1A$"))
def test_any_text_gives_a_stripped_part_of_it(text: str) -> None:
    answer = last_boxed(text)
    assert answer is None or (answer != "" and answer == answer.strip())
    assert answer is None or all(part in text for part in answer.split(", "))
