from __future__ import annotations

import subprocess
import sys

import pytest

from selfhint.verify import VERIFIERS


@pytest.mark.parametrize("name", list(VERIFIERS))
def test_names_and_the_port(name: str) -> None:
    verifier = VERIFIERS[name]()
    assert verifier.name == name
    assert [v.correct for v in verifier.judge(["7", "7"], [r"\boxed{7}", r"\boxed{8}"])] == [True, False]
    verifier.close()
    verifier.close()


def test_import_loads_no_heavy_package() -> None:
    heavy = {"torch", "sympy", "math_verify", "latex2sympy2_extended"}
    code = f"import sys, selfhint.verify; print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
