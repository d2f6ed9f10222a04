"""Recipes: what a run is, read from YAML and the command line."""

from __future__ import annotations

from selfhint.config.changes import changed_keys
from selfhint.config.engine import TRL_DEFAULTS, TRL_INEXACT, TRL_OWNED
from selfhint.config.load import dump_recipe, layered_recipe, load_recipe
from selfhint.config.methods import METHODS, Method
from selfhint.config.recipe import LAB_DATA, LAB_MODEL, Recipe
from selfhint.config.settings import MethodSettings, TeacherSettings
from selfhint.config.verl import VerlSettings, split_overrides

__all__ = [
    "LAB_DATA",
    "LAB_MODEL",
    "METHODS",
    "TRL_DEFAULTS",
    "TRL_INEXACT",
    "TRL_OWNED",
    "Method",
    "MethodSettings",
    "Recipe",
    "TeacherSettings",
    "VerlSettings",
    "changed_keys",
    "dump_recipe",
    "layered_recipe",
    "load_recipe",
    "split_overrides",
]
