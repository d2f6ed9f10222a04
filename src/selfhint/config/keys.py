"""Walks over dotted keys: which exist, what an unknown one was meant to be, which take plain text."""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from selfhint.config.engine import TRL_DEFAULTS, TRL_OWNED
from selfhint.config.settings import Section
from selfhint.core.errors import InputError


def check_keys(
    values: Mapping[Any, Any], where: str, root: type[Section], section: type[Section] | None = None, prefix: str = ""
) -> None:
    """Every key of a nested mapping must be a key of the settings, and only groups have keys below them.

    Args:
        root: the settings as a whole.
        section: where `values` stand in them; None: at the top.
        prefix: the dotted key of that place, with its dot.

    Raises:
        InputError: one is not; the message begins with `where` and names the nearest known key.
    """
    section = section or root
    for key, value in values.items():
        if key not in section.model_fields:
            meant = _meant(str(key), root, section, prefix)
            raise InputError(f"{where}: unknown key {one_line(f'{prefix}{key}')}; {meant}")
        inner = subsection(section, key)
        if inner is not None and isinstance(value, Mapping):
            check_keys(value, where, root, inner, f"{prefix}{key}.")
        elif inner is None and isinstance(value, Mapping) and not _takes_any_keys(section, key):
            raise InputError(f"{where}: {prefix}{key} has no keys below it; give it a value")


def one_line(text: str) -> str:
    """The text as it stands, or its escaped form where it would break the line of a message."""
    return text if text.isprintable() else repr(text)


def subsection(section: type[Section], key: str) -> type[Section] | None:
    """The group of keys behind `key`, or None where it holds a value."""
    for option in _options(section.model_fields[key].annotation):
        if isinstance(option, type) and issubclass(option, Section):
            return option
    return None


def _takes_any_keys(section: type[Section], key: str) -> bool:
    return any(typing.get_origin(option) is dict for option in _options(section.model_fields[key].annotation))


def takes_text(parts: list[str], root: type[Section]) -> bool:
    """Whether a dotted key holds text and nothing else (or null), so that its value needs no quoting."""
    section: type[Section] | None = root
    for part in parts[:-1]:
        section = subsection(section, part) if section is not None and part in section.model_fields else None
    if section is None or parts[-1] not in section.model_fields:
        return False
    options = [
        option for option in _options(section.model_fields[parts[-1]].annotation) if option is not types.NoneType
    ]
    return all(option is str or typing.get_origin(option) is Literal for option in options)


def _options(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, or the annotation itself."""
    origin = typing.get_origin(annotation)
    return typing.get_args(annotation) if origin in (typing.Union, types.UnionType) else (annotation,)


def _all_keys(section: type[Section], prefix: str = "") -> Iterator[str]:
    for key in section.model_fields:
        yield f"{prefix}{key}"
        inner = subsection(section, key)
        if inner is not None:
            yield from _all_keys(inner, f"{prefix}{key}.")


def _meant(key: str, root: type[Section], section: type[Section], prefix: str) -> str:
    """The key a mistyped, misplaced or engine-named key probably stands for."""
    everywhere = list(_all_keys(root))
    has_trl = "trl" in everywhere
    if has_trl and key in TRL_OWNED:
        return f"did you mean {TRL_OWNED[key]}?"
    if has_trl and key in TRL_DEFAULTS:
        return f"did you mean trl.{key}?"
    elsewhere = [dotted for dotted in everywhere if dotted.split(".")[-1] == key]
    if elsewhere:
        return f"did you mean {elsewhere[0]}?"
    near = difflib.get_close_matches(key, section.model_fields, n=1)
    if near:
        return f"did you mean {prefix}{near[0]}?"
    leaves = {dotted.split(".")[-1]: dotted for dotted in reversed(everywhere)}
    near = difflib.get_close_matches(key, leaves, n=1)
    if near:
        return f"did you mean {leaves[near[0]]}?"
    hint = "" if prefix or not has_trl else "; fields of TRL's GRPOConfig go under trl"
    return f"known here: {', '.join(section.model_fields)}{hint}"


def dotted(values: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The dotted keys of a recipe's dump with their values; what the engine's own fields hold stays whole."""
    pairs: list[tuple[str, Any]] = []
    for key, value in values.items():
        is_group = isinstance(value, dict) and prefix != "trl."
        pairs += dotted(value, f"{prefix}{key}.") if is_group else [(f"{prefix}{key}", value)]
    return pairs
