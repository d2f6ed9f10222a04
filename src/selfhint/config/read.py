"""Settings from nested values and `key=value` overrides, with one clear message for what is not allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from selfhint.config.keys import check_keys, one_line, subsection, takes_text
from selfhint.config.settings import Section
from selfhint.config.yaml_text import read_yaml
from selfhint.core.errors import InputError

S = TypeVar("S", bound=Section)


def override_place(override: str) -> str:
    """How a message names an override. What stands for a key's name may be the key itself, and is not repeated."""
    key, equals, _ = override.partition("=")
    shown = f"{key}=…" if equals and "api_key_env" in override else override
    return f"override {one_line(shown)}"


def apply_override(values: dict[str, Any], override: str, root: type[Section], where: str | None = None) -> str:
    """Puts one `dotted.key=value` into `values`, the settings of class `root`; returns its dotted key.

    The value is read as YAML, but keys that hold text take it as it stands (quotes and null are understood).

    Args:
        where: how messages name the override; None: as it stands.

    Raises:
        InputError: it is of another form, or the key is unknown.
    """
    where = where or override_place(override)
    key, equals, text = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise InputError(f"{where}: not of the form key=value; write for example hints.tries=5")
    value = _override_value(parts, text, where, root)
    nested: Any = value
    for part in reversed(parts):
        nested = {part: nested}
    check_keys(nested, where, root)
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


def _override_value(parts: list[str], text: str, where: str, root: type[Section]) -> Any:
    """Text keys take the value as it stands, so that paths with `: `, ` #`, `=` or brackets need no quoting."""
    bare = text.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    if takes_text(parts, root) and not quoted and bare not in ("", "~", "null"):
        return text
    return read_yaml(text, where)


def validate(root: type[S], values: Mapping[str, Any], where: str, sources: Mapping[str, str]) -> S:
    """The settings, typed.

    Args:
        where: what the values come from, for messages.
        sources: dotted key → the override it came from.

    Raises:
        InputError: a value is missing or not allowed.
    """
    try:
        return root.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = _dotted_key(first["loc"], root)
        source = next((sources[k] for k in sources if key == k or key.startswith(f"{k}.")), None)
        if source is None:
            source = f"{where} (with overrides)" if sources else where
        message = _message(key, first["type"], first["msg"], first["input"], first.get("ctx", {}))
        raise InputError(f"{source}: {message}") from None


def _dotted_key(location: tuple[int | str, ...], root: type[Section]) -> str:
    """The part of pydantic's location that names keys; the rest names members of a union or of a list."""
    keys: list[str] = []
    section: type[Section] | None = root
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
