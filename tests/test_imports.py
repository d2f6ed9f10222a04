"""What importing a package loads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
HEAVY = {"torch", "trl", "transformers", "accelerate", "peft", "ray", "verl"}
LIGHT_PACKAGES = [
    "selfhint",
    "selfhint.core",
    "selfhint.schedulers",
    "selfhint.runlog",
    "selfhint.hints",
    "selfhint.config",
    "selfhint.verify",
    "selfhint.data",
    "selfhint.report",
    "selfhint.diagnosis",
    "selfhint.study",
]
IMPORT_ALL = """
import importlib, json, pkgutil, sys
before = set(sys.modules)
package = importlib.import_module(sys.argv[1])
inside = [] if sys.argv[1] == "selfhint" else getattr(package, "__path__", [])
names = [module.name for module in pkgutil.walk_packages(inside, sys.argv[1] + ".")]
for name in names:
    if name != "selfhint.verify.judges.reasoning_gym":  # its library is an extra
        importlib.import_module(name)
print(json.dumps({"inside": names, "loaded": sorted({n.partition(".")[0] for n in set(sys.modules) - before})}))
"""


def loaded_by(package):
    """Modules inside a package, and the top-level names that importing it and all of them loads."""
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, package],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    return set(result["inside"]), set(result["loaded"])


@pytest.mark.parametrize("package", LIGHT_PACKAGES)
def test_no_framework_is_loaded(package):
    _, loaded = loaded_by(package)
    assert "selfhint" in loaded
    assert not loaded & HEAVY


def test_core_is_standard_library_only():
    inside, loaded = loaded_by("selfhint.core")
    assert "selfhint.core.episode" in inside
    assert loaded - sys.stdlib_module_names == {"selfhint"}


def test_importing_the_package_alone_is_standard_library_only():
    _, loaded = loaded_by("selfhint")
    assert loaded - sys.stdlib_module_names == {"selfhint"}
