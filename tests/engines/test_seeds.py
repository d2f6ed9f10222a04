"""A completion's seed follows from its identity and from nothing else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selfhint.core.ports import Sample
from selfhint.engines.seeds import completion_seed

REQUEST = Sample(key="k", visit=1, level=2, purpose="hint", prompt="p", num=4, attempt=1)
SEED = 7


@pytest.mark.parametrize(
    "change", [{"key": "l"}, {"visit": 2}, {"level": 3}, {"purpose": "solve"}, {"attempt": 2}], ids=str
)
def test_every_part_of_the_identity_changes_it(change):
    assert completion_seed(SEED, replace(REQUEST, **change), 0) != completion_seed(SEED, REQUEST, 0)


def test_so_do_the_runs_seed_and_the_completions_number():
    assert len({completion_seed(seed, REQUEST, i) for seed in range(50) for i in range(50)}) > 2490


def test_parts_do_not_run_into_each_other():
    assert completion_seed(1, replace(REQUEST, visit=12, level=3), 0) != completion_seed(
        1, replace(REQUEST, visit=1, level=23), 0
    )


@pytest.mark.parametrize("change", [{"prompt": [{"role": "user", "content": "q"}]}, {"num": 8}], ids=str)
def test_prompt_and_number_wanted_are_no_identity(change):
    assert completion_seed(SEED, replace(REQUEST, **change), 3) == completion_seed(SEED, REQUEST, 3)


def test_another_process_gives_the_same():
    code = (
        "from selfhint.core.ports import Sample; from selfhint.engines.seeds import completion_seed; "
        f"print(completion_seed({SEED}, Sample(key='k', visit=1, level=2, purpose='hint', prompt='p', num=4, "
        "attempt=1), 5))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == completion_seed(SEED, REQUEST, 5)


@settings(deadline=None)
@given(st.integers(0), st.text(), st.integers(0, 10**6), st.integers(0, 64))
def test_it_fits_into_a_signed_32_bit_number(seed, key, visit, index):
    assert 0 <= completion_seed(seed, replace(REQUEST, key=key, visit=visit), index) < 2**31
