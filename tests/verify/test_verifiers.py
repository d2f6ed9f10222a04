from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from selfhint.core.errors import InputError, RunError
from selfhint.verify import VERIFIERS, make_verifier


@pytest.mark.parametrize("name", ["math", "numeric", "values", "exact"])
def test_names_and_the_port(name: str) -> None:
    verifier = VERIFIERS[name]()
    assert verifier.name == name
    assert [v.correct for v in verifier.judge(["7", "7"], [r"\boxed{7}", r"\boxed{8}"])] == [True, False]
    verifier.close()
    verifier.close()


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("maths", {}, "verifier kind maths: no such kind; use one of math, .* or module:name"),
        ("math", {"tolerance": 1}, "verifier math: no option tolerance; it takes none"),
        ("numeric", {"size": 1}, "verifier numeric: no option size; it takes tolerance, absolute"),
        ("numeric", {"tolerance": "1"}, "verifier numeric: .*; correct its options"),
        ("function", {}, "verifier function: .*'function'; correct its options"),
    ],
)
def test_what_does_not_suit_a_kind(kind: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_verifier(kind, **options)


def test_a_function_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_rewards.py").write_text("def longer(gold, prediction):\n    return len(prediction) > len(gold)\n")
    monkeypatch.syspath_prepend(tmp_path)
    verifier = make_verifier("my_rewards:longer")
    assert [v.correct for v in verifier.judge(["ab", "ab"], ["abc", "a"])] == [True, False]
    verifier.close()


def test_a_function_that_is_not_there_stops_the_run() -> None:
    with pytest.raises(RunError, match=r"verifier function: its worker process cannot judge \(ModuleNotFoundError: "):
        make_verifier("no_such_module:f").judge(["1"], ["1"])


def test_import_loads_no_heavy_package() -> None:
    heavy = {"torch", "sympy", "math_verify", "latex2sympy2_extended"}
    code = f"import sys, selfhint.verify; print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
