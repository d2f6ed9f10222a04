from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from selfhint.config.engine import TRL_DEFAULTS, TRL_OWNED
from selfhint.config.recipe import Recipe


def test_every_field_named_here_is_trls():
    fields = {field.name for field in dataclasses.fields(pytest.importorskip("trl").GRPOConfig)}
    assert set(TRL_DEFAULTS) | set(TRL_OWNED) <= fields


def test_owners_are_top_level_keys():
    assert {owner for owner in TRL_OWNED.values() if not owner.startswith("--")} <= set(Recipe.model_fields)
    assert not TRL_DEFAULTS.keys() & TRL_OWNED.keys()


def test_reading_a_recipe_loads_no_framework():
    code = (
        "import sys; from selfhint.config import load_recipe; import selfhint.data; load_recipe(None, []); "
        "print(sorted({'torch', 'transformers', 'trl', 'peft', 'datasets'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
