"""How often a policy solved which problem, from what `selfhint diagnose` wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from selfhint.core.errors import InputError
from selfhint.core.levels import NO_HINT


@dataclass(frozen=True, slots=True)
class Solved:
    """Completions of one problem without a hint: how many were drawn, and how many of them are correct."""

    correct: int
    drawn: int


def read_difficulty(path: str | Path) -> Mapping[str, Solved]:
    """Counts by problem key over all visits; groups that could not be judged do not count.

    Raises:
        InputError: the file cannot be read, is no result of diagnose, or judged no problem.
    """
    counts: dict[str, Solved] = {}
    try:
        for look in json.loads(Path(path).read_bytes())["looks"]:
            bare = look["groups"][0]
            if bare["level"] != NO_HINT or not bare["correct"] or None in bare["correct"]:
                continue
            earlier = counts.get(look["key"], Solved(0, 0))
            counts[look["key"]] = Solved(earlier.correct + sum(bare["correct"]), earlier.drawn + len(bare["correct"]))
    except OSError as error:
        raise InputError(
            f"--difficulty {path}: cannot be read ({error.strerror or error}); name what selfhint diagnose --out wrote"
        ) from error
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise InputError(
            f"--difficulty {path}: is no result of diagnose; write one with selfhint diagnose DATA --model M --out FILE"
        ) from error
    if not counts:
        raise InputError(
            f"--difficulty {path}: no problem in it was judged without a hint; run selfhint diagnose again with more "
            "problems"
        )
    return MappingProxyType(counts)
