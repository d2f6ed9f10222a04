from __future__ import annotations

import pytest

from selfhint.verify.judges.reading import read_answer
from selfhint.verify.judges.size import too_large


@pytest.mark.parametrize(
    "text", ["2^{2^{2^{49}}}", "99999999!", r"\sum_{k=1}^{10^{9}} \frac{1}{k}", "x^{10^{10}}", "10^{(5^{5^{5^{5}}})}"]
)
def test_too_large(text: str) -> None:
    assert too_large(read_answer(text)[0])


@pytest.mark.parametrize("text", ["2^{100}", "20!", r"\sum_{k=1}^{100} k", "1^{10^{9}}", "x^{2}", r"(-\infty, 2^{10})"])
def test_computable(text: str) -> None:
    assert not too_large(read_answer(text)[0])
    assert not too_large("text")
