from __future__ import annotations

import pytest

from selfhint.data.trace import final_answer


@pytest.mark.parametrize(
    ("solution", "judged"),
    [
        ("4*2 = <<4*2=8>>8\n#### 8", "8"),
        ("#### 1,200 ", "1,200"),
        ("#### 1\nno\n  #### 2\n", "2"),
        (r"Thus \boxed{8}.", r"Thus \boxed{8}."),
        ("a #### b", "a #### b"),
        ("8\n####", "8\n####"),
    ],
)
def test_the_mark_before_an_answer(solution, judged):
    assert final_answer(solution) == judged
