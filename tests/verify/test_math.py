from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from selfhint.verify import PooledVerifier, make_verifier

Rows = Callable[[str], list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("gold", "prediction", "correct", "reason"),
    [
        ("5", r"\boxed{7}, no: \boxed{5}", True, "match"),
        ("5", r"\boxed{5}, no: \boxed{7}", False, "mismatch"),
        (r"$\frac{1}{2}$", r"so \boxed{0.5}", True, "match"),
        (r"The answer is $\boxed{\frac{1}{4}}$.", r"\boxed{1/4}", True, "match"),
        ("-5", "\\boxed{\u22125}", True, "match"),
        (42, r"\boxed{42.0}", True, "match"),
        (0.333333, r"\boxed{\frac{1}{3}}", True, "match"),
        ("18", "The answer is 18.", True, "match"),
        ("18", "<think>17</think> <answer>18</answer>", True, "match"),
        ("20", "15 + 5 + 0\n20 + 0\n20", True, "match"),
        ("10", "15 + 5 + 0\n20 + 0\n20", False, "mismatch"),
        ("20", "5 + 5 = 10\n10 + 10 = 20", True, "match"),
        ("10", "5 + 5 = 10\n10 + 10 = 20", False, "mismatch"),
        ("7", "9 - 2 = 7\n", True, "match"),
        ("0\n1", "0\n1", True, "match"),
        ("x^2+3", "x^2\n+ 3", True, "match"),
        ("B", "I think that it is B.", True, "match"),
        ("B", r"\boxed{\text{(B)} 5}", True, "match"),
        ("B", r"\boxed{C}", False, "mismatch"),
        ("even", "$even$", True, "match"),
        (r"\text{even}", "$even$", True, "match"),
        ("18", "", False, "no answer found"),
        ("18", "I cannot tell.", False, "no answer found"),
        (None, r"\boxed{None}", None, "gold unreadable"),
        ("", r"\boxed{}", None, "gold unreadable"),
        ("Anya climbs one floor, so her path is longer.", r"\boxed{12}", None, "gold unreadable"),
        ("Anya climbs one floor, so her path is longer.", "", None, "gold unreadable"),
    ],
)
def test_verdict(verifier: PooledVerifier, gold: object, prediction: str, correct: bool | None, reason: str) -> None:
    (verdict,) = verifier.judge([gold], [prediction])
    assert (verdict.correct, verdict.reason) == (correct, reason)
    assert verdict.reward == (None if correct is None else float(correct))


def test_equal_text_and_different_integers_need_no_worker() -> None:
    verifier = make_verifier("math")
    long = "7" * 20_000
    pairs = [("$5$", r"\boxed{ 5 }", True), (long, rf"\boxed{{{long}}}", True), ("5", r"\boxed{-5}", False)]
    verdicts = verifier.judge([gold for gold, _, _ in pairs], [prediction for _, prediction, _ in pairs])
    assert [v.correct for v in verdicts] == [correct for _, _, correct in pairs]
    assert verifier._pool is None


@pytest.mark.parametrize(
    "prediction",
    [
        "\\boxed{" + "1+" * 500_000 + "1}",
        "(" * 1_000_000,
        "the answer is not clear " * 40_000,
        "7" * 1_000_000,
        "\\boxed{\ud800 5}",
        "\0" * 1000,
        "().__class__.__base__.__subclasses__()",
        "\\boxed{" + "2^{" * 300 + "2" + "}" * 300 + "}",
    ],
)
def test_bad_predictions_are_wrong(verifier: PooledVerifier, prediction: str) -> None:
    (verdict,) = verifier.judge(["18"], [prediction])
    assert verdict.correct is False
    assert verdict.reason in ("mismatch", "no answer found")


@pytest.mark.parametrize("gold", ["8" * 20_000, "1+" * 500_000 + "1", "\ud800", "\0", "{" * 100, "()" * 100, "nan"])
def test_bad_golds_are_never_matched(verifier: PooledVerifier, gold: str) -> None:
    (verdict,) = verifier.judge([gold], [r"\boxed{18}"])
    assert verdict.correct is not True


def test_public_bug_reports(rows: Rows) -> None:
    verifier = make_verifier("math", time_limit=5.0)
    cases = rows("cases/verifier_bugs.jsonl")
    verdicts = verifier.judge([case["gold"] for case in cases], [case["prediction"] for case in cases])
    verifier.close()
    wrong = [c["id"] for c, v in zip(cases, verdicts, strict=True) if (v.correct is True) != c["right"]]
    assert wrong == []


@pytest.mark.slow
def test_agreement_with_other_graders(verifier: PooledVerifier, rows: Rows) -> None:
    """No false positive but a case for a grader with other options; 99 % agreement."""
    cases = [case for case in rows("cases/verifier_cases.jsonl") if "policy" not in case]
    verdicts = verifier.judge([case["gold"] for case in cases], [case["prediction"] for case in cases])
    agree = [(v.correct is True) == c["expected"] for c, v in zip(cases, verdicts, strict=True)]
    false = [c["id"] for c, v in zip(cases, verdicts, strict=True) if v.correct and not c["expected"]]
    assert false == ["gc-0180"]
    assert sum(agree) / len(agree) >= 0.98


@pytest.mark.parametrize("name", ["gsm8k_train_2000", "math500"])
def test_golds_of_data_files(verifier: PooledVerifier, rows: Rows, name: str) -> None:
    golds = [row["answer"] for row in rows(f"data/{name}.jsonl")]
    right = verifier.judge(golds, [f"We add them up.\n\\boxed{{{gold}}}" for gold in golds])
    assert [gold for gold, v in zip(golds, right, strict=True) if not v.correct] == []
    assert all(verdict.correct for verdict in verifier.judge(golds, golds))
    sample = random.Random(0).sample(golds, 100)
    others = sample[1:] + sample[:1]
    verdicts = verifier.judge(sample, [f"It is \\boxed{{{other}}}." for other in others])
    assert [v.correct for v in verdicts] == [a == b for a, b in zip(sample, others, strict=True)]
