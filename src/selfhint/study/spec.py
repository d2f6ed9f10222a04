"""A study's specification: which methods, data sets and seeds, and the recipe of every run that follows from them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, field_validator, model_validator

from selfhint.config import Recipe, layered_recipe
from selfhint.config.keys import check_keys
from selfhint.config.load import read_text
from selfhint.config.read import validate
from selfhint.config.settings import Count, PathText, Section
from selfhint.config.yaml_text import read_yaml
from selfhint.core.errors import InputError

OWNED = {"seed": "seeds", "out": "the option --out"}
"""Recipe keys that the study sets for each run → what decides them."""
SHARED = {**OWNED, "steps": "steps"}
"""The same outside of a method, which may set its own steps."""

MAX_SEEDS = 10_000
MAX_NAME_LENGTH = 100
MAX_NAME_BYTES = 200
"""A folder's name has at most 255, of which a log file beside it needs some."""

_NAME = re.compile(r"[A-Za-z0-9][\w.+-]*")
_RANGE = re.compile(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?")


class StudySpec(Section):
    """What a specification file says.

    Args:
        recipe: path of a recipe file, seen from the specification's folder, or values that go over the lab recipe's;
            null: the lab recipe.
        methods: name → recipe keys that make the method.
        data: name → recipe keys that make the data set. Where a method sets the same key, the method's value counts.
        seeds: such as `1-10`, `1-5, 8` or `[1, 2, 3]`; every method and data set gets all of them.
        baseline: the method that the others are compared with.
        steps: generation steps of every run; a method may set its own.
        note: what the study shows and what it does not, for the page.
    """

    recipe: PathText | dict[str, Any] | None = None
    methods: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    data: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    seeds: tuple[Annotated[int, Field(ge=0, lt=2**32)], ...]
    baseline: str
    steps: Count
    note: str = ""

    @field_validator("methods", "data", mode="before")
    @classmethod
    def _values_are_groups(cls, named: Any) -> Any:
        """A name without keys stands for the recipe as it is."""
        if not isinstance(named, Mapping) or not named:
            raise ValueError("write a name and its recipe keys in each line, like `ladder: {method: sage}`")
        for name, values in named.items():
            if not isinstance(name, str):
                raise ValueError(f"the name {name!r} is no text; put it in quotes")
            if len(name) > MAX_NAME_LENGTH or len(name.encode()) > MAX_NAME_BYTES:
                raise ValueError(f"the name {name[:20]!r}... is too long; use at most {MAX_NAME_LENGTH} letters")
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name for a folder; use letters, digits and . _ + -")
            if values is not None and not isinstance(values, Mapping):
                raise ValueError(f"{name} is {values!r}; give it recipe keys, like {{method: sage}}")
        return {name: values or {} for name, values in named.items()}

    @field_validator("seeds", mode="before")
    @classmethod
    def _seeds_are_numbers(cls, seeds: Any) -> Any:
        numbers = _numbers(seeds) if isinstance(seeds, str) else [seeds] if isinstance(seeds, int) else seeds
        if isinstance(numbers, list):
            _check_number(len(numbers))
        if not isinstance(numbers, list) or not numbers or len(set(map(str, numbers))) < len(numbers):
            raise ValueError(f"{seeds!r} are no different seeds; write for example 1-10, or [1, 2, 3]")
        return tuple(numbers)

    @model_validator(mode="after")
    def _baseline_is_a_method(self) -> Self:
        if self.baseline not in self.methods:
            near = difflib.get_close_matches(self.baseline, self.methods, n=1)
            mend = f"did you mean {near[0]}?" if near else f"use one of {', '.join(self.methods)}"
            raise ValueError(f"baseline {self.baseline!r} is none of the methods; {mend}")
        return self


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            raise ValueError(f"{text!r} are no seeds; write for example 1-10, or 1-5, 8")
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            raise ValueError(f"{part.strip()!r} counts down; write the lower seed first")
        _check_number(len(numbers) + last - first + 1)
        numbers += range(first, last + 1)
    return numbers


def _check_number(seeds: int) -> None:
    """Before they are unrolled: a range is written in a moment and fills the memory."""
    if seeds > MAX_SEEDS:
        raise ValueError(f"{seeds:,} seeds are too many; write at most {MAX_SEEDS:,}")


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run of a study. `recipe.out` is its folder."""

    data: str
    method: str
    seed: int
    recipe: Recipe

    @property
    def label(self) -> str:
        """Names it for a person."""
        return f"{self.data}/{self.method}/{self.seed}"

    @property
    def folder(self) -> Path:
        """The run directory."""
        return Path(self.recipe.out)


@dataclass(frozen=True, slots=True)
class Study:
    """A specification with all that follows from it.

    Args:
        name: of the specification file, without its ending.
        spec: what it says.
        out: folder of the study.
        runs: seed by seed, so that a stopped study has the same seeds of all methods, and so that a machine that gets
            slower does not favour one of them.
    """

    name: str
    spec: StudySpec
    out: Path
    runs: tuple[PlannedRun, ...]


def load_study(path: Path, out: Path | None = None) -> Study:
    """Reads a specification and makes its runs.

    Args:
        out: folder of the study; None: `runs/` and the file's name.

    Raises:
        InputError: the file cannot be read, a key is unknown, a value is not allowed, in it or in a run's recipe, or
            a recipe cannot name the folder.
    """
    where = str(path)
    values = read_yaml(read_text(path, "study"), where)
    if not isinstance(values, dict):
        raise InputError(f"{where}: a study is a mapping of keys to values; write lines like `seeds: 1-10`")
    check_keys(values, where, StudySpec)
    spec = validate(StudySpec, values, where, {})
    folder = Path("runs") / path.stem if out is None else out
    _check_folder(folder, "the file's name" if out is None else "--out")
    recipe, common = _base(path, spec)
    _check_owned(common, f"{where}: recipe", SHARED)
    for name, keys in spec.data.items():
        _check_owned(keys, f"{where}: data.{name}", SHARED)
    for name, keys in spec.methods.items():
        _check_owned(keys, f"{where}: methods.{name}", OWNED)
    recipes = {}
    for data, method in product(spec.data, spec.methods):
        layers = {
            f"{where}: recipe": {"steps": spec.steps, **common},
            f"{where}: data.{data}": spec.data[data],
            f"{where}: methods.{method}": spec.methods[method],
        }
        recipes[data, method] = layered_recipe(recipe, layers, f"{where}: methods.{method} on data.{data}")
    runs = (
        PlannedRun(data, method, seed, _placed(made, folder / "runs" / data / method / f"seed-{seed}", seed))
        for seed in spec.seeds
        for (data, method), made in recipes.items()
    )
    return Study(path.stem, spec, folder, tuple(runs))


def _placed(recipe: Recipe, folder: Path, seed: int) -> Recipe:
    return recipe.model_copy(update={"seed": seed, "out": str(folder)})


def _check_folder(folder: Path, source: str) -> None:
    """A run is gone on with in the folder that its recipe names, where `$` stands for a variable.

    Raises:
        InputError: a recipe cannot name this folder.
    """
    text = str(folder)
    what = "has a $ in it" if "$" in text else "is not UTF-8" if _is_no_text(text) else None
    if what is not None:
        shown = text.encode("utf-8", "backslashreplace").decode()
        raise InputError(f"{shown}: the study's folder, from {source}, {what}; choose another with --out")


def _is_no_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _base(path: Path, spec: StudySpec) -> tuple[Path | None, dict[str, Any]]:
    """The recipe file and the values over it.

    Raises:
        InputError: the file cannot be read, or is something else.
    """
    if not isinstance(spec.recipe, str):
        return None, spec.recipe or {}
    recipe = path.parent / spec.recipe
    values = read_yaml(read_text(recipe, "recipe"), str(recipe))
    if isinstance(values, dict) and values.keys() >= {"methods", "seeds"}:
        raise InputError(f"{path}: recipe: {recipe} is a study, not a recipe; name a recipe file")
    return recipe, {}


def _check_owned(keys: Mapping[str, Any], where: str, owned: Mapping[str, str]) -> None:
    for key, owner in owned.items():
        if key in keys:
            raise InputError(f"{where}: {key} comes from {owner}; remove it here")
