from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.hints.gold import answer_in, options_in


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("72", "72"),
        (r"\boxed{72}", "72"),
        (r"so $\fbox{\frac{3}{4}}$ it is", r"\frac{3}{4}"),
        (r"\boxed{1}, no, \boxed{2}", "2"),
        (r"\boxed{72", r"\boxed{72"),
        ("6 * 12 = 72\n#### 72", "72"),
        ("####", "####"),
        ("<answer> 72 </answer>", "72"),
        ("<answer>1</answer> <answer>2</answer>", "2"),
        ("<answer>72", "<answer>72"),
        ("The answer is 72.", "72."),
        ("So the final answer is: $72$", "$72$"),
        ("Answer: B", "B"),
        ("The answering machine", "The answering machine"),
        ("{72}", "72"),
        ("(72)", "72"),
        (r"\[72\]", "72"),
        ("[72]", "72"),
        ("(3, 5)", "(3, 5)"),
        ("[3, 5]", "[3, 5]"),
        ("[0,100]", "[0,100]"),
        ("{x}", "{x}"),
        ("≈72", "72"),
        (r"\approx 7.2", "7.2"),
        ("about Rome", "about Rome"),
        ('["3", "5"]', "3, 5"),
        ('["3", 5]', "3, 5"),
        ("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"),
        ('{"answer": "54", "options": ["45", "54"]}', "54"),
        ('{"answer": 1, "options": ["45", "54"]}', "B"),
        ('{"answer": 1, "options": {"A": "45", "B": "54"}}', "B"),
        ('{"answer": 54, "options": [45, 54]}', "54"),
        ('{"answer": 2, "options": ["45", "54"]}', "2"),
        ('{"answer": 5.5}', "5.5"),
        ('{"answer": null}', '{"answer": null}'),
        ('{"other": 5}', '{"other": 5}'),
        (r"<answer>\boxed{72}</answer>", "72"),
        ("", ""),
    ],
)
def test_answer_in(gold: str, answer: str) -> None:
    assert answer_in(gold) == answer


@pytest.mark.parametrize(
    ("gold", "options"),
    [
        ('{"answer": 1, "options": ["Rome", 5]}', ["Rome", "5"]),
        ('{"answer": "B", "options": {"A": "Rome", "B": "Oslo"}}', ["Rome", "Oslo"]),
        ('{"answer": 1}', []),
        ('["Rome", "Oslo"]', []),
        ("72", []),
        ("{x}", []),
    ],
)
def test_options_in(gold: str, options: list[str]) -> None:
    assert options_in(gold) == options


_PIECES = st.sampled_from(
    ["\\boxed{", "{", "}", "[", "]", '"', ",", "72", "####", "<answer>", "</answer>", "answer is ", " "]
)


@settings(deadline=None)
@given(st.lists(_PIECES).map("".join) | st.text())
def test_never_raises(gold: str) -> None:
    assert isinstance(answer_in(gold), str)
