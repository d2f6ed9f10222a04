"""YAML 1.2: `1e-6` is a number and `no` is a word."""

from __future__ import annotations

import io
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from selfhint.core.errors import InputError

DEEPEST = 100
"""Lists and mappings within each other; far fewer than would exhaust the writing back."""


def read_yaml(text: str, where: str) -> Any:
    """The value of a YAML document.

    Raises:
        InputError: it is not YAML, has a key twice, is nested too deeply, or holds more than one document. `where`
            begins the message.
    """
    try:
        value = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = " ".join(str(error.problem or error.context).split())
        mend = "indent with spaces" if "'\\t'" in problem else "correct it there, or quote the text"
        raise InputError(f"{where}{place}: not valid YAML, {problem}; {mend}") from error
    except RecursionError as error:
        raise _too_deep(where) from error
    except (YAMLError, ValueError, TypeError) as error:
        # A date such as 2024-13-01 or a mapping used as a key leaves ruamel.yaml as a plain Python error.
        problem = " ".join(str(error).split())
        raise InputError(f"{where}: not valid YAML, {problem}; correct it, or quote the text") from error
    if _is_deeper(value, DEEPEST):
        raise _too_deep(where)
    return value


def _too_deep(where: str) -> InputError:
    return InputError(f"{where}: nested too deeply; take lists and mappings out of each other")


def _is_deeper(value: Any, levels: int) -> bool:
    """Level by level, each collection once in one: aliases may put it in many places, and even in itself."""
    layer = [value]
    for _ in range(levels + 1):
        layer = list({id(each): each for each in layer if isinstance(each, dict | list)}.values())
        layer = [inner for each in layer for inner in (each.values() if isinstance(each, dict) else each)]
    return bool(layer)


def write_yaml(value: Any) -> str:
    """YAML text that `read_yaml` turns back into an equal value."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = False
    yaml.width = 1 << 30  # folding a long escaped text loses spaces
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]  # declared by its default, None
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue()
