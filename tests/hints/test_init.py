from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from selfhint.core.ports import HintSource, VisitContext
from selfhint.core.problem import Problem
from selfhint.hints import HINT_SOURCES, REASONS, SOURCE_REASONS


@pytest.mark.parametrize("name", HINT_SOURCES)
def test_sources_carry_their_recipe_name_and_work_with_defaults(
    name: str, make_problem: Callable[..., Problem], make_context: Callable[..., VisitContext], policy: Any
) -> None:
    source: HintSource = HINT_SOURCES[name]()
    assert source.name == name
    session = source.session(make_problem(solution=None), make_context())
    assert policy().run(session.hint(1)) is None
    assert {hint.refused for hint in session.trail.hints} <= REASONS.keys() | SOURCE_REASONS.keys()


def test_no_reason_is_listed_twice() -> None:
    assert not REASONS.keys() & SOURCE_REASONS.keys()


def test_importing_hints_loads_the_standard_library_and_core_only() -> None:
    code = (
        "import sys, selfhint.hints;"
        "print([m for m in sys.modules if m.startswith('selfhint.') and m.split('.')[1] not in ('core', 'hints')"
        " or m in ('torch', 'transformers', 'trl', 'numpy')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
