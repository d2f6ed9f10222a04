"""Log lines of a run directory, each knowing where it stands so that a wrong one can be named."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selfhint.core.errors import InputError
from selfhint.runlog import METRICS, read_lines

MEND = "restore the file"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log file.

    Args:
        path: the file.
        number: from 1.
        fields: what the line holds.
    """

    path: Path
    number: int
    fields: Mapping[str, Any]

    def has(self, name: str) -> bool:
        """The field is there and not null."""
        return self.fields.get(name) is not None

    def get(self, name: str) -> Any:
        """A field's value.

        Raises:
            InputError: the line has no such field.
        """
        if name not in self.fields:
            raise self._wrong(f"has no field {name!r}", "use the release of selfhint that wrote it")
        return self.fields[name]

    def real(self, name: str) -> float:
        """A finite number.

        Raises:
            InputError: the field is missing or something else.
        """
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self._wrong(f"has {name!r}: {value!r} where a number belongs")
        return float(value)

    def count(self, name: str) -> int:
        """A whole number from 0.

        Raises:
            InputError: the field is missing or something else.
        """
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._wrong(f"has {name!r}: {value!r} where a whole number from 0 belongs")
        return value

    def text(self, name: str) -> str:
        """A text.

        Raises:
            InputError: the field is missing or something else.
        """
        value = self.get(name)
        if not isinstance(value, str):
            raise self._wrong(f"has {name!r}: {value!r} where a text belongs")
        return value

    def items(self, name: str) -> list[Any]:
        """A list.

        Raises:
            InputError: the field is missing or something else.
        """
        value = self.get(name)
        if not isinstance(value, list):
            raise self._wrong(f"has {name!r}: {value!r} where a list belongs")
        return value

    def rewards(self) -> list[float | None]:
        """The field `rewards`: numbers, and null where a completion could not be judged.

        Raises:
            InputError: the field is missing or something else.
        """
        values = self.items("rewards")
        if not all(value is None or isinstance(value, int | float) for value in values):
            raise self._wrong(f"has 'rewards': {values!r} where numbers belong")
        return values

    def lines(self, name: str) -> list[Line]:
        """A list of groups of fields.

        Raises:
            InputError: the field is missing or something else.
        """
        values = self.items(name)
        if not all(isinstance(value, dict) for value in values):
            raise self._wrong(f"has {name!r}: {values!r} where groups of fields belong")
        return [Line(self.path, self.number, value) for value in values]

    def _wrong(self, what: str, mend: str = MEND) -> InputError:
        return InputError(f"{self.path}: line {self.number} {what}; {mend}")


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a log file in order. A last line cut off by a crash is left out.

    Raises:
        InputError: the file cannot be read, or a line is no JSON object.
    """
    try:
        for number, fields in enumerate(read_lines(path), 1):
            yield Line(path, number, fields)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file and its rights") from error


def metrics_of(run_dir: Path) -> list[Line]:
    """The metrics lines of a run; at least one.

    Raises:
        InputError: the directory is missing, is no run's, has no finished step, or its steps are out of order.
    """
    path = run_dir / METRICS
    if not run_dir.is_dir():
        raise InputError(f"{run_dir}: no such directory; name a run directory (`out` in the run's recipe)")
    if not path.exists():
        raise InputError(f"{path}: no such file; name a directory that a run wrote (`out` in the run's recipe)")
    metrics = list(lines_of(path))
    if not metrics:
        raise InputError(f"{path}: no finished step in it; let the run go on, or go on with it by --resume")
    step = 0
    for line in metrics:
        if line.count("step") <= step:
            raise InputError(f"{path}: line {line.number} goes from step {step} to {line.count('step')}; {MEND}")
        step = line.count("step")
    return metrics
