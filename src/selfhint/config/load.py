"""A recipe from a YAML file and `key=value` overrides, and back to YAML."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from selfhint.config.keys import check_keys, subsection
from selfhint.config.read import apply_override, override_place, validate
from selfhint.config.recipe import LAB_DATA, Recipe
from selfhint.config.yaml_text import read_yaml, write_yaml
from selfhint.core.errors import InputError

RECIPES = resources.files("selfhint") / "recipes"
"""The recipes that come with the package."""
DEFAULT_RECIPE = "lab.yaml"


def load_recipe(path: str | Path | None, overrides: Sequence[str] = ()) -> Recipe:
    """Reads a recipe; the packaged lab recipe where no path is given.

    Args:
        path: a YAML file.
        overrides: `dotted.key=value`, later ones over earlier ones. The value is read as YAML, but keys that hold text
            take it as it stands (quotes and null are understood). A mapping replaces its whole group.

    Raises:
        InputError: the file cannot be read, a key is unknown, or a value is not allowed.
    """
    values, where = _read_values(path)
    sources: dict[str, str] = {}
    for override in overrides:
        key = apply_override(values, override, Recipe)
        sources[key] = override_place(override)
    return _recipe_of(path, values, where, sources)


def layered_recipe(path: str | Path | None, layers: Mapping[str, Mapping[str, Any]], where: str) -> Recipe:
    """Reads a recipe as `load_recipe` does, with nested values over it.

    Args:
        layers: where they come from, for messages → nested values. Later ones go over earlier ones key by key, within
            groups too.
        where: how messages name the whole.

    Raises:
        InputError: the file cannot be read, a key is unknown, or a value is not allowed.
    """
    values, _ = _read_values(path)
    for place, layer in layers.items():
        check_keys(layer, place, Recipe)
        values = _laid_over(values, _without_empty_groups(layer))
    return _recipe_of(path, values, where, {})


def _laid_over(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(under)
    for key, value in over.items():
        below = values.get(key)
        values[key] = _laid_over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return values


def _read_values(path: str | Path | None) -> tuple[dict[str, Any], str]:
    """A recipe file's values, keys checked, and how messages name the file."""
    where = DEFAULT_RECIPE if path is None else str(path)
    text = (RECIPES / DEFAULT_RECIPE).read_text("utf-8") if path is None else read_text(Path(path), "recipe")
    values = read_yaml(text, where)
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise InputError(f"{where}: a recipe is a mapping of keys to values; write lines like `model: lab`")
    check_keys(values, where, Recipe)
    return _without_empty_groups(values), where


def _recipe_of(path: str | Path | None, values: dict[str, Any], where: str, sources: Mapping[str, str]) -> Recipe:
    recipe = validate(Recipe, values, where, sources)
    if path is None and recipe.data not in LAB_DATA:
        raise InputError(
            f"data={recipe.data}: without a recipe the settings are those of the lab task; name a recipe file, "
            f"for example a copy of one in {RECIPES}"
        )
    return recipe


def dump_recipe(recipe: Recipe) -> str:
    """The whole recipe as YAML, defaults filled in; `load_recipe` reads an equal one back."""
    values = recipe.model_dump()
    return write_yaml({"model": values["model"], "data": values["data"], **values})


def read_text(path: Path, kind: str) -> str:
    """The text of a YAML file.

    Args:
        kind: what the file is, for messages.

    Raises:
        InputError: it cannot be read or is not UTF-8.
    """
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder; name the {kind} file in it")
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such {kind} file; check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8") from error
    except ValueError as error:  # a NUL, or half of a surrogate pair
        raise InputError(f"{path}: cannot be the name of a {kind} file ({error}); correct it") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file and its rights") from error


def _without_empty_groups(values: Mapping[str, Any]) -> dict[str, Any]:
    """A group whose keys are all commented out is a null in YAML; it means the defaults."""
    groups = {key for key in Recipe.model_fields if subsection(Recipe, key) is not None} - {"lora"} | {"trl"}
    return {key: value for key, value in values.items() if not (value is None and key in groups)}
