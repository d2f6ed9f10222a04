from __future__ import annotations

import pytest

from selfhint.core.group import Verdict
from selfhint.core.problem import Problem
from selfhint.data.audit.answers import AnswerTools, check_answers
from selfhint.data.audit.findings import Findings
from selfhint.data.rows import Place


def boxed(text: str) -> str | None:
    rest = text.rpartition("\\boxed{")[2]
    return rest.partition("}")[0] if rest != text else None


def verdict(gold, prediction: str) -> Verdict:
    """Equal text, with quirks that the golds name."""
    answer = boxed(prediction) or prediction
    if gold == "anything" or answer.strip() == gold:
        return Verdict.of(True, reason="match")
    if gold.endswith("unreadable"):
        return Verdict.of(None, reason="gold unreadable")
    return Verdict.of(False, reason="timed out" if gold == "slow" else "mismatch")


def judge(golds, predictions) -> list[Verdict]:
    return [verdict(gold, prediction) for gold, prediction in zip(golds, predictions, strict=True)]


def told(gold: str) -> str | None:
    return None if gold.startswith("no text") else "other" if gold == "rejected" else gold


TOOLS = AnswerTools(judge, told, boxed, lambda answer: answer.split(", "), no_verdict=("timed out",))


def found(answer: str, solution: str | None) -> dict[str, str]:
    findings = Findings()
    check_answers([(Place("f", "line", 1), Problem("q", solution, answer, ""))], TOOLS, findings)
    return {finding.name: finding.found[0].detail for finding in findings.sorted()}


@pytest.mark.parametrize(
    ("answer", "solution", "names"),
    [
        ("5", "2 + 3 = 5", []),
        ("5", "so #### 6\n#### 5", []),
        ("5", "the sum is\n#### 6", ["solution_disagrees"]),
        ("5", "5 is near, but \\boxed{6}.", ["solution_disagrees"]),
        ("5", "it is \\boxed{5}", []),
        ("5", "the sum is 15, or 5.5, or fifty", ["answer_absent"]),
        ("1,234", "that is 1234 in all", []),
        ("1512", "Thus it is $252 \\cdot 6=\\mathbf{1 5 1 2}$.", []),
        ("-14", "hence $x=\\mathbf{- 1 4}$.", []),
        ("\\frac{1}{2}", "it is $\\dfrac 12$.", []),
        ("\\frac{27}{2}", "108 / 8 = \\mathbf{2 7} / \\mathbf{2}", []),
        ("2, 7", "either 7 or 2", ["several_values"]),
        ("2, 7", "it is 2", ["answer_absent", "several_values"]),
        ("unreadable", None, ["gold_unreadable"]),
        ("rejected", "no matter", ["gold_rejected"]),
        ("anything", "anything", ["gold_accepts_anything"]),
        ("slow", "\\boxed{other}", []),
        ("no text", None, []),
        ("no text, unreadable", None, ["gold_unreadable"]),
        ("5", None, []),
    ],
)
def test_findings(answer, solution, names):
    assert list(found(answer, solution)) == names


def test_details():
    assert found("5", "#### 6") == {"solution_disagrees": "'6', not '5'"}
    assert found("rejected", None) == {"gold_rejected": "'rejected': mismatch"}


def test_a_gold_that_a_box_breaks_is_right_without_one():
    def only_plain(golds, predictions):
        return [Verdict.of(gold == prediction, reason="x") for gold, prediction in zip(golds, predictions, strict=True)]

    findings = Findings()
    tools = AnswerTools(only_plain, told, boxed, lambda answer: [answer], no_verdict=())
    check_answers([(Place("f", "line", 1), Problem("q", None, "}{", ""))], tools, findings)
    assert not list(findings.sorted())
