"""A recipe from a YAML file and `key=value` overrides, and back to YAML."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from selfhint.config.keys import check_keys, one_line, subsection, takes_text
from selfhint.config.recipe import LAB_DATA, Recipe, Section
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
    where = DEFAULT_RECIPE if path is None else str(path)
    text = (RECIPES / DEFAULT_RECIPE).read_text("utf-8") if path is None else _read_text(Path(path))
    values = read_yaml(text, where)
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise InputError(f"{where}: a recipe is a mapping of keys to values; write lines like `model: lab`")
    check_keys(values, where)
    values = _without_empty_groups(values)
    sources: dict[str, str] = {}
    for override in overrides:
        key = _apply(values, override)
        sources[key] = f"override {one_line(override)}"
    recipe = _validate(values, where, sources)
    if path is None and recipe.data not in LAB_DATA:
        raise InputError(
            f"data={recipe.data}: without a recipe the settings are those of the lab task; name a recipe file, "
            f"for example a copy of one in {RECIPES}"
        )
    return recipe


def dump_recipe(recipe: Recipe) -> str:
    """The whole recipe as YAML, defaults filled in; `load_recipe` reads an equal one back."""
    return write_yaml(recipe.model_dump())


def _read_text(path: Path) -> str:
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder; name the recipe file in it")
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such recipe file; check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start + 1}); save the file as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file and its rights") from error


def _without_empty_groups(values: dict[str, Any]) -> dict[str, Any]:
    """A group whose keys are all commented out is a null in YAML; it means the defaults."""
    groups = {key for key in Recipe.model_fields if subsection(Recipe, key) is not None} - {"lora"} | {"trl"}
    return {key: value for key, value in values.items() if not (value is None and key in groups)}


def _apply(values: dict[str, Any], override: str) -> str:
    """Puts one override into `values`; returns its dotted key."""
    where = f"override {one_line(override)}"
    key, equals, text = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise InputError(f"{where}: not of the form key=value; write for example steps=100 or hints.tries=5")
    value = _override_value(parts, text, where)
    nested: Any = value
    for part in reversed(parts):
        nested = {part: nested}
    check_keys(nested, where)
    place = values
    for depth, group in enumerate(parts[:-1], start=1):
        inner = place.get(group)
        if inner is not None and not isinstance(inner, dict):
            raise InputError(
                f"{where}: {'.'.join(parts[:depth])} is set to {inner!r}, which has no keys; set it itself"
            )
        # A copy, because an alias in the file may have put the same mapping in two places.
        place[group] = place = dict(inner or {})
    place[parts[-1]] = value
    return ".".join(parts)


def _override_value(parts: list[str], text: str, where: str) -> Any:
    """Text keys take the value as it stands, so that paths with `: `, ` #`, `=` or brackets need no quoting."""
    bare = text.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    if takes_text(parts) and not quoted and bare not in ("", "~", "null"):
        return text
    return read_yaml(text, where)


def _validate(values: Mapping[str, Any], where: str, sources: Mapping[str, str]) -> Recipe:
    try:
        return Recipe.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = _dotted_key(first["loc"])
        source = next((sources[k] for k in sources if key == k or key.startswith(f"{k}.")), None)
        if source is None:
            source = f"{where} (with overrides)" if sources else where
        message = _message(key, first["type"], first["msg"], first["input"], first.get("ctx", {}))
        raise InputError(f"{source}: {message}") from None


def _dotted_key(location: tuple[int | str, ...]) -> str:
    """The part of pydantic's location that names keys; the rest names members of a union or of a list."""
    keys: list[str] = []
    section: type[Section] | None = Recipe
    for part in location:
        if section is None or part not in section.model_fields:
            break
        keys.append(str(part))
        section = subsection(section, str(part))
    return ".".join(keys)


def _message(key: str, kind: str, text: str, value: Any, context: Mapping[str, Any]) -> str:
    if kind == "missing":
        return f"{key} is missing; set it"
    if kind == "value_error":
        return f"{key}: {context['error']}" if key else str(context["error"])
    if value is None or kind == "string_too_short":
        return f"{key} is empty; give it a value, or leave the key out for its default"
    if kind == "model_type":
        return f"{key} is a group of keys and cannot be {value!r}; set {key}.NAME instead"
    shown = repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:57]}..."
    if kind == "string_type":
        return f"{key}: {shown} is not text; put it in quotes"
    return f"{key}: {shown} is not allowed; {text.replace('Input should', 'it should')}"
