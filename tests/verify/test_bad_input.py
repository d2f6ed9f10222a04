"""Whatever a data file or a model writes, there is a verdict with a reason, and soon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selfhint.core.group import Verdict
from selfhint.verify import PooledVerifier, make_verifier
from selfhint.verify.kinds import KINDS, Kind
from selfhint.verify.reasons import CORRECT

LIMIT = 2.0
MARGIN = 30.0
"""Seconds that a busy machine may add to the limit."""
OPTIONS: dict[str, dict[str, Any]] = {"function": {"function": "operator:eq"}}

NESTED: list[Any] = []
for _ in range(2000):
    NESTED = [NESTED]

GOLDS: list[object] = [
    *(
        None,
        "",
        " ",
        0,
        -1,
        2.5,
        float("nan"),
        float("inf"),
        True,
        10**20_000,
        -(10**20_000),
        "\u2212\u0665",
        "1, 2, 3",
    ),
    *([], [None], [10**20_000], NESTED, {}, {1, 2}, object(), b"5", "[1, 2", '{"answer": "B"'),
    *({"answer": None, "options": [None]}, {"answer": "B", "options": ["x"] * 5}),
    {"metadata": {"source_dataset": "chain_sum"}},
    *("8" * 20_000, "1+" * 500_000 + "1", "{" * 2000, "(" * 900, "()" * 100, "9" * 900, "2^{2^{2^{49}}}"),
    *("\ud800", "\0", "nan", "oo", "zoo", "x/0", r"\frac{1}{0}"),
]
PREDICTIONS = [
    *("", " ", "5", r"\boxed{5}", "\\boxed{\u2212\u0665}", "\\boxed{\ud800 5}", "\ud800", "\0" * 1000),
    *("\\boxed{" + "1+" * 500_000 + "1}", "(" * 1_000_000, "the answer is " * 70_000, "7" * 1_000_000, "A" * 1_000_000),
    *("().__class__.__base__.__subclasses__()", "__import__('os').getcwd() or 5"),
    *("\\boxed{" + "2^{" * 300 + "2" + "}" * 300 + "}", "\\boxed{" + "\\frac{1}{" * 19 + "2" + "}" * 19 + "}"),
    *("\\boxed{" + "\\sqrt{" * 19 + "2" + "}" * 19 + "}", "\\boxed{" + "{1," * 19 + "}" * 19 + "}"),
    *(r"\boxed{\sum_{k=1}^{10^9} \frac{1}{k}}", r"\boxed{99999999!}", r"\boxed{10^{(5^{5^{5^{5}}})}}"),
    *("<answer>" * 10_000, "\\boxed{1}, " * 50_000, ", " * 10_000, "x = " * 1000 + "5", "$" * 10_000, "\\" * 100_000),
]


@pytest.fixture(scope="module", params=list(KINDS))
def verifier(request: pytest.FixtureRequest) -> Iterator[PooledVerifier]:
    if request.param == "reasoning_gym":
        pytest.importorskip("reasoning_gym", reason="the extra reasoning-gym is not installed")
    verifier = make_verifier(request.param, time_limit=LIMIT, workers=1, **OPTIONS.get(request.param, {}))
    verifier.judge(["1"], [r"\boxed{1 + 0}"])  # starting counts for nobody
    yield verifier
    verifier.close()


def check(verdict: Verdict) -> None:
    assert verdict.correct is CORRECT[verdict.reason]
    assert (verdict.reward is None) is (verdict.correct is None)
    assert verdict.extracted is None or isinstance(verdict.extracted, str)
    assert verdict.seconds <= LIMIT + MARGIN


@pytest.mark.parametrize("gold", GOLDS, ids=range(len(GOLDS)))
def test_bad_golds(verifier: PooledVerifier, gold: object) -> None:
    for verdict in verifier.judge([gold] * 2, [r"\boxed{5}", "the answer is B, or x + 1"]):
        check(verdict)


@pytest.mark.parametrize("prediction", PREDICTIONS, ids=range(len(PREDICTIONS)))
def test_bad_predictions(verifier: PooledVerifier, prediction: str) -> None:
    for verdict in verifier.judge(["-5", r"\frac{x}{2}", "B"], [prediction] * 3):
        check(verdict)
        if verifier.name == "math" and "5" not in prediction and "٥" not in prediction:
            assert verdict.correct is not True


QUICK: list[Kind] = [kind(**OPTIONS.get(name, {})) for name, kind in KINDS.items() if name != "reasoning_gym"]
PIECES = [
    *"0123456789.,;:=+-*/^_(){}[]|<>%$ \n\t",
    *("\u2212", "\u0665", "\u00bd", "\ud800"),
    *("\\frac", "\\boxed{", "\\text{", "\\pm", "\\sqrt", "\\{", "\\}", "\\le ", "\\infty"),
    *("answer", " is ", " and ", "A", "B", "x", "pi", "cm", "e5", "<answer>"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=5,
)


@given(VALUES, TEXTS)
def test_what_is_said_at_once_is_never_an_exception(gold: object, prediction: str) -> None:
    for kind in QUICK:
        said = kind.quick(gold, prediction)
        if isinstance(said, Verdict):
            check(said)
        else:
            assert said["kind"] == kind.name


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_any_text(math_verifier: PooledVerifier, gold: str, prediction: str) -> None:
    (verdict,) = math_verifier.judge([gold], [prediction])
    check(verdict)
    (itself,) = math_verifier.judge([gold], [gold])
    assert itself.correct is not False or "boxed" in gold or "answer" in gold


@pytest.fixture(scope="module")
def math_verifier() -> Iterator[PooledVerifier]:
    verifier = make_verifier("math", time_limit=LIMIT, workers=1)
    yield verifier
    verifier.close()
