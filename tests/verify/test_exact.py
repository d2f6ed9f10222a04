from __future__ import annotations

import pytest

from selfhint.verify import make_verifier


@pytest.mark.parametrize(
    ("gold", "prediction", "correct", "reason", "extracted"),
    [
        ("a  b", r"so \boxed{a b}.", True, "match", "a b"),
        ("a b", " a\nb ", True, "match", "a b"),
        ("caf\u00e9", "cafe\u0301", True, "match", "caf\u00e9"),
        ("2", r"\boxed{2}, so \boxed{1+1}", False, "mismatch", "1+1"),
        ("2", "the answer is 2", False, "mismatch", "the answer is 2"),
        ("A", "a", False, "mismatch", "a"),
        ("2", "  ", False, "no answer found", None),
        (" ", "2", None, "gold unreadable", "2"),
        (None, "None", None, "gold unreadable", "None"),
        (2, "2", True, "match", "2"),
    ],
)
def test_verdict(gold: object, prediction: str, correct: bool | None, reason: str, extracted: str | None) -> None:
    (verdict,) = make_verifier("exact").judge([gold], [prediction])
    assert (verdict.correct, verdict.reason, verdict.extracted) == (correct, reason, extracted)
    assert verdict.reward == (None if correct is None else float(correct))


def test_order_and_length() -> None:
    verifier = make_verifier("exact")
    assert [v.correct for v in verifier.judge(["1", "2", "3"], ["1", "3", "3"])] == [True, False, True]
    with pytest.raises(ValueError, match="shorter"):
        verifier.judge(["1", "2"], ["1"])
    verifier.close()
